// Layers with a mixture of experts: a router gives every token to a few experts; experts nobody chose are not
// run, which shows only while the graph runs.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/generator_families.h"

namespace accelscope::runtime {
namespace {

constexpr GeneratorParameter kMoeParameters[] = {
    {"tokens", "rows of the input", 16, 1, 65536},
    {"dim", "columns of the input", 64, 1, 16384},
    {"hidden", "columns between an expert's two matrices", 128, 1, 65536},
    {"experts", "of each layer", 16, 1, 4096},
    {"top", "experts for each token", 2, 1, 4096},
    {"layers", "one after the other", 2, 1, 65536},
    kSeed,
    kExpect,
};

constexpr double kEpsilon = 1e-5;

struct MoeSizes {
  std::uint64_t tokens, dim, hidden, experts, top, layers;
};

struct MoeBuffers {
  std::uint32_t x, router, up, down, gain;
};

class Layer {
 public:
  Layer(GraphBuilder& build, const MoeSizes& sizes, const MoeBuffers& buffers, std::uint64_t layer)
      : build_(build), sizes_(sizes), buffers_(buffers), layer_(layer) {}

  void add() {
    build_.begin_scope("layer");
    const TensorView x = matrix(buffers_.x, 0, sizes_.tokens, sizes_.dim, sizes_.dim);
    add_router(x);
    const TensorView sum = made("sum", sizes_.dim);
    build_.vector("copy").in(x).make(sum);
    std::vector<std::uint32_t> lasts;
    for (std::uint64_t expert = 0; expert < sizes_.experts; ++expert)
      lasts.push_back(add_expert(x, sum, expert));
    // One task to wait for, however many experts there are.
    TaskBuilder join = build_.dummy();
    for (const std::uint32_t task : lasts) join.after(task);
    build_.vector("rms_norm")
        .in(sum)
        .in(row_of(buffers_.gain, layer_ * sizes_.dim, sizes_.dim))
        .out(x)
        .scalar(kEpsilon)
        .after(join.number())
        .blocks(static_cast<std::uint32_t>(std::min<std::uint64_t>(4, sizes_.tokens)));
    build_.end_scope();
  }

 private:
  TensorView made(std::string_view what, std::uint64_t columns) {
    const std::uint32_t buffer =
        build_.buffer(fmt::format("{}.{}", what, layer_), DataType::kFloat32, sizes_.tokens * columns);
    return matrix(buffer, 0, sizes_.tokens, columns, columns);
  }

  // Gates of the chosen experts, and how many tokens chose each.
  void add_router(const TensorView& x) {
    const std::uint64_t experts = sizes_.experts;
    const TensorView logits = made("logits", experts);
    const TensorView gates = made("gates", experts);
    const TensorView chosen = made("chosen", experts);
    routed_ = made("routed", experts);
    build_.cube("gemm")
        .in(x)
        .in(matrix(buffers_.router, layer_ * sizes_.dim * experts, sizes_.dim, experts, experts))
        .make(logits);
    build_.vector("softmax").in(logits).make(gates).early();
    build_.vector("top_k_mask").in(gates).make(chosen).scalar(static_cast<double>(sizes_.top));
    build_.vector("mul").in(gates).in(chosen).make(routed_);
    const std::uint32_t counts = build_.buffer(fmt::format("counts.{}", layer_), DataType::kFloat32, experts);
    flags_ = build_.buffer(fmt::format("flags.{}", layer_), DataType::kInt32, experts);
    TensorView by_expert = chosen;  // its columns as rows
    std::swap(by_expert.shape[0], by_expert.shape[1]);
    std::swap(by_expert.strides[0], by_expert.strides[1]);
    build_.vector("reduce_sum").in(by_expert).make(row_of(counts, 0, experts));
    decided_ = build_.vector("cast").in(row_of(counts, 0, experts)).make(row_of(flags_, 0, experts)).number();
  }

  // The last task of the expert.
  std::uint32_t add_expert(const TensorView& x, const TensorView& sum, std::uint64_t expert) {
    build_.begin_scope("expert");
    const std::uint64_t matrices = (layer_ * sizes_.experts + expert) * sizes_.dim * sizes_.hidden;
    const TensorView hidden = made(fmt::format("hidden.{}", expert), sizes_.hidden);
    const TensorView result = made(fmt::format("result.{}", expert), sizes_.dim);
    TensorView gate = matrix(routed_.buffer, expert, sizes_.tokens, 1, sizes_.experts);
    const auto if_chosen = [&](TaskBuilder task) {
      task.when(single(flags_, expert)).after(decided_);
      return task.number();
    };
    build_.alloc().make(hidden).make(result);
    if_chosen(build_.cube("gemm")
                  .in(x)
                  .in(matrix(buffers_.up, matrices, sizes_.dim, sizes_.hidden, sizes_.hidden))
                  .out(hidden));
    if_chosen(build_.vector("silu").in(hidden).out(hidden));
    if_chosen(build_.cube("gemm")
                  .in(hidden)
                  .in(matrix(buffers_.down, matrices, sizes_.hidden, sizes_.dim, sizes_.dim))
                  .out(result));
    if_chosen(build_.vector("mul").in(result).in(gate).out(result));
    const std::uint32_t last = if_chosen(build_.vector("add").in(sum).in(result).out(sum));
    build_.end_scope();
    return last;
  }

