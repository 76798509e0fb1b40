// Programs of parts of a layer: a linear one, a feed-forward network, attention.
#include <algorithm>
#include <utility>

#include "isa/generator_families.h"
#include "isa/generator_linear.h"
#include "isa/generator_network_parts.h"
#include "isa/generator_row_parts.h"

namespace accelscope::isa {
namespace {

using base::ParameterValues;
using base::Result;

constexpr auto kLinearParameters =
    std::to_array<base::Parameter>({kRows,
                                    {"in", "columns of the input", 64, 1, kLargestSide},
                                    {"out", "columns of the output", 128, 1, kLargestSide},
                                    kMlen,
                                    kBlen});
constexpr auto kFfnParameters = std::to_array<base::Parameter>(
    {kRows, kHiddenColumns, {"inter", "columns between the two layers", 128, 1, kLargestSide}, kMlen, kBlen});
constexpr auto kAttentionParameters =
    std::to_array<base::Parameter>({{"seq", "tokens, of queries and of keys", 64, 1, kLargestSide},
                                    {"dim", "columns of a head", 64, 1, kLargestDim},
                                    {"heads", "of queries", 1, 1, kMostHeads},
                                    {"kv_heads", "of keys and values", 1, 1, kMostHeads},
                                    {"causal", "1: no token sees a later one", 0, 0, 1},
                                    kMlen,
                                    kBlen});
constexpr std::array<std::string_view, 3> kLinearShape{"rows", "in", "out"};
constexpr std::array<std::string_view, 3> kFfnShape{"rows", "hidden", "inter"};
constexpr std::array<std::string_view, 2> kAttentionShape{"seq", "dim"};

std::uint64_t tiles(const Layout& layout, std::uint32_t rows, std::uint32_t in, std::uint32_t out) {
  return std::uint64_t{rows / layout.mlen} * (in / layout.mlen) * (out / layout.mlen);
}

Result<GeneratedProgram> make_linear(const ParameterValues& parameters) {
  return linear_program({.mlen = parameters.small("mlen"),
                         .blen = parameters.small("blen"),
                         .rows = parameters.small("rows"),
                         .in = parameters.small("in"),
                         .out = parameters.small("out")});
}

Result<GeneratedProgram> make_ffn(const ParameterValues& parameters) {
  Layout layout = layout_of(parameters);
  const std::uint32_t rows = parameters.small("rows");
  const std::uint32_t hidden = parameters.small("hidden");
  const std::uint32_t inter = parameters.small("inter");
  ACCELSCOPE_CHECK(layout.check_side("rows", rows));
  ACCELSCOPE_CHECK(layout.check_side("hidden", hidden));
  ACCELSCOPE_CHECK(layout.check_side("inter", inter));
  const Wanted input{.name = "X", .rows = rows, .columns = hidden};
  const Wanted output{.name = "Y", .rows = rows, .columns = hidden, .role = TensorRole::kOutput};
  const ExternalTensor x = layout.external(input);
  FeedForward network{.rows = rows,
                      .hidden = hidden,
                      .inter = inter,
                      .gate_weights = layout.external(weights("W gate", hidden, inter)),
                      .up_weights = layout.external(weights("W up", hidden, inter)),
                      .down_weights = layout.external(weights("W down", inter, hidden))};
  const ExternalTensor y = layout.external(output);
  network.input = layout.vector(working(input));
  network.gate = layout.vector({.name = "gate", .rows = rows, .columns = inter, .role = TensorRole::kOutput});
  network.up = layout.vector({.name = "up", .rows = rows, .columns = inter, .role = TensorRole::kOutput});
  network.output = layout.vector(output);
  network.work =
      layout.vector({.name = "work", .rows = 1, .columns = layout.mlen, .role = TensorRole::kWork});
  ACCELSCOPE_CHECK(layout.check());
  ACCELSCOPE_CHECK(check_tiles(3 * tiles(layout, rows, hidden, inter)));
  ACCELSCOPE_CHECK(check_loop(std::uint64_t{rows} * (inter / layout.mlen)));
  ProgramBuilder build;
  build.section("input");
  fetch(build, layout, x, network.input, "X");
  feed_forward(build, layout, multiply, network);
  build.section("output");
  store(build, layout, y, network.output, "Y");
  return finish(build, std::move(layout), {scalars::one()});
}

// O = softmax(Q K^T / sqrt(dim)) V.
Result<GeneratedProgram> make_attention(const ParameterValues& parameters) {
  Layout layout = layout_of(parameters);
  Attention a{.seq = parameters.small("seq"),
              .dim = parameters.small("dim"),
              .heads = parameters.small("heads"),
              .kv_heads = parameters.small("kv_heads")};
  ACCELSCOPE_CHECK(layout.check_side("seq", a.seq));
  ACCELSCOPE_CHECK(layout.check_side("dim", a.dim));
  ACCELSCOPE_CHECK(check_heads(a.heads, a.kv_heads));
  const std::uint32_t width = a.heads * a.dim;
  const Wanted queries{.name = "Q", .rows = a.seq, .columns = width};
  const Wanted output{.name = "O", .rows = a.seq, .columns = width, .role = TensorRole::kOutput};
  Wanted keys{.name = "K", .rows = a.seq, .columns = a.kv_heads * a.dim, .kind = boards::RegionKind::kKv};
  const ExternalTensor q = layout.external(queries);
  a.keys = layout.external(keys);
  keys.name = "V";
  a.values = layout.external(keys);
  const Wanted mask{.name = "mask", .rows = a.seq, .columns = a.seq, .content = TensorContent::kCausalMask};
  const bool causal = parameters.is_set("causal");
  const ExternalTensor mask_outside = causal ? layout.external(mask) : ExternalTensor{};
  const ExternalTensor o = layout.external(output);
  a.queries = layout.vector(working(queries));
  a.scores = layout.vector({.name = "S", .rows = a.seq, .columns = a.seq, .role = TensorRole::kWork});
  a.output = layout.vector(output);
  if (causal) a.mask = layout.vector(working(mask));
  ACCELSCOPE_CHECK(layout.check());
  ACCELSCOPE_CHECK(check_tiles(std::uint64_t{2} * a.heads * tiles(layout, a.seq, a.dim, a.seq)));
  const std::uint32_t pieces = a.seq * (width / layout.mlen);
  ACCELSCOPE_CHECK(check_loop(std::uint64_t{a.seq} * (std::max(width, a.seq) / layout.mlen)));
  ProgramBuilder build;
  build.section("queries");
  fetch(build, layout, q, a.queries, "Q");
  if (a.mask) fetch(build, layout, mask_outside, *a.mask, "mask");
  build.section("scale");
  scale_pieces(build, layout, pieces, a.queries, scalars::kScoreScale);
  attend(build, layout, multiply, a);
  build.section("output");
  store(build, layout, o, a.output, "O");
  return finish(build, std::move(layout), {scalars::lowest(), scalars::score_scale(a.dim)});
}

}  // namespace

ProgramGenerator linear_generator() {
  return {"linear", "Y = X W, as the reference's compiler lays it out; Y stays on the chip",
          kLinearParameters, kLinearShape, make_linear};
}

ProgramGenerator ffn_generator() {
  return {"ffn", "a gated feed-forward network: Y = (silu(X Wg) * (X Wu)) Wd", kFfnParameters, kFfnShape,
          make_ffn};
}

ProgramGenerator attention_generator() {
  return {"attention", "of each head: O = softmax(Q K^T / sqrt(dim)) V", kAttentionParameters,
          kAttentionShape, make_attention};
}

}  // namespace accelscope::isa
