// The generators of generators.h, each with its parameters. For generators.cpp only.
#pragma once

#include "isa/generator_parts.h"
#include "isa/generators.h"

namespace accelscope::isa {

ProgramGenerator add_generator();
ProgramGenerator attention_generator();
ProgramGenerator ffn_generator();
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
inline constexpr base::Parameter kHidden{"hidden", "columns of the input", 64, 1, kLargestSide};

inline Layout layout_of(const base::ParameterValues& parameters) {
  return {.mlen = parameters.small("mlen"), .blen = parameters.small("blen")};
}

// Where the scalar memory holds what programs need; whoever runs one puts it there.
namespace scalars {
inline constexpr unsigned kOne = 1;
inline constexpr unsigned kLowest = 2;     // the most negative number: what maxima start from
inline constexpr unsigned kPerColumn = 3;  // 1 / columns
inline constexpr unsigned kEpsilon = 4;
inline constexpr unsigned kScoreScale = 5;  // 1 / sqrt(dim)
}  // namespace scalars

// Each row divided by the sum of its exponentials, in place; the largest of a row is taken off first.
void softmax_rows(ProgramBuilder& build, const Layout& layout, std::uint32_t rows, std::uint32_t columns,
                  std::uint32_t at);

}  // namespace accelscope::isa
