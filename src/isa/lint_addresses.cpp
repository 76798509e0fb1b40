#include <fmt/core.h>

#include <algorithm>

#include "isa/lint_checks.h"
#include "isa/round_points.h"
#include "isa/transfers.h"

namespace accelscope::isa {
namespace {

constexpr std::uint64_t kScalarEntries = 1024;

// What an address must be, in words.
std::string demand(const MemoryAccess& access, const Machine& machine) {
  if (access.form == MemoryAccess::Form::kInFirstOfTile)
    return fmt::format("a multiple of {} among the first {} elements of a tile", access.unit, machine.mlen);
  if (access.matrix && access.unit == machine.mlen * machine.mlen)
    return fmt::format("the beginning of a tile, a multiple of {}", access.unit);
  if (access.matrix) return fmt::format("a multiple of BLEN x MLEN = {}", access.unit);
  return fmt::format("a multiple of {} = {}", access.unit == machine.vlen ? "VLEN" : "BLEN", access.unit);
}

bool is_misplaced(std::uint32_t address, const MemoryAccess& access, const Machine& machine) {
  if (access.form == MemoryAccess::Form::kMultiple) return address % access.unit != 0;
  const std::uint64_t in_tile = address % (machine.mlen * machine.mlen);
  return in_tile >= machine.mlen || in_tile % access.unit != 0;
}

bool is_transfer(const LintStep& step) {
  return step.instruction->unit == Unit::kMemory;
}

}  // namespace

void AddressCheck::take(const LintStep& step) {
  for (const MemoryAccess& access : step.accesses->all()) take_access(step, access);
  if (step.instruction == nullptr) return;
  take_scalars(step);
  if (is_transfer(step)) take_transfer(step);
}

void AddressCheck::take_access(const LintStep& step, const MemoryAccess& access) {
  const RegisterState& state = *step.state;
  if (const auto bad = find_round(access.address, state,
                                  [&](std::uint32_t at) { return is_misplaced(at, access, machine_); })) {
    report_.add(access.matrix ? Rule::kMatrixAlignment : Rule::kVectorAlignment, step.position,
                access.operand, [&] {
                  return fmt::format("{} takes {}, not {}{}", step.instruction->mnemonic,
                                     demand(access, machine_), bad->value, where_of(*bad, state));
                });
    return;
  }
  const std::uint64_t piece = access.matrix ? machine_.mlen * machine_.mlen : machine_.vlen;
  const std::uint64_t pieces = access.matrix ? machine_.matrix_tiles : machine_.vector_rows;
  const auto last_piece = [&](std::uint32_t at) { return at / piece + (access.pieces - 1) * access.step; };
  if (const auto bad =
          find_round(access.address, state, [&](std::uint32_t at) { return last_piece(at) >= pieces; }))
    report_.add(access.matrix ? Rule::kMatrixRange : Rule::kVectorRange, step.position, access.operand, [&] {
      return fmt::format("address {}{} is {} {}, and the {} memory has {}", bad->value, where_of(*bad, state),
                         access.matrix ? "in tile" : "up to row", last_piece(bad->value),
                         access.matrix ? "matrix" : "vector", pieces);
    });
}

void AddressCheck::take_scalar(const LintStep& step, const FlowValue& address, std::uint64_t count,
                               std::uint32_t operand) {
  const auto bad = find_round(address, *step.state,
                              [&](std::uint32_t at) { return std::uint64_t{at} + count > kScalarEntries; });
  if (bad)
    report_.add(Rule::kScalarRange, step.position, operand, [&] {
      return fmt::format("entries {} to {}{} are not in the scalar memory, which has {}", bad->value,
                         std::uint64_t{bad->value} + count - 1, where_of(*bad, *step.state), kScalarEntries);
    });
}

void AddressCheck::take_scalars(const LintStep& step) {
  constexpr Places kScalars = places::kFloatMemory | places::kIntegerMemory;
  const Instruction& instruction = *step.instruction;
  if (((instruction.reads | instruction.writes) & kScalars) == 0) return;
  const bool routes = instruction.latency == Latency::kRouting;
  constexpr std::uint64_t kFewChosen = 4;
  constexpr std::uint64_t kManyChosen = 8;
  std::uint64_t count = instruction.latency == Latency::kMapVector ? machine_.vlen : 1;
  if (routes) count = bits_of(Field::kRs3).of(step.word) == 0 ? kFewChosen : kManyChosen;
  for (std::uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.meaning != Meaning::kFloatAddress && operand.meaning != Meaning::kIntegerAddress) continue;
    FlowValue address = step.state->gp(bits_of(operand.decoded).of(step.word));
    if (!routes) address = address + FlowValue::constant(bits_of(Field::kImmediate18).of(step.word));
    take_scalar(step, address, count, i + 1);
  }
}

void AddressCheck::take_transfer(const LintStep& step) {
  const RegisterState& state = *step.state;
  const Transfer transfer = transfer_of(step.word, machine_);
  if (transfer.scale_bytes > kBlockBytes)
    report_.add(Rule::kScaleTruncated, step.position, 0, [&] {
      return fmt::format("a row has {} bytes of scales and only {} of them are read", transfer.scale_bytes,
                         kBlockBytes);
    });
  const TransferAccesses accesses = accesses_in_all_rounds(transfer, step.word, state, 1);
  if (accesses.proven && accesses.crossing_rows > 0)
    report_.add(Rule::kExternalAlignment, step.position, 2, [&] {
      return "rows begin inside a block of 64 bytes and touch one block more than they need to";
    });
  const FlowValue& base = state.address_low(bits_of(Field::kRs2).of(step.word));
  const FlowValue& high = state.address_high(bits_of(Field::kRs2).of(step.word));
  const auto offsets = range_of(state.gp(bits_of(Field::kRs1).of(step.word)), state);
  const bool certain = base.is_constant() && high.is_constant() && offsets.has_value() &&
                       (!transfer.strided || state.stride().is_constant());
  if (!certain) return;
  const std::uint64_t row_step = transfer.strided ? state.stride().base : transfer.row_elements;
  const std::uint64_t start = (std::uint64_t{high.base} << 32U) + base.base;
  const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(0, machine_.external_memory.value));
  // Addresses of 64 bits, and sizes of some 32: no sum wraps unless the base is near the end.
  const std::uint64_t end = offsets->most + (transfer.rows - 1) * row_step + transfer.row_bytes;
  if (start > size || end > size - start)
    report_.add(Rule::kExternalRange, step.position, 2, [&] {
      return fmt::format("reaches {} bytes behind address {}; external memory has {}: {}", end, start, size,
                         transfer.stores ? "the hardware stops" : "zeros are read");
    });
}

}  // namespace accelscope::isa
