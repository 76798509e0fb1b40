#include "isa/generator_row_parts.h"

#include "isa/generator_families.h"

namespace accelscope::isa {
namespace {

using namespace registers;  // NOLINT(google-build-using-namespace): names of the parts' own header

void centre_row(ProgramBuilder& build, const Layout& layout, const RowNorm& norm) {
  build.line("S_ADD_FP f1, f0, f0");
  for_each_piece(build, layout, norm.rows, norm.columns,
                 [&] { build.line("V_RED_SUM f1, gp{}", kInputCursor); });
  build.line("S_MUL_FP f1, f1, f2");
  for_each_piece(build, layout, norm.rows, norm.columns,
                 [&] { build.line("V_SUB_VF gp{0}, gp{0}, f1, 0, 0", kInputCursor); });
}

// The input's pieces times f1 to the output, and times the weights where there are any.
void scale_row(ProgramBuilder& build, const Layout& layout, const RowNorm& norm) {
  if (norm.input == norm.output && !norm.weights) {
    for_each_piece(build, layout, norm.rows, norm.columns,
                   [&] { build.line("V_MUL_VF gp{0}, gp{0}, f1", kInputCursor); });
    return;
  }
  const unsigned output = norm.input == norm.output ? kInputCursor : kOutputColumn;
  if (output == kOutputColumn) build.add(kOutputColumn, kOutputRow, 0);
  if (norm.weights) build.set(kMatrixColumn, *norm.weights);
  for_each_piece(build, layout, norm.rows, norm.columns, [&] {
    build.line("V_MUL_VF gp{}, gp{}, f1", output, kInputCursor);
    if (norm.weights) {
      build.line("V_MUL_VV gp{0}, gp{0}, gp{1}", output, kMatrixColumn);
      build.add(kMatrixColumn, kMatrixColumn, layout.blen * layout.mlen);
    }
    if (output == kOutputColumn) build.add(kOutputColumn, kOutputColumn, norm.rows * layout.mlen);
  });
}

}  // namespace

void norm_rows(ProgramBuilder& build, const Layout& layout, const RowNorm& norm) {
  build.line("S_LD_FP f2, gp0, {}", scalars::kPerColumn);
  build.line("S_LD_FP f3, gp0, {}", scalars::kEpsilon);
  build.set(kMatrixCursor, norm.work);
  for_each_row(build, layout, {.rows = norm.rows, .first = norm.input, .second = norm.output}, [&] {
    if (norm.centred) centre_row(build, layout, norm);
    build.line("S_ADD_FP f1, f0, f0");
    for_each_piece(build, layout, norm.rows, norm.columns, [&] {
      build.line("V_MUL_VV gp{0}, gp{1}, gp{1}", kMatrixCursor, kInputCursor);
      build.line("V_RED_SUM f1, gp{}", kMatrixCursor);
    });
    build.line("S_MUL_FP f1, f1, f2");
    build.line("S_ADD_FP f1, f1, f3");
    build.line("S_SQRT_FP f1, f1");
    build.line("S_RECI_FP f1, f1");
    scale_row(build, layout, norm);
  });
}

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

void add_pieces(ProgramBuilder& build, const Layout& layout, std::uint32_t pieces, std::uint32_t first,
                std::uint32_t second) {
  for_each_row(build, layout, {.rows = pieces, .first = first, .second = second},
               [&] { build.line("V_ADD_VV gp{0}, gp{0}, gp{1}", kInputRow, kOutputRow); });
}

void scale_pieces(ProgramBuilder& build, const Layout& layout, std::uint32_t pieces, std::uint32_t at,
                  unsigned scalar) {
  build.line("S_LD_FP f1, gp0, {}", scalar);
  for_each_row(build, layout, {.rows = pieces, .first = at, .second = at},
               [&] { build.line("V_MUL_VF gp{0}, gp{0}, f1", kInputRow); });
}

void rotate_pieces(ProgramBuilder& build, const Layout& layout, std::uint32_t pieces,
                   const Rotation& rotation) {
  build.set(kMatrixCursor, rotation.turned);
  build.set(kInputCursor, rotation.sine);
  for_each_row(build, layout, {.rows = pieces, .first = rotation.x, .second = rotation.cosine}, [&] {
    build.line("V_MUL_VV gp{0}, gp{0}, gp{1}", kInputRow, kOutputRow);
    build.line("V_MUL_VV gp{0}, gp{0}, gp{1}", kMatrixCursor, kInputCursor);
    build.line("V_ADD_VV gp{0}, gp{0}, gp{1}", kInputRow, kMatrixCursor);
    build.add(kMatrixCursor, kMatrixCursor, layout.mlen);
    build.add(kInputCursor, kInputCursor, layout.mlen);
  });
}

void gate_pieces(ProgramBuilder& build, const Layout& layout, std::uint32_t pieces, std::uint32_t gate,
                 std::uint32_t up, std::uint32_t work) {
  build.line("S_LD_FP f1, gp0, {}", scalars::kOne);
  build.set(kMatrixCursor, work);
  for_each_row(build, layout, {.rows = pieces, .first = gate, .second = up}, [&] {
    build.line("V_SUB_VF gp{}, gp{}, f0, 0, 1", kMatrixCursor, kInputRow);
    build.line("V_EXP_V gp{0}, gp{0}, 0", kMatrixCursor);
    build.line("V_ADD_VF gp{0}, gp{0}, f1", kMatrixCursor);
    build.line("V_RECI_V gp{0}, gp{0}, 0", kMatrixCursor);
    build.line("V_MUL_VV gp{0}, gp{0}, gp{1}", kInputRow, kMatrixCursor);
    build.line("V_MUL_VV gp{0}, gp{0}, gp{1}", kInputRow, kOutputRow);
  });
}

}  // namespace accelscope::isa
