// Programs that work on rows: sums, norms, softmax, rotary positions.
#include <functional>
#include <utility>

#include "isa/generator_families.h"
#include "isa/generator_row_parts.h"

namespace accelscope::isa {
namespace {

using base::ParameterValues;
using base::Result;

constexpr auto kRowParameters = std::to_array<base::Parameter>({kRows, kHiddenColumns, kMlen, kBlen});
constexpr std::array<std::string_view, 2> kRowShape{"rows", "hidden"};

// A layout for tensors of [rows, hidden], checked before they are placed.
struct RowShape {
  Layout layout;
  std::uint32_t rows = 0;
  std::uint32_t hidden = 0;

  std::uint32_t pieces() const { return rows * (hidden / layout.mlen); }
  Wanted input(std::string_view name, TensorContent content = TensorContent::kValues) const {
    return {.name = name, .rows = rows, .columns = hidden, .content = content};
  }
  Wanted output(std::string_view name) const {
    return {.name = name, .rows = rows, .columns = hidden, .role = TensorRole::kOutput};
  }
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
  ACCELSCOPE_CHECK(check_loop(shape.pieces()));
  return shape;
}

Result<GeneratedProgram> make_add(const ParameterValues& parameters) {
  ACCELSCOPE_TRY(RowShape shape, row_shape(parameters));
  Layout& layout = shape.layout;
  const ExternalTensor x = layout.external(shape.input("X"));
  const ExternalTensor y = layout.external(shape.input("Y"));
  const ExternalTensor z = layout.external(shape.output("Z"));
  const std::uint32_t first = layout.vector(shape.output("Z"));
  const std::uint32_t second = layout.vector(working(shape.input("Y")));
  ProgramBuilder build;
  build.section("inputs");
  fetch(build, layout, x, first, "X");
  fetch(build, layout, y, second, "Y");
  build.section("sum");
  build.tensor("Z");
  add_pieces(build, layout, shape.pieces(), first, second);
  build.section("output");
  store(build, layout, z, first, "Z");
  return finish(build, std::move(layout));
}

// Y from X where it lies: what `work` adds to the program.
Result<GeneratedProgram> in_place(
    RowShape shape, std::string_view section, std::vector<ProgramScalar> needed,
    const std::function<void(ProgramBuilder& build, Layout& layout, std::uint32_t at)>& work) {
  Layout& layout = shape.layout;
  const ExternalTensor x = layout.external(shape.input("X"));
  const ExternalTensor y = layout.external(shape.output("Y"));
  const std::uint32_t at = layout.vector(shape.output("Y"));
  ProgramBuilder build;
  build.section("input");
  fetch(build, layout, x, at, "X");
  build.section(section);
  build.tensor("Y");
  work(build, layout, at);
  build.section("output");
  store(build, layout, y, at, "Y");
  return finish(build, std::move(layout), std::move(needed));
}

Result<GeneratedProgram> make_norm(const ParameterValues& parameters, bool centred) {
  ACCELSCOPE_TRY(const RowShape shape, row_shape(parameters));
  return in_place(
      shape, "norm", {scalars::per_column(shape.hidden), scalars::epsilon()},
      [&](ProgramBuilder& build, Layout& layout, std::uint32_t at) {
        const std::uint32_t square = layout.vector(
            {.name = "squares of a row", .rows = 1, .columns = layout.mlen, .role = TensorRole::kWork});
        norm_rows(build, layout,
                  {.rows = shape.rows,
                   .columns = shape.hidden,
                   .input = at,
                   .output = at,
                   .work = square,
                   .centred = centred});
      });
}

Result<GeneratedProgram> make_rms_norm(const ParameterValues& parameters) {
  return make_norm(parameters, false);
}

Result<GeneratedProgram> make_layer_norm(const ParameterValues& parameters) {
  return make_norm(parameters, true);
}

Result<GeneratedProgram> make_softmax(const ParameterValues& parameters) {
  ACCELSCOPE_TRY(const RowShape shape, row_shape(parameters));
  return in_place(shape, "softmax", {scalars::lowest()},
                  [&](ProgramBuilder& build, Layout& layout, std::uint32_t at) {
                    softmax_rows(build, layout, shape.rows, shape.hidden, at);
                  });
}

// Y = X cos + X' sin, where X' is X with its halves turned.
Result<GeneratedProgram> make_rope(const ParameterValues& parameters) {
  ACCELSCOPE_TRY(RowShape shape, row_shape(parameters));
  Layout& layout = shape.layout;
  const Wanted turned = shape.input("X turned", TensorContent::kTurned);
  const Wanted cosine = shape.input("cos", TensorContent::kCosine);
  const Wanted sine = shape.input("sin", TensorContent::kSine);
  const Rotation at{.x = layout.vector(shape.output("Y")),
                    .turned = layout.vector(working(turned)),
                    .cosine = layout.vector(working(cosine)),
                    .sine = layout.vector(working(sine))};
  ProgramBuilder build;
  build.section("inputs");
  fetch(build, layout, layout.external(shape.input("X")), at.x, "X");
  fetch(build, layout, layout.external(turned), at.turned, "X turned");
  fetch(build, layout, layout.external(cosine), at.cosine, "cos");
  fetch(build, layout, layout.external(sine), at.sine, "sin");
  build.section("rotate");
  build.tensor("Y");
  rotate_pieces(build, layout, shape.pieces(), at);
  build.section("output");
  store(build, layout, layout.external(shape.output("Y")), at.x, "Y");
  return finish(build, std::move(layout));
}

}  // namespace

ProgramGenerator add_generator() {
  return {"add", "Z = X + Y, element by element", kRowParameters, kRowShape, make_add};
}

ProgramGenerator layer_norm_generator() {
  return {"layer_norm", "each row less its mean, divided by the root of its variance", kRowParameters,
          kRowShape, make_layer_norm};
}

ProgramGenerator rms_norm_generator() {
  return {"rms_norm", "each row divided by the root of its mean square", kRowParameters, kRowShape,
          make_rms_norm};
}

ProgramGenerator rope_generator() {
  return {"rope", "rotary positions: Y = X cos + X' sin", kRowParameters, kRowShape, make_rope};
}

ProgramGenerator softmax_generator() {
  return {"softmax", "softmax of each row", kRowParameters, kRowShape, make_softmax};
}

}  // namespace accelscope::isa
