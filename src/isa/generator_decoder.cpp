// The program of one layer of a decoder: norm, projections, rotary positions, attention of grouped heads,
// output projection, norm, gated feed-forward network, and the two residuals.
#include <algorithm>
#include <string>
#include <utility>

#include "isa/generator_families.h"
#include "isa/generator_network_parts.h"
#include "isa/generator_row_parts.h"

namespace accelscope::isa {
namespace {

using base::ParameterValues;
using base::Result;
using base::Status;

constexpr auto kDecoderParameters = std::to_array<base::Parameter>(
    {{"rows", "tokens of the input", 64, 1, kLargestSide},
     {"hidden", "columns of the input", 128, 1, kLargestSide},
     {"inter", "columns between the two layers of the feed-forward network", 256, 1, kLargestSide},
     {"heads", "of queries", 2, 1, kMostHeads},
     {"kv_heads", "of keys and values", 1, 1, kMostHeads},
     {"dim", "columns of a head", 64, 1, kLargestDim},
     {"causal", "1: no token sees a later one", 1, 0, 1},
     kMlen,
     kBlen});
constexpr std::array<std::string_view, 3> kDecoderShape{"rows", "hidden", "inter"};

struct DecoderShape {
  std::uint32_t rows = 0;
  std::uint32_t hidden = 0;
  std::uint32_t inter = 0;
  std::uint32_t heads = 0;
  std::uint32_t kv_heads = 0;
  std::uint32_t dim = 0;
  bool causal = false;

  std::uint32_t query_columns() const { return heads * dim; }
  std::uint32_t kv_columns() const { return kv_heads * dim; }
};

// Where everything lies in external memory: activations, then what the layer's weights are, then keys and
// values.
struct OutsideTensors {
  ExternalTensor x, cosine, sine, mask;
  ExternalTensor norm_1, norm_2, rotation;
  ExternalTensor query_weights, key_weights, value_weights, output_weights;
  ExternalTensor gate_weights, up_weights, down_weights;
  ExternalTensor keys, values, y;
};

// And in the vector memory. X is where the residuals are added, so it becomes Y.
struct InsideTensors {
  std::uint32_t x = 0, cosine = 0, sine = 0, mask = 0;
  std::uint32_t norm_1 = 0, norm_2 = 0;
  std::uint32_t normed = 0;
  std::uint32_t queries = 0, keys = 0, values = 0, turned = 0;
  std::uint32_t scores = 0, attended = 0;
  std::uint32_t projected = 0;  // what the residual adds
  std::uint32_t gate = 0, up = 0, work = 0;
};

struct Decoder {
  DecoderShape shape;
  Layout layout;
  OutsideTensors outside = {};
  InsideTensors inside = {};
  ProgramBuilder build = {};

