#include "isa/traffic.h"

#include <algorithm>

#include "isa/instruction_set.h"
#include "isa/rounds.h"

namespace accelscope::isa {
namespace {

void add_to(std::uint64_t& sum, std::uint64_t more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = ~std::uint64_t{0};
}

void add_to(TransferTraffic& sum, const TransferTraffic& more) {
  add_to(sum.transfers, more.transfers);
  add_to(sum.proven_transfers, more.proven_transfers);
  add_to(sum.crossing_rows, more.crossing_rows);
  add_to(sum.accesses.reads, more.accesses.reads);
  add_to(sum.accesses.writes, more.accesses.writes);
}

TransferTraffic* part_of(Traffic& traffic, std::uint32_t word) {
  switch (opcode_of_word(word)) {
    case opcode("H_PREFETCH_M"):
      return &traffic.prefetch_matrix;
    case opcode("H_PREFETCH_V"):
      return &traffic.prefetch_vector;
    case opcode("H_STORE_V"):
      return &traffic.store_vector;
    default:
      return nullptr;
  }
}

bool is_transfer(std::uint32_t word) {
  const Instruction* const instruction = instruction_of_word(word);
  return instruction != nullptr && instruction->unit == Unit::kMemory;
}

}  // namespace

TransferTraffic Traffic::total() const {
  TransferTraffic sum = prefetch_matrix;
  add_to(sum, prefetch_vector);
  add_to(sum, store_vector);
  return sum;
}

std::vector<Traffic> traffic_of(const Program& program, std::span<const Machine> machines) {
  std::vector<Traffic> made(machines.size());
  if (std::none_of(program.words.begin(), program.words.end(), is_transfer)) return made;
  Rounds rounds(program);
  RegisterFlow flow(program);
  flow.walk([&](std::uint32_t position, std::uint32_t word, const RegisterState& state) {
    const std::uint64_t times = rounds.at(position);
    if (!is_transfer(word)) return;
    for (std::size_t i = 0; i < machines.size(); ++i) {
      const TransferAccesses found =
          accesses_in_all_rounds(transfer_of(word, machines[i]), word, state, times);
      if (TransferTraffic* const part = part_of(made[i], word))
        add_to(*part, {times, found.proven ? times : 0, found.crossing_rows, found.total});
    }
  });
  return made;
}

}  // namespace accelscope::isa
