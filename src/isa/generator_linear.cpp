#include "isa/generator_linear.h"

#include <limits>
#include <utility>

#include "isa/generator_parts.h"
#include "isa/instruction.h"

namespace accelscope::isa {
namespace {

using base::ErrorCode;
using base::Status;
using namespace registers;  // NOLINT(google-build-using-namespace): names of the parts' own header

constexpr std::uint32_t kLargestLoop = bits_of(Field::kImmediate22).largest();
constexpr std::uint32_t kElementsPerScale = Layout::kElementsPerScale;

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
  ACCELSCOPE_CHECK(check_tiles(blocks));
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

}  // namespace

base::Result<GeneratedProgram> linear_program(const LinearShape& shape) {
  ACCELSCOPE_CHECK(check(shape));
  Layout layout{.mlen = shape.mlen, .blen = shape.blen};
  const Wanted x{.name = "X", .rows = shape.rows, .columns = shape.in};
  const Wanted y{.name = "Y", .rows = shape.rows, .columns = shape.out, .role = TensorRole::kOutput};
  layout.external_next(x);
  const ExternalTensor weights = layout.external_next({.name = "W",
                                                       .rows = shape.in,
                                                       .columns = shape.out,
                                                       .content = TensorContent::kWeights,
                                                       .kind = boards::RegionKind::kWeight});
  const std::uint32_t input = layout.vector(working(x));
  const std::uint32_t output = layout.vector(y);
  ProgramBuilder build;
  prefetch_activations(build, shape);
  multiply(build, layout,
           {.rows = shape.rows,
            .in = shape.in,
            .out = shape.out,
            .input = input,
            .output = output,
            .weights = weights});
  return finish(build, std::move(layout));
}

base::Result<std::string> linear_listing(const LinearShape& shape) {
  ACCELSCOPE_TRY(GeneratedProgram made, linear_program(shape));
  return std::move(made.listing);
}

}  // namespace accelscope::isa
