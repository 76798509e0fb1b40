#include "isa/generator_linear.h"

#include <limits>

#include "isa/instruction.h"
#include "isa/program_builder.h"

namespace accelscope::isa {
namespace {

using base::ErrorCode;
using base::Status;

constexpr std::uint32_t kLargestLoop = bits_of(Field::kImmediate22).largest();
constexpr std::uint32_t kElementsPerScale = 8;
// About 100 MB of text.
constexpr std::uint64_t kMostTiles = 100'000;

// The registers, by what is in them.
constexpr unsigned kValue = 1;         // for the special registers
constexpr unsigned kMatrixColumn = 2;  // column block of the tile
constexpr unsigned kOutputColumn = 3;  // where its results begin
constexpr unsigned kInputRow = 4;      // row block
constexpr unsigned kOutputRow = 5;     // where its results begin
constexpr unsigned kMatrixCursor = 6;
constexpr unsigned kInputCursor = 7;
constexpr unsigned kColumnLoop = 8;
constexpr unsigned kRowLoop = 9;
constexpr unsigned kInnerLoop = 10;
constexpr unsigned kTarget = 11;  // of a prefetch
constexpr unsigned kOffset = 12;
constexpr unsigned kOffsetCursor = 13;

Status check(const LinearShape& s) {
  if (s.mlen == 0 || s.blen == 0 || s.rows == 0 || s.in == 0 || s.out == 0)
    return base::fail(ErrorCode::kUsage, "no size of a linear layer may be 0");
  if (s.mlen % s.blen != 0 || s.mlen % kElementsPerScale != 0)
    return base::fail(ErrorCode::kUsage, "mlen ({}) must be a multiple of blen ({}) and of {}", s.mlen,
                      s.blen, kElementsPerScale);
  if (s.rows % s.mlen != 0 || s.in % s.mlen != 0 || s.out % s.mlen != 0)
    return base::fail(ErrorCode::kUsage, "rows ({}), in ({}) and out ({}) must be multiples of mlen ({})",
                      s.rows, s.in, s.out, s.mlen);
  const std::uint64_t rows = s.rows;
  const std::uint64_t in = s.in;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  // Each product by itself first, so that none of the sums can wrap.
  if (rows * in > kMost / 4 || in * s.out > kMost / 4 || rows * s.out > kMost / 4 || in * s.mlen > kMost / 4)
    return base::fail(ErrorCode::kTooLarge, "{} x {} by {} x {} needs addresses beyond 32 bits", rows, in, in,
                      s.out);
  const std::uint64_t blocks = (rows / s.mlen) * (s.out / s.mlen) * (in / s.mlen);
  if (blocks > kMostTiles)
    return base::fail(ErrorCode::kTooLarge, "{} products of tiles make too long a listing; at most {}",
                      blocks, kMostTiles);
  if (s.rows / s.blen > kLargestLoop)
    return base::fail(ErrorCode::kTooLarge, "{} blocks of rows are more than a loop can count",
                      s.rows / s.blen);
  return {};
}

void prefetch_activations(ProgramBuilder& build, const LinearShape& s) {
  build.section("activations");
  build.tensor("X");
  build.set(kValue, 0);
  build.line("C_SET_ADDR_REG a0, gp0, gp{}", kValue);
  for (const unsigned cursor : {kMatrixColumn, kOutputColumn, kInputRow, kOutputRow, kOffsetCursor})
    build.set(cursor, 0);
  build.set(kValue, s.rows * s.in);
  build.line("C_SET_SCALE_REG gp{}", kValue);
  build.set(kTarget, 0);
  build.set(kOffset, 0);
  build.set(kValue, s.in);
  build.line("C_SET_STRIDE_REG gp{}", kValue);
  build.loop(kColumnLoop, s.in / s.mlen, [&] {
    build.add(kOffsetCursor, kOffset, 0);
    build.loop(kRowLoop, s.rows / s.blen, [&] {
      build.line("H_PREFETCH_V gp{}, gp{}, a0, 1, 0", kTarget, kOffsetCursor);
      build.add(kTarget, kTarget, s.blen * s.mlen);
      build.add(kOffsetCursor, kOffsetCursor, s.blen * s.in);
    });
    build.add(kOffset, kOffset, s.mlen);
  });
}

void prefetch_weights(ProgramBuilder& build, const LinearShape& s, std::uint32_t column_tile) {
  build.tensor("W");
  const std::uint32_t x_bytes = s.rows * s.in;
  build.set(kValue, x_bytes + x_bytes / kElementsPerScale);
  build.line("C_SET_ADDR_REG a0, gp0, gp{}", kValue);
  build.set(kValue, s.in * s.out);
  build.line("C_SET_SCALE_REG gp{}", kValue);
  build.set(kValue, s.out);
  build.line("C_SET_STRIDE_REG gp{}", kValue);
  for (std::uint32_t k = 0; k < s.in / s.mlen; ++k) {
    build.set(kTarget, k * s.mlen * s.mlen);
    build.set(kOffset, k * s.mlen * s.out + column_tile * s.mlen);
    build.line("H_PREFETCH_M gp{}, gp{}, a0, 1, 0", kTarget, kOffset);
  }
}

void multiply(ProgramBuilder& build, const LinearShape& s, std::uint32_t column_tile,
              std::uint32_t row_tile) {
  const std::uint32_t block_step = s.blen * s.mlen;
  const std::uint32_t first_row = row_tile * s.mlen * s.mlen;
  build.tensor("Y");
  build.set(kMatrixColumn, 0);
  build.set(kOutputColumn, s.rows * s.in + column_tile * s.rows * s.mlen + first_row);
  build.loop(kColumnLoop, s.mlen / s.blen, [&] {
    build.set(kInputRow, first_row);
    build.add(kOutputRow, kOutputColumn, 0);
    build.loop(kRowLoop, s.mlen / s.blen, [&] {
      build.add(kMatrixCursor, kMatrixColumn, 0);
      build.add(kInputCursor, kInputRow, 0);
      build.loop(kInnerLoop, s.in / s.mlen, [&] {
        build.line("M_MM 0, gp{}, gp{}", kMatrixCursor, kInputCursor);
        build.add(kMatrixCursor, kMatrixCursor, s.mlen * s.mlen);
        build.add(kInputCursor, kInputCursor, s.rows * s.mlen);
      });
      build.line("M_MM_WO gp{}, gp0, 0", kOutputRow);
      build.add(kInputRow, kInputRow, block_step);
      build.add(kOutputRow, kOutputRow, block_step);
    });
    build.add(kMatrixColumn, kMatrixColumn, block_step);
    build.add(kOutputColumn, kOutputColumn, s.blen);
  });
}

}  // namespace

base::Result<std::string> linear_listing(const LinearShape& shape) {
  ACCELSCOPE_CHECK(check(shape));
  ProgramBuilder build;
  prefetch_activations(build, shape);
  for (std::uint32_t column = 0; column < shape.out / shape.mlen; ++column)
    for (std::uint32_t row = 0; row < shape.rows / shape.mlen; ++row) {
      build.section(fmt::format("columns {}, rows {}", column, row));
      prefetch_weights(build, shape, column);
      multiply(build, shape, column, row);
    }
  return build.take();
}

}  // namespace accelscope::isa
