// The program of a linear layer, Y = X W, as the reference's compiler lays it out: activations prefetched
// once, then for each tile of columns and each block of rows the weights' tiles, and three loops of products.
//
// External memory holds X and its scales, then W and its scales, elements of 8 bits in blocks of 8. In the
// vector memory X begins at 0 and Y behind it, both in columns of tiles. Pure functions, safe from any
// thread.
//
//   ACCELSCOPE_TRY(const GeneratedProgram made, linear_program({.mlen = 16, .blen = 4, .rows = 128,
//                                                               .in = 16, .out = 32}));
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "isa/generated_program.h"

namespace accelscope::isa {

struct LinearShape {
  std::uint32_t mlen = 64;  // side of a tile, and length of a row of vectors
  std::uint32_t blen = 4;   // rows and columns of one product; rows of a prefetch of vectors
  std::uint32_t rows = 64;
  std::uint32_t in = 64;
  std::uint32_t out = 128;
};

// Fails where the shape does not divide into tiles and blocks, or needs addresses beyond 32 bits.
base::Result<GeneratedProgram> linear_program(const LinearShape& shape);
// Only its listing.
base::Result<std::string> linear_listing(const LinearShape& shape);

}  // namespace accelscope::isa
