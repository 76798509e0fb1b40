// The generators of generators.h, each with its parameters. For generators.cpp only.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "isa/generator_parts.h"
#include "isa/generators.h"

namespace accelscope::isa {

ProgramGenerator add_generator();
ProgramGenerator attention_generator();
ProgramGenerator decoder_layer_generator();
ProgramGenerator ffn_generator();
ProgramGenerator layer_norm_generator();
ProgramGenerator linear_generator();
ProgramGenerator rms_norm_generator();
ProgramGenerator rope_generator();
ProgramGenerator softmax_generator();

// What all of them have.
inline constexpr std::uint64_t kLargestSide = 1U << 20U;
inline constexpr base::Parameter kMlen{"mlen", "side of a tile, length of a row of vectors", 64, 8, 4096};
inline constexpr base::Parameter kBlen{"blen", "rows and columns of one product, rows of a transfer", 4, 1,
                                       4096};
inline constexpr base::Parameter kRows{"rows", "of the input", 64, 1, kLargestSide};
inline constexpr base::Parameter kHiddenColumns{"hidden", "columns of the input", 64, 1, kLargestSide};

inline constexpr std::uint64_t kLargestDim = 1U << 16U;  // of a head
inline constexpr std::uint64_t kMostHeads = 1U << 12U;

inline Layout layout_of(const base::ParameterValues& parameters) {
  return {.mlen = parameters.small("mlen"), .blen = parameters.small("blen")};
}

// Fails where heads do not divide into groups.
inline base::Status check_heads(std::uint32_t heads, std::uint32_t kv_heads) {
  if (heads % kv_heads == 0) return {};
  return base::fail(base::ErrorCode::kUsage, "heads ({}) must be a multiple of kv_heads ({})", heads,
                    kv_heads);
}

// Weights of a layer: never written, and streamed where they do not fit.
inline Wanted weights(std::string_view name, std::uint32_t rows, std::uint32_t columns) {
  return {.name = name,
          .rows = rows,
          .columns = columns,
          .content = TensorContent::kWeights,
          .kind = boards::RegionKind::kWeight};
}

// Where the scalar memory holds what programs need.
namespace scalars {
inline constexpr unsigned kOne = 1;
inline constexpr unsigned kLowest = 2;     // what maxima start from
inline constexpr unsigned kPerColumn = 3;  // 1 / columns
inline constexpr unsigned kEpsilon = 4;
inline constexpr unsigned kScoreScale = 5;  // 1 / sqrt(dim)

inline ProgramScalar one() {
  return {kOne, 1, ScalarMeaning::kOne};
}
// The lowest that a file of float16 can hold.
inline ProgramScalar lowest() {
  return {kLowest, -65504, ScalarMeaning::kLowest};
}
inline ProgramScalar per_column(std::uint32_t columns) {
  return {kPerColumn, 1.0 / columns, ScalarMeaning::kPerColumn};
}
inline ProgramScalar epsilon() {
  return {kEpsilon, 1e-5, ScalarMeaning::kEpsilon};
}
inline ProgramScalar score_scale(std::uint32_t dim) {
  return {kScoreScale, 1 / std::sqrt(static_cast<double>(dim)), ScalarMeaning::kScoreScale};
}
}  // namespace scalars

}  // namespace accelscope::isa