  Wanted input(std::string_view name, std::uint32_t rows, std::uint32_t columns,
               TensorContent content = TensorContent::kValues) const {
    return {.name = name, .rows = rows, .columns = columns, .content = content};
  }
  std::uint32_t pieces(std::uint32_t columns) const { return shape.rows * (columns / layout.mlen); }
};

Status check(const DecoderShape& shape, const Layout& layout) {
  ACCELSCOPE_CHECK(layout.check());
  for (const auto& [name, size] : {std::pair{"rows", shape.rows}, std::pair{"hidden", shape.hidden},
                                   std::pair{"inter", shape.inter}, std::pair{"dim", shape.dim}})
    ACCELSCOPE_CHECK(layout.check_side(name, size));
  if (shape.dim % 2 != 0) return base::fail(base::ErrorCode::kUsage, "dim ({}) must be even", shape.dim);
  ACCELSCOPE_CHECK(check_heads(shape.heads, shape.kv_heads));
  const std::uint64_t widest = std::max({shape.hidden, shape.inter, shape.query_columns(), shape.rows});
  return check_loop(shape.rows * (widest / layout.mlen));
}

void place_outside(Decoder& d) {
  const DecoderShape& s = d.shape;
  OutsideTensors& at = d.outside;
  const auto place = [&](const Wanted& wanted) { return d.layout.external(wanted); };
  at.x = place(d.input("X", s.rows, s.hidden));
  at.cosine = place(d.input("cos", s.rows, s.dim, TensorContent::kCosine));
  at.sine = place(d.input("sin", s.rows, s.dim, TensorContent::kSine));
  if (s.causal) at.mask = place(d.input("mask", s.rows, s.rows, TensorContent::kCausalMask));
  const auto place_weights = [&](std::string_view name, std::uint32_t rows, std::uint32_t columns,
                                 TensorContent content = TensorContent::kWeights) {
    Wanted wanted = weights(name, rows, columns);
    wanted.content = content;
    return place(wanted);
  };
  at.norm_1 = place_weights("W norm 1", d.layout.blen, s.hidden, TensorContent::kNormWeights);
  at.rotation = place_weights("R", s.dim, s.dim, TensorContent::kRotation);
  at.query_weights = place_weights("W q", s.hidden, s.query_columns());
  at.key_weights = place_weights("W k", s.hidden, s.kv_columns());
  at.value_weights = place_weights("W v", s.hidden, s.kv_columns());
  at.output_weights = place_weights("W o", s.query_columns(), s.hidden);
  at.norm_2 = place_weights("W norm 2", d.layout.blen, s.hidden, TensorContent::kNormWeights);
  at.gate_weights = place_weights("W gate", s.hidden, s.inter);
  at.up_weights = place_weights("W up", s.hidden, s.inter);
  at.down_weights = place_weights("W down", s.inter, s.hidden);
  Wanted kv = d.input("K", s.rows, s.kv_columns());
  kv.role = TensorRole::kOutput;
  kv.kind = boards::RegionKind::kKv;
  at.keys = place(kv);
  kv.name = "V";
  at.values = place(kv);
  Wanted y = d.input("Y", s.rows, s.hidden);
  y.role = TensorRole::kOutput;
  at.y = place(y);
}

void place_inside(Decoder& d) {
  const DecoderShape& s = d.shape;
  InsideTensors& at = d.inside;
  const auto place = [&](std::string_view name, std::uint32_t rows, std::uint32_t columns, TensorRole role) {
    return d.layout.vector({.name = name, .rows = rows, .columns = columns, .role = role});
  };
  const auto work = [&](std::string_view name, std::uint32_t rows, std::uint32_t columns) {
    return place(name, rows, columns, TensorRole::kWork);
  };
  const auto output = [&](std::string_view name, std::uint32_t columns) {
    return place(name, s.rows, columns, TensorRole::kOutput);
  };
  at.x = output("Y", s.hidden);
  at.cosine = work("cos", s.rows, s.dim);
  at.sine = work("sin", s.rows, s.dim);
  if (s.causal) at.mask = work("mask", s.rows, s.rows);
  at.norm_1 = work("W norm 1", d.layout.blen, s.hidden);
  at.norm_2 = work("W norm 2", d.layout.blen, s.hidden);
  at.normed = work("normed", s.rows, s.hidden);
  at.queries = output("Q", s.query_columns());
  at.keys = output("K", s.kv_columns());
  at.values = output("V", s.kv_columns());
  at.turned = work("turned", s.rows, s.dim);
  at.scores = work("S", s.rows, s.rows);
  at.attended = output("O", s.query_columns());
  at.projected = output("down", s.hidden);
  at.gate = output("gate", s.inter);
  at.up = output("up", s.inter);
  at.work = work("work", 1, d.layout.mlen);
}

void fetch_inputs(Decoder& d) {
  d.build.section("inputs");
  fetch(d.build, d.layout, d.outside.x, d.inside.x, "X");
  fetch(d.build, d.layout, d.outside.cosine, d.inside.cosine, "cos");
  fetch(d.build, d.layout, d.outside.sine, d.inside.sine, "sin");
  if (d.shape.causal) fetch(d.build, d.layout, d.outside.mask, d.inside.mask, "mask");
}

void norm(Decoder& d, std::string_view section, const ExternalTensor& weights_outside,
          std::uint32_t weights_inside, std::string_view weights_name) {
  d.build.section(section);
  fetch(d.build, d.layout, weights_outside, weights_inside, weights_name);
  d.build.tensor("normed");
  norm_rows(d.build, d.layout,
            {.rows = d.shape.rows,
             .columns = d.shape.hidden,
             .input = d.inside.x,
             .output = d.inside.normed,
             .work = d.inside.work,
             .weights = weights_inside});
}

struct Projection {
  std::string section;
  ExternalTensor weights;
  std::string_view weights_name;
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  std::string_view output_name;
};

// Weights are [in, out].
void project(Decoder& d, const Projection& projection) {
  multiply_in_loops(d.build, d.layout,
                    {.rows = d.shape.rows,
                     .in = projection.weights.rows,
                     .out = projection.weights.columns,
                     .input = projection.input,
                     .output = projection.output,
                     .weights = projection.weights,
                     .section = projection.section,
                     .weights_name = projection.weights_name,
                     .output_name = projection.output_name});
}

// The halves of each head are turned by a product with a matrix of zeros and ones: vectors can be shifted in
// one direction only.
void rotate_heads(Decoder& d, std::string_view name, std::uint32_t first, std::uint32_t heads) {
  for (std::uint32_t head = 0; head < heads; ++head) {
    const std::uint32_t x = first + head * d.shape.dim * d.shape.rows;
    project(d, {fmt::format("rope of {}, head {}", name, head), d.outside.rotation, "R", x, d.inside.turned,
                "turned"});
    d.build.tensor(name);
    rotate_pieces(d.build, d.layout, d.pieces(d.shape.dim),
                  {.x = x, .turned = d.inside.turned, .cosine = d.inside.cosine, .sine = d.inside.sine});
  }
}

void project_heads(Decoder& d) {
  const OutsideTensors& outside = d.outside;
  const InsideTensors& at = d.inside;
  project(d, {"q projection", outside.query_weights, "W q", at.normed, at.queries, "Q"});
  project(d, {"k projection", outside.key_weights, "W k", at.normed, at.keys, "K"});
  project(d, {"v projection", outside.value_weights, "W v", at.normed, at.values, "V"});
  rotate_heads(d, "Q", at.queries, d.shape.heads);
  rotate_heads(d, "K", at.keys, d.shape.kv_heads);
  d.build.section("scale");
  d.build.tensor("Q");
  scale_pieces(d.build, d.layout, d.pieces(d.shape.query_columns()), at.queries, scalars::kScoreScale);
  // Tiles come from external memory only, and so do keys and values of attention.
  d.build.section("keys and values");
  store(d.build, d.layout, outside.keys, at.keys, "K", TransferKind::kKeysAndValues);
  store(d.build, d.layout, outside.values, at.values, "V", TransferKind::kKeysAndValues);
}

void add_residual(Decoder& d, std::string_view section) {
  d.build.section(section);
  d.build.tensor("Y");
  add_pieces(d.build, d.layout, d.pieces(d.shape.hidden), d.inside.x, d.inside.projected);
}

void attention_block(Decoder& d) {
  const InsideTensors& at = d.inside;
  norm(d, "norm 1", d.outside.norm_1, at.norm_1, "W norm 1");
  project_heads(d);
  Attention attention{.seq = d.shape.rows,
                      .dim = d.shape.dim,
                      .heads = d.shape.heads,
                      .kv_heads = d.shape.kv_heads,
                      .keys = d.outside.keys,
                      .values = d.outside.values,
                      .queries = at.queries,
                      .scores = at.scores,
                      .output = at.attended};
  if (d.shape.causal) attention.mask = at.mask;
  attend(d.build, d.layout, multiply_in_loops, attention);
  project(d, {"output projection", d.outside.output_weights, "W o", at.attended, at.projected, "attention"});
  add_residual(d, "residual 1");
}

void feed_forward_block(Decoder& d) {
  const InsideTensors& at = d.inside;
  norm(d, "norm 2", d.outside.norm_2, at.norm_2, "W norm 2");
  feed_forward(d.build, d.layout, multiply_in_loops,
               {.rows = d.shape.rows,
                .hidden = d.shape.hidden,
                .inter = d.shape.inter,
                .gate_weights = d.outside.gate_weights,
                .up_weights = d.outside.up_weights,
                .down_weights = d.outside.down_weights,
                .input = at.normed,
                .gate = at.gate,
                .up = at.up,
                .output = at.projected,
                .work = at.work,
                .output_name = "down"});
  add_residual(d, "residual 2");
}

Result<GeneratedProgram> make_decoder_layer(const ParameterValues& parameters) {
  Decoder d{.shape = {.rows = parameters.small("rows"),
                      .hidden = parameters.small("hidden"),
                      .inter = parameters.small("inter"),
                      .heads = parameters.small("heads"),
                      .kv_heads = parameters.small("kv_heads"),
                      .dim = parameters.small("dim"),
                      .causal = parameters.is_set("causal")},
            .layout = layout_of(parameters)};
  ACCELSCOPE_CHECK(check(d.shape, d.layout));
  place_outside(d);
  place_inside(d);
  ACCELSCOPE_CHECK(d.layout.check());
  d.build.layer("0");
  fetch_inputs(d);
  attention_block(d);
  feed_forward_block(d);
  d.build.section("output");
  store(d.build, d.layout, d.outside.y, d.inside.x, "Y");
  return finish(d.build, std::move(d.layout),
                {scalars::one(), scalars::lowest(), scalars::per_column(d.shape.hidden), scalars::epsilon(),
                 scalars::score_scale(d.shape.dim)});
}

}  // namespace

ProgramGenerator decoder_layer_generator() {
  return {"decoder-layer",
          "one layer of a decoder: norms, grouped heads with rotary positions, gated network",
          kDecoderParameters, kDecoderShape, make_decoder_layer};
}

}  // namespace accelscope::isa
