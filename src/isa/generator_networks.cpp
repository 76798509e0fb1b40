// Programs of whole layers: a feed-forward network, and attention of one head.
#include "isa/generator_families.h"
#include "isa/generator_linear.h"

namespace accelscope::isa {
namespace {

using base::ParameterValues;
using base::Result;
using base::Status;
using namespace registers;  // NOLINT(google-build-using-namespace): names of the parts' own header

constexpr auto kLinearParameters =
    std::to_array<base::Parameter>({kRows,
                                    {"in", "columns of the input", 64, 1, kLargestSide},
                                    {"out", "columns of the output", 128, 1, kLargestSide},
                                    kMlen,
                                    kBlen});
constexpr auto kFfnParameters = std::to_array<base::Parameter>(
    {kRows, kHidden, {"inter", "columns between the two layers", 128, 1, kLargestSide}, kMlen, kBlen});
constexpr auto kAttentionParameters =
    std::to_array<base::Parameter>({{"seq", "tokens, of queries and of keys", 64, 1, kLargestSide},
                                    {"dim", "columns of a head", 64, 1, kLargestSide},
                                    kMlen,
                                    kBlen});

std::uint64_t tiles(const Layout& layout, std::uint32_t rows, std::uint32_t in, std::uint32_t out) {
  return std::uint64_t{rows / layout.mlen} * (in / layout.mlen) * (out / layout.mlen);
}

Result<std::string> make_linear(const ParameterValues& parameters) {
  return linear_listing({.mlen = parameters.small("mlen"),
                         .blen = parameters.small("blen"),
                         .rows = parameters.small("rows"),
                         .in = parameters.small("in"),
                         .out = parameters.small("out")});
}

// gate = silu(gate) * up = up * gate / (1 + exp(-gate)), with a row to work in.
void gate_rows(ProgramBuilder& build, const Layout& layout, std::uint32_t pieces, std::uint32_t gate,
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

Result<std::string> make_ffn(const ParameterValues& parameters) {
  Layout layout = layout_of(parameters);
  const std::uint32_t rows = parameters.small("rows");
  const std::uint32_t hidden = parameters.small("hidden");
  const std::uint32_t inter = parameters.small("inter");
  ACCELSCOPE_CHECK(layout.check_side("rows", rows));
  ACCELSCOPE_CHECK(layout.check_side("hidden", hidden));
  ACCELSCOPE_CHECK(layout.check_side("inter", inter));
  const ExternalTensor x = layout.external(rows, hidden);
  const ExternalTensor gate_weights = layout.external(hidden, inter);
  const ExternalTensor up_weights = layout.external(hidden, inter);
  const ExternalTensor down_weights = layout.external(inter, hidden);
  const ExternalTensor y = layout.external(rows, hidden);
  const std::uint32_t input = layout.vector(rows, hidden);
  const std::uint32_t gate = layout.vector(rows, inter);
  const std::uint32_t up = layout.vector(rows, inter);
  const std::uint32_t output = layout.vector(rows, hidden);
  const std::uint32_t work = layout.vector(1, layout.mlen);
  ACCELSCOPE_CHECK(layout.check());
  ACCELSCOPE_CHECK(check_tiles(3 * tiles(layout, rows, hidden, inter)));
  ProgramBuilder build;
  build.section("input");
  fetch(build, layout, x, input, "X");
  multiply(build, layout,
           {.rows = rows,
            .in = hidden,
            .out = inter,
            .input = input,
            .output = gate,
            .weights = gate_weights,
            .section = "gate",
            .weights_name = "W gate",
            .output_name = "gate"});
  multiply(build, layout,
           {.rows = rows,
            .in = hidden,
            .out = inter,
            .input = input,
            .output = up,
            .weights = up_weights,
            .section = "up",
            .weights_name = "W up",
            .output_name = "up"});
  build.section("activation");
  build.tensor("gate");
  gate_rows(build, layout, rows * (inter / layout.mlen), gate, up, work);
  multiply(build, layout,
           {.rows = rows,
            .in = inter,
            .out = hidden,
            .input = gate,
            .output = output,
            .weights = down_weights,
            .section = "down",
            .weights_name = "W down",
            .output_name = "Y"});
  build.section("output");
  store(build, layout, y, output, "Y");
  return build.take();
}

// O = softmax(Q K^T / sqrt(dim)) V.
Result<std::string> make_attention(const ParameterValues& parameters) {
  Layout layout = layout_of(parameters);
  const std::uint32_t seq = parameters.small("seq");
  const std::uint32_t dim = parameters.small("dim");
  ACCELSCOPE_CHECK(layout.check_side("seq", seq));
  ACCELSCOPE_CHECK(layout.check_side("dim", dim));
  const ExternalTensor q = layout.external(seq, dim);
  const ExternalTensor k = layout.external(seq, dim);
  const ExternalTensor v = layout.external(seq, dim);
  const ExternalTensor o = layout.external(seq, dim);
  const std::uint32_t queries = layout.vector(seq, dim);
  const std::uint32_t scores = layout.vector(seq, seq);
  const std::uint32_t output = layout.vector(seq, dim);
  ACCELSCOPE_CHECK(layout.check());
  ACCELSCOPE_CHECK(check_tiles(2 * tiles(layout, seq, dim, seq)));
  ProgramBuilder build;
  build.section("queries");
  fetch(build, layout, q, queries, "Q");
  build.section("scale");
  build.line("S_LD_FP f1, gp0, {}", scalars::kScoreScale);
  for_each_row(build, layout, {.rows = seq * (dim / layout.mlen), .first = queries, .second = queries},
               [&] { build.line("V_MUL_VF gp{0}, gp{0}, f1", kInputRow); });
  multiply(build, layout,
           {.rows = seq,
            .in = dim,
            .out = seq,
            .input = queries,
            .output = scores,
            .weights = k,
            .transposed = true,
            .kv = true,
            .section = "scores",
            .weights_name = "K",
            .output_name = "S"});
  build.section("softmax");
  build.tensor("S");
  softmax_rows(build, layout, seq, seq, scores);
  multiply(build, layout,
           {.rows = seq,
            .in = seq,
            .out = dim,
            .input = scores,
            .output = output,
            .weights = v,
            .kv = true,
            .section = "values",
            .weights_name = "V",
            .output_name = "O"});
  build.section("output");
  store(build, layout, o, output, "O");
  return build.take();
}

}  // namespace

ProgramGenerator linear_generator() {
  return {"linear", "Y = X W, as the reference's compiler lays it out; Y stays on the chip",
          kLinearParameters, make_linear};
}

ProgramGenerator ffn_generator() {
  return {"ffn", "a gated feed-forward network: Y = (silu(X Wg) * (X Wu)) Wd", kFfnParameters, make_ffn};
}

ProgramGenerator attention_generator() {
  return {"attention", "one head: O = softmax(Q K^T / sqrt(dim)) V", kAttentionParameters, make_attention};
}

}  // namespace accelscope::isa
