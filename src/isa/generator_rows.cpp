// Programs that work on rows: sums, norms, softmax, rotary positions.
#include "isa/generator_families.h"

namespace accelscope::isa {
namespace {

using base::ParameterValues;
using base::Result;
using namespace registers;  // NOLINT(google-build-using-namespace): names of the parts' own header

constexpr auto kRowParameters = std::to_array<base::Parameter>({kRows, kHidden, kMlen, kBlen});

// A layout for tensors of [rows, hidden], checked after they were placed.
struct RowShape {
  Layout layout;
  std::uint32_t rows = 0;
  std::uint32_t hidden = 0;
};

Result<RowShape> row_shape(const ParameterValues& parameters) {
  RowShape shape{layout_of(parameters), parameters.small("rows"), parameters.small("hidden")};
  ACCELSCOPE_CHECK(shape.layout.check());
  ACCELSCOPE_CHECK(shape.layout.check_side("hidden", shape.hidden));
  if (shape.rows % shape.layout.blen != 0)
    return base::fail(base::ErrorCode::kUsage, "rows ({}) must be a multiple of blen ({})", shape.rows,
                      shape.layout.blen);
  constexpr std::uint64_t kMostElements = std::uint64_t{1} << 28U;
  if (std::uint64_t{shape.rows} * shape.hidden > kMostElements)
    return base::fail(base::ErrorCode::kTooLarge, "{} x {} elements are more than {}", shape.rows,
                      shape.hidden, kMostElements);
  return shape;
}

Result<std::string> make_add(const ParameterValues& parameters) {
  ACCELSCOPE_TRY(RowShape shape, row_shape(parameters));
  Layout& layout = shape.layout;
  const ExternalTensor x = layout.external(shape.rows, shape.hidden);
  const ExternalTensor y = layout.external(shape.rows, shape.hidden);
  const ExternalTensor z = layout.external(shape.rows, shape.hidden);
  const std::uint32_t first = layout.vector(shape.rows, shape.hidden);
  const std::uint32_t second = layout.vector(shape.rows, shape.hidden);
  ProgramBuilder build;
  build.section("inputs");
  fetch(build, layout, x, first, "X");
  fetch(build, layout, y, second, "Y");
  build.section("sum");
  build.tensor("Z");
  const std::uint32_t pieces = shape.rows * (shape.hidden / layout.mlen);
  for_each_row(build, layout, {.rows = pieces, .first = first, .second = second},
               [&] { build.line("V_ADD_VV gp{0}, gp{0}, gp{1}", kInputRow, kOutputRow); });
  build.section("output");
  store(build, layout, z, first, "Z");
  return build.take();
}

Result<std::string> make_rms_norm(const ParameterValues& parameters) {
  ACCELSCOPE_TRY(RowShape shape, row_shape(parameters));
  Layout& layout = shape.layout;
  const ExternalTensor x = layout.external(shape.rows, shape.hidden);
  const ExternalTensor y = layout.external(shape.rows, shape.hidden);
  const std::uint32_t at = layout.vector(shape.rows, shape.hidden);
  const std::uint32_t square = layout.vector(1, layout.mlen);
  ProgramBuilder build;
  build.section("input");
  fetch(build, layout, x, at, "X");
  build.section("norm");
  build.tensor("Y");
  build.line("S_LD_FP f2, gp0, {}", scalars::kPerColumn);
  build.line("S_LD_FP f3, gp0, {}", scalars::kEpsilon);
  build.set(kMatrixCursor, square);
  for_each_row(build, layout, {.rows = shape.rows, .first = at, .second = at}, [&] {
    build.line("S_ADD_FP f1, f0, f0");
    for_each_piece(build, layout, shape.rows, shape.hidden, [&] {
      build.line("V_MUL_VV gp{0}, gp{1}, gp{1}", kMatrixCursor, kInputCursor);
      build.line("V_RED_SUM f1, gp{}", kMatrixCursor);
    });
    build.line("S_MUL_FP f1, f1, f2");
    build.line("S_ADD_FP f1, f1, f3");
    build.line("S_SQRT_FP f1, f1");
    build.line("S_RECI_FP f1, f1");
    for_each_piece(build, layout, shape.rows, shape.hidden,
                   [&] { build.line("V_MUL_VF gp{0}, gp{0}, f1", kInputCursor); });
  });
  build.section("output");
  store(build, layout, y, at, "Y");
  return build.take();
}

Result<std::string> make_softmax(const ParameterValues& parameters) {
  ACCELSCOPE_TRY(RowShape shape, row_shape(parameters));
  Layout& layout = shape.layout;
  const ExternalTensor x = layout.external(shape.rows, shape.hidden);
  const ExternalTensor y = layout.external(shape.rows, shape.hidden);
  const std::uint32_t at = layout.vector(shape.rows, shape.hidden);
  ProgramBuilder build;
  build.section("input");
  fetch(build, layout, x, at, "X");
  build.section("softmax");
  build.tensor("Y");
  softmax_rows(build, layout, shape.rows, shape.hidden, at);
  build.section("output");
  store(build, layout, y, at, "Y");
  return build.take();
}

// Y = X cos + X' sin, where X' is X with its halves turned.
Result<std::string> make_rope(const ParameterValues& parameters) {
  ACCELSCOPE_TRY(RowShape shape, row_shape(parameters));
  Layout& layout = shape.layout;
  const auto external = [&] { return layout.external(shape.rows, shape.hidden); };
  const auto vector = [&] { return layout.vector(shape.rows, shape.hidden); };
  const std::uint32_t pieces = shape.rows * (shape.hidden / layout.mlen);
  const std::uint32_t x = vector();
  const std::uint32_t turned = vector();
  const std::uint32_t cosine = vector();
  const std::uint32_t sine = vector();
  ProgramBuilder build;
  build.section("inputs");
  fetch(build, layout, external(), x, "X");
  fetch(build, layout, external(), turned, "X turned");
  fetch(build, layout, external(), cosine, "cos");
  fetch(build, layout, external(), sine, "sin");
  build.section("rotate");
  build.tensor("Y");
  build.set(kMatrixCursor, turned);
  build.set(kInputCursor, sine);
  for_each_row(build, layout, {.rows = pieces, .first = x, .second = cosine}, [&] {
    build.line("V_MUL_VV gp{0}, gp{0}, gp{1}", kInputRow, kOutputRow);
    build.line("V_MUL_VV gp{0}, gp{0}, gp{1}", kMatrixCursor, kInputCursor);
    build.line("V_ADD_VV gp{0}, gp{0}, gp{1}", kInputRow, kMatrixCursor);
    build.add(kMatrixCursor, kMatrixCursor, layout.mlen);
    build.add(kInputCursor, kInputCursor, layout.mlen);
  });
  build.section("output");
  store(build, layout, external(), x, "Y");
  return build.take();
}

}  // namespace

void softmax_rows(ProgramBuilder& build, const Layout& layout, std::uint32_t rows, std::uint32_t columns,
                  std::uint32_t at) {
  for_each_row(build, layout, {.rows = rows, .first = at, .second = at}, [&] {
    build.line("S_LD_FP f1, gp0, {}", scalars::kLowest);
    for_each_piece(build, layout, rows, columns, [&] { build.line("V_RED_MAX f1, gp{}, 0", kInputCursor); });
    build.line("S_ADD_FP f2, f0, f0");
    for_each_piece(build, layout, rows, columns, [&] {
      build.line("V_SUB_VF gp{0}, gp{0}, f1, 0, 0", kInputCursor);
      build.line("V_EXP_V gp{0}, gp{0}, 0", kInputCursor);
      build.line("V_RED_SUM f2, gp{}", kInputCursor);
    });
    build.line("S_RECI_FP f2, f2");
    for_each_piece(build, layout, rows, columns,
                   [&] { build.line("V_MUL_VF gp{0}, gp{0}, f2", kInputCursor); });
  });
}

ProgramGenerator add_generator() {
  return {"add", "Z = X + Y, element by element", kRowParameters, make_add};
}

ProgramGenerator rms_norm_generator() {
  return {"rms_norm", "each row divided by the root of its mean square", kRowParameters, make_rms_norm};
}

ProgramGenerator rope_generator() {
  return {"rope", "rotary positions: Y = X cos + X' sin", kRowParameters, make_rope};
}

ProgramGenerator softmax_generator() {
  return {"softmax", "softmax of each row", kRowParameters, make_softmax};
}

}  // namespace accelscope::isa
