#include "isa/transfers.h"

#include <numeric>

#include "isa/instruction_set.h"

namespace accelscope::isa {
namespace {

// How often something begins at each byte of a block.
using Residues = std::array<std::uint64_t, kBlockBytes>;

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ~std::uint64_t{0} : product;
}

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? ~std::uint64_t{0} : sum;
}

std::uint64_t blocks_of(std::uint64_t first_byte, std::uint64_t bytes) {
  return bytes == 0 ? 0 : (first_byte + bytes + kBlockBytes - 1) / kBlockBytes;
}

// Where 0, step, 2 step, ... begin.
Residues residues_of_steps(std::uint64_t step, std::uint64_t count) {
  Residues made{};
  const std::uint64_t period = kBlockBytes / std::gcd(step % kBlockBytes, kBlockBytes);
  for (std::uint64_t i = 0; i < period; ++i)
    made[i * step % kBlockBytes] += count / period + (i < count % period ? 1 : 0);
  return made;
}

Residues added(const Residues& a, const Residues& b) {
  Residues made{};
  for (std::uint64_t i = 0; i < kBlockBytes; ++i)
    for (std::uint64_t j = 0; a[i] != 0 && j < kBlockBytes; ++j) {
      std::uint64_t& sum = made[(i + j) % kBlockBytes];
      sum = saturating_sum(sum, saturating_product(a[i], b[j]));
    }
  return made;
}

// Where the rows of a transfer begin, over all rounds.
Residues row_starts(const FlowValue& address, const RegisterState& state, std::uint64_t row_step,
                    std::uint64_t rows) {
  Residues starts{};
  starts[address.base % kBlockBytes] = 1;
  for (std::size_t i = 0; i < state.loops.size(); ++i) {
    const std::uint64_t step = static_cast<std::uint32_t>(address.steps[i]) % kBlockBytes;
    if (step != 0) {
      starts = added(starts, residues_of_steps(step, state.rounds_of(i)));
      continue;
    }
    for (std::uint64_t& count : starts) count = saturating_product(count, state.rounds_of(i));
  }
  return added(starts, residues_of_steps(row_step, rows));
}

Accesses accesses(const Transfer& transfer, std::uint64_t element_blocks, std::uint64_t rows) {
  const std::uint64_t all = saturating_sum(element_blocks, transfer.scale_bytes == 0 ? 0 : rows);
  return {all, transfer.stores ? all : 0};
}

}  // namespace

Transfer transfer_of(std::uint32_t word, const Machine& machine) {
  const bool kv = bits_of(Field::kFunct1).of(word) != 0;
  const bool matrix = opcode_of_word(word) == opcode("H_PREFETCH_M");
  const boards::SettingsPrecision& formats = machine.formats;
  const boards::NumberFormat& format = matrix ? (kv ? formats.matrix_kv : formats.matrix_weights)
                                              : (kv ? formats.vector_kv : formats.vector_activations);
  Transfer made;
  made.stores = opcode_of_word(word) == opcode("H_STORE_V");
  made.rows = matrix        ? machine.matrix_prefetch_rows
              : made.stores ? machine.vector_writeback_rows
                            : machine.vector_prefetch_rows;
  made.row_elements = matrix ? machine.mlen : machine.vlen;
  made.row_bytes = (made.row_elements * format.element.bits() + 7) / 8;
  if (format.in_blocks()) made.scale_bytes = (made.row_elements / format.block * format.scale.bits() + 7) / 8;
  made.strided = bits_of(Field::kRs3).of(word) == 1;
  return made;
}

Accesses aligned_accesses(const Transfer& transfer) {
  return accesses(transfer, transfer.rows * blocks_of(0, transfer.row_bytes), transfer.rows);
}

TransferAccesses accesses_in_all_rounds(const Transfer& transfer, std::uint32_t word,
                                        const RegisterState& state, std::uint64_t rounds) {
  const FlowValue address =
      state.address_low(bits_of(Field::kRs2).of(word)) + state.gp(bits_of(Field::kRs1).of(word));
  const std::uint64_t rows = saturating_product(transfer.rows, rounds);
  const std::uint64_t aligned_blocks = blocks_of(0, transfer.row_bytes);
  TransferAccesses made;
  made.proven = address.every_round() && (!transfer.strided || state.stride().is_constant());
  if (!made.proven) {
    made.total = accesses(transfer, saturating_product(rows, aligned_blocks), rows);
    return made;
  }
  const std::uint64_t row_step = transfer.strided ? state.stride().base : transfer.row_elements;
  const Residues starts = row_starts(address, state, row_step, transfer.rows);
  std::uint64_t blocks = 0;
  for (std::uint64_t first = 0; first < kBlockBytes; ++first) {
    const std::uint64_t touched = blocks_of(first, transfer.row_bytes);
    blocks = saturating_sum(blocks, saturating_product(starts[first], touched));
    if (touched > aligned_blocks) made.crossing_rows = saturating_sum(made.crossing_rows, starts[first]);
  }
  made.total = accesses(transfer, blocks, rows);
  return made;
}

}  // namespace accelscope::isa