  GraphBuilder& build_;
  const MoeSizes& sizes_;
  const MoeBuffers& buffers_;
  std::uint64_t layer_;
  TensorView routed_;
  std::uint32_t flags_ = 0;
  std::uint32_t decided_ = 0;
};

// The weights of the chosen experts for one token: the largest `top` of the softmax.
std::vector<double> weights_of(std::span<const double> logits, std::size_t top) {
  std::vector<double> weights(logits.begin(), logits.end());
  const double most = *std::ranges::max_element(weights);
  for (double& weight : weights) weight = std::exp(weight - most);
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  for (double& weight : weights) weight /= total;
  for (std::size_t i = top; i < order.size(); ++i) weights[order[i]] = 0;
  return weights;
}

// One layer for one token.
void pass(std::span<double> x, const MoeSizes& sizes, std::span<const double> router,
          std::span<const double> up, std::span<const double> down, std::span<const double> gain) {
  const std::vector<double> weights =
      weights_of(multiplied(x, router, 1, sizes.dim, sizes.experts), sizes.top);
  std::vector<double> sum(x.begin(), x.end());
  for (std::size_t expert = 0; expert < sizes.experts; ++expert) {
    if (weights[expert] == 0) continue;
    const std::size_t first = expert * sizes.dim * sizes.hidden;
    std::vector<double> hidden = multiplied(x, up.subspan(first), 1, sizes.dim, sizes.hidden);
    for (double& value : hidden) value /= 1 + std::exp(-value);
    const std::vector<double> result = multiplied(hidden, down.subspan(first), 1, sizes.hidden, sizes.dim);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weights[expert] * result[i];
  }
  double squares = 0;
  for (const double value : sum) squares += value * value;
  const double scale = 1 / std::sqrt(squares / static_cast<double>(sizes.dim) + kEpsilon);
  for (std::size_t i = 0; i < sum.size(); ++i) x[i] = sum[i] * scale * gain[i];
}

void add_expectation(GraphBuilder& build, const MoeSizes& sizes, const MoeBuffers& buffers) {
  const auto numbers = [&](std::uint32_t buffer) { return numbers_of(build.graph().buffers[buffer]); };
  std::vector<double> x = numbers(buffers.x);
  const std::vector<double> router = numbers(buffers.router), up = numbers(buffers.up),
                            down = numbers(buffers.down), gain = numbers(buffers.gain);
  const std::size_t of_experts = sizes.experts * sizes.dim * sizes.hidden;
  for (std::size_t layer = 0; layer < sizes.layers; ++layer)
    for (std::size_t token = 0; token < sizes.tokens; ++token)
      pass(std::span(x).subspan(token * sizes.dim, sizes.dim), sizes,
           std::span(router).subspan(layer * sizes.dim * sizes.experts),
           std::span(up).subspan(layer * of_experts), std::span(down).subspan(layer * of_experts),
           std::span(gain).subspan(layer * sizes.dim));
  build.expect(expected(buffers.x, std::move(x), 1e-3));
}

base::Result<Graph> generate_moe(const Parameters& parameters, std::string name) {
  const MoeSizes sizes = {parameters["tokens"],  parameters["dim"], parameters["hidden"],
                          parameters["experts"], parameters["top"], parameters["layers"]};
  if (sizes.top > sizes.experts)
    return base::fail(base::ErrorCode::kUsage, "`top={}`: there are {} experts", sizes.top, sizes.experts);
  const auto tokens = static_cast<double>(sizes.tokens), dim = static_cast<double>(sizes.dim),
             hidden = static_cast<double>(sizes.hidden), experts = static_cast<double>(sizes.experts),
             layers = static_cast<double>(sizes.layers);
  const double weights = layers * experts * dim * hidden;
  ACCELSCOPE_CHECK(
      check_size(layers * (9 + 6 * experts), 2 * weights + layers * experts * tokens * (dim + hidden)));

  GraphBuilder build(std::move(name));
  const std::uint64_t seed = parameters["seed"];
  // So that what goes in and what comes out are of one size.
  const double small = 1 / std::sqrt(dim), smaller = 1 / std::sqrt(hidden);
  const std::uint64_t matrices = sizes.layers * sizes.experts * sizes.dim * sizes.hidden;
  const auto random = [&](std::string buffer, std::uint64_t elements, double width, std::uint64_t which) {
    return build.buffer(std::move(buffer), DataType::kFloat32, elements,
                        random_content(-width, 2 * width, seed + which));
  };
  const MoeBuffers buffers = {
      .x = random("x", sizes.tokens * sizes.dim, 1, 0),
      .router = random("router", sizes.layers * sizes.dim * sizes.experts, 4 * small, 1),
      .up = random("up", matrices, 2 * small, 2),
      .down = random("down", matrices, 2 * smaller, 3),
      .gain = build.buffer("gain", DataType::kFloat32, sizes.layers * sizes.dim,
                           random_content(0.5, 1, seed + 4))};
  for (std::uint64_t layer = 0; layer < sizes.layers; ++layer) Layer(build, sizes, buffers, layer).add();
  const double work = std::max(weights, 2 * tokens * layers * static_cast<double>(sizes.top) * dim * hidden);
  if (parameters.is_set("expect") && work <= kMaxExpectedWork && tokens * dim <= kMaxExpectedValues)
    add_expectation(build, sizes, buffers);
  return build.finish();
}

}  // namespace

Family moe_family() {
  return {{"moe", "layers with a router and experts that run only when a token was given to them",
           kMoeParameters},
          generate_moe};
}

}  // namespace accelscope::runtime
