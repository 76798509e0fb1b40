// What instructions cost, in cycles: the numbers that a board or a settings file gives, and the two rules by
// which they become the cost of an instruction.
//
// Plain data and pure functions, safe from any thread.
//
//   Latencies latencies;            // the shipped settings: one cycle for most things
//   latencies.mlen = 16;
//   cycles_of(word, latencies, CycleModel::kEmulator)
#pragma once

#include <cstdint>

#include "isa/instruction.h"

namespace accelscope::isa {

struct Latencies {
  std::uint64_t mlen = 64;  // side of a tile of matrices
  std::uint64_t vlen = 64;  // elements of a row of vectors
  std::uint64_t systolic_overhead = 0;
  std::uint64_t vector_add = 1;
  std::uint64_t vector_multiply = 1;
  std::uint64_t vector_exponential = 1;
  std::uint64_t vector_reciprocal = 2;
  std::uint64_t vector_maximum = 4;
  std::uint64_t vector_sum = 8;
  std::uint64_t float_basic = 1;
  std::uint64_t float_exponential = 1;
  std::uint64_t float_reciprocal = 1;
  std::uint64_t float_square_root = 1;
  std::uint64_t integer_basic = 1;
  // Transfers, where a board says what they cost; 0: not charged.
  std::uint64_t prefetch_matrix = 0;
  std::uint64_t prefetch_vector = 0;
  std::uint64_t store_vector = 0;

  bool operator==(const Latencies&) const = default;
};

enum class CycleModel : std::uint8_t {
  kEmulator,  // what the emulator charges
  kReference  // what the reference's static profiler says, which differs for some instructions
};

// What a word costs besides its opcode depends on few of its bits. Words of one opcode with the same variant
// cost the same.
enum class CostVariant : std::uint8_t {
  kPlain,
  kIntoZero,    // writes f0, which the emulator skips
  kManyExperts  // V_TOPK of 128
};
inline constexpr std::size_t kCostVariants = 3;

CostVariant cost_variant_of(std::uint32_t word);

// 0 for an opcode of no instruction.
std::uint64_t cycles_of(std::uint32_t opcode, CostVariant variant, const Latencies& latencies,
                        CycleModel model);
inline std::uint64_t cycles_of(std::uint32_t word, const Latencies& latencies, CycleModel model) {
  return cycles_of(opcode_of_word(word), cost_variant_of(word), latencies, model);
}

}  // namespace accelscope::isa
