// Attention in tiles, with a running maximum and sum per row, so that no row of scores is ever whole.
//
// For every tile of queries: scores = q * k^T of one tile of keys, the softmax step that corrects what came
// before, probabilities * v, and the sum of these. MIX tasks let the cube core work on the next tile while
// the two vector cores work on the upper and the lower half of the last one.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "runtime/generator_families.h"

namespace accelscope::runtime {
namespace {

constexpr GeneratorParameter kAttentionParameters[] = {
    {"batch", "independent inputs", 1, 1, 65536},
    {"heads", "of each input", 4, 1, 65536},
    {"queries", "rows of q", 128, 2, 65536},
    {"keys", "rows of k and v", 256, 1, 65536},
    {"dim", "columns of q, k and v", 64, 1, 4096},
    {"tile", "queries of a tile at most", 64, 2, 4096},
    {"key_tile", "keys of a tile at most", 64, 1, 4096},
    {"mix", "1: MIX tasks; 0: cube and vector tasks alone", 1, 0, 1},
    kType,
    kSeed,
    kExpect,
};

struct AttentionSizes {
  std::uint64_t heads, queries, keys, dim, tile, key_tile;  // heads: of all inputs
};

struct Functions {
  std::int32_t qk, pv, softmax[2], last_softmax[2], update[2], last_update[2];
};

Functions add_functions(GraphBuilder& build) {
  const Range none = {0, 0};
  const auto function = [&](std::string name, std::string kernel, Range arguments, Range scalars) {
    return build.function({std::move(name), std::move(kernel), arguments, scalars});
  };
  return {.qk = function("qk", "gemm_nt", {0, 3}, none),
          .pv = function("pv", "gemm", {0, 3}, none),
          .softmax = {function("softmax_upper", "softmax_update", {3, 4}, kAll),
                      function("softmax_lower", "softmax_update", {7, 4}, kAll)},
          .last_softmax = {function("last_softmax_upper", "softmax_update", {0, 4}, kAll),
                           function("last_softmax_lower", "softmax_update", {4, 4}, kAll)},
          .update = {function("update_upper", "rescale_add", {3, 3}, none),
                     function("update_lower", "rescale_add", {6, 3}, none)},
          .last_update = {function("last_update_upper", "rescale_add", {0, 3}, none),
                          function("last_update_lower", "rescale_add", {3, 3}, none)}};
}

// Rows of a matrix that lies without gaps.
TensorView rows_of(const TensorView& whole, std::uint64_t first, std::uint64_t end) {
  TensorView view = whole;
  view.start += first * whole.strides[0];
  view.shape[0] = static_cast<std::uint32_t>(end - first);
  return view;
}

// One tile of queries of one head.
class QueryTile {
 public:
  QueryTile(GraphBuilder& build, const AttentionSizes& sizes, const Functions& functions, DataType type,
            std::uint64_t head, std::uint64_t first)
      : build_(build),
        sizes_(sizes),
        functions_(functions),
        type_(type),
        head_(head),
        first_(first),
        rows_(std::min(sizes.tile, sizes.queries - first)),
        steps_((sizes.keys + sizes.key_tile - 1) / sizes.key_tile),
        scale_(1 / std::sqrt(static_cast<double>(sizes.dim))) {}

  void add(bool mix) {
    build_.begin_scope("tile of queries");
    begin();
    if (mix)
      add_mixed();
    else
      add_plain();
    const TensorView out =
        matrix(kOut, (head_ * sizes_.queries + first_) * sizes_.dim, rows_, sizes_.dim, sizes_.dim);
    build_.vector("normalize_rows").in(sum_).in(sums_).out(out).blocks(2).early();
    build_.end_scope();
  }

  // The buffers that exist from the beginning, in this order.
  enum : std::uint32_t { kQ, kK, kV, kOut };

 private:
  TensorView made(std::string_view what, std::uint64_t step, DataType type, std::uint64_t columns) {
    const std::uint32_t buffer =
        build_.buffer(fmt::format("{}.{}.{}.{}", what, head_, first_, step), type, rows_ * columns);
    return matrix(buffer, 0, rows_, columns, columns);
  }

  std::uint64_t keys_at(std::uint64_t step) const {
    return std::min(sizes_.key_tile, sizes_.keys - step * sizes_.key_tile);
  }

  TensorView of_keys(std::uint32_t buffer, std::uint64_t step) const {
    return matrix(buffer, (head_ * sizes_.keys + step * sizes_.key_tile) * sizes_.dim, keys_at(step),
                  sizes_.dim, sizes_.dim);
  }

  TensorView upper(const TensorView& view) const { return rows_of(view, 0, rows_ / 2); }
  TensorView lower(const TensorView& view) const { return rows_of(view, rows_ / 2, rows_); }

  void begin() {
    queries_ = matrix(kQ, (head_ * sizes_.queries + first_) * sizes_.dim, rows_, sizes_.dim, sizes_.dim);
    maxima_ = made("max", 0, DataType::kFloat32, 1);
    sums_ = made("sum", 0, DataType::kFloat32, 1);
    sum_ = made("out", 0, DataType::kFloat32, sizes_.dim);
    corrections_[0] = made("correction", 0, DataType::kFloat32, 1);
    corrections_[1] = made("correction", 1, DataType::kFloat32, 1);
    build_.alloc().make(maxima_).make(sums_).make(sum_).make(corrections_[0]).make(corrections_[1]);
    // Lower than any score, and no infinity: the difference of two must be a number.
    constexpr double kLowest = -1e30;
    build_.vector("fill").out(maxima_).scalar(kLowest);
    build_.vector("fill").out(sums_).scalar(0);
    build_.vector("fill").out(sum_).scalar(0);
  }

  TensorView new_scores(std::uint64_t step) {
    return made("scores", step, DataType::kFloat32, keys_at(step));
  }
  TensorView new_product(std::uint64_t step) { return made("product", step, DataType::kFloat32, sizes_.dim); }

  void add_half_of_softmax(TaskBuilder& task, const TensorView& scores, std::uint64_t step, bool is_upper) {
    const auto half = [&](const TensorView& view) { return is_upper ? upper(view) : lower(view); };
    task.inout(half(scores)).inout(half(maxima_)).inout(half(sums_)).out(half(corrections_[step % 2]));
  }

  void add_half_of_update(TaskBuilder& task, const TensorView& product, std::uint64_t step, bool is_upper) {
    const auto half = [&](const TensorView& view) { return is_upper ? upper(view) : lower(view); };
    task.inout(half(sum_)).in(half(corrections_[step % 2])).in(half(product));
  }

  // What is multiplied with v: of the type of v.
  TensorView probabilities(const TensorView& scores, std::uint64_t step) {
    if (type_ == DataType::kFloat32) return scores;
    const TensorView narrow = made("probabilities", step, type_, keys_at(step));
    build_.vector("cast").in(scores).make(narrow).blocks(2);
    return narrow;
  }

  void add_mixed() {
    TensorView scores = new_scores(0);
    build_.task({functions_.qk, kNoKernel, kNoKernel}).in(queries_).in(of_keys(kK, 0)).make(scores);
    TensorView product;
    for (std::uint64_t step = 0; step < steps_; ++step) {
      const bool last = step + 1 == steps_;
      const TensorView next = last ? TensorView{} : new_scores(step + 1);
      const auto& softmax = last ? functions_.last_softmax : functions_.softmax;
      TaskBuilder task = build_.task({last ? kNoKernel : functions_.qk, softmax[0], softmax[1]});
      if (!last) task.in(queries_).in(of_keys(kK, step + 1)).make(next);
      add_half_of_softmax(task, scores, step, true);
      add_half_of_softmax(task, scores, step, false);
      task.scalar(scale_);

      const TensorView factor = probabilities(scores, step);
      const TensorView new_one = new_product(step);
      if (step == 0) {
        build_.task({functions_.pv, kNoKernel, kNoKernel}).in(factor).in(of_keys(kV, step)).make(new_one);
      } else {
        TaskBuilder both = build_.task({functions_.pv, functions_.update[0], functions_.update[1]});
        both.in(factor).in(of_keys(kV, step)).make(new_one);
        add_half_of_update(both, product, step - 1, true);
        add_half_of_update(both, product, step - 1, false);
      }
      product = new_one;
      scores = next;
    }
    TaskBuilder task = build_.task({kNoKernel, functions_.last_update[0], functions_.last_update[1]});
    add_half_of_update(task, product, steps_ - 1, true);
    add_half_of_update(task, product, steps_ - 1, false);
  }

  void add_plain() {
    for (std::uint64_t step = 0; step < steps_; ++step) {
      const TensorView scores = new_scores(step);
      const TensorView& correction = corrections_[step % 2];
      build_.cube("gemm_nt").in(queries_).in(of_keys(kK, step)).make(scores);
      build_.vector("softmax_update")
          .inout(scores)
          .inout(maxima_)
          .inout(sums_)
          .out(correction)
          .scalar(scale_);
      const TensorView factor = probabilities(scores, step);
      const TensorView product = new_product(step);
      build_.cube("gemm").in(factor).in(of_keys(kV, step)).make(product);
      build_.vector("rescale_add").inout(sum_).in(correction).in(product).early();
    }
  }

  GraphBuilder& build_;
  const AttentionSizes& sizes_;
  const Functions& functions_;
  DataType type_;
  std::uint64_t head_, first_, rows_, steps_;
  double scale_;
  TensorView queries_, maxima_, sums_, sum_, corrections_[2];
};

// softmax(q * k^T / sqrt(dim)) * v, row by row.
void add_expectation(GraphBuilder& build, const AttentionSizes& sizes) {
  const std::vector<double> q = numbers_of(build.graph().buffers[QueryTile::kQ]);
  const std::vector<double> k = numbers_of(build.graph().buffers[QueryTile::kK]);
  const std::vector<double> v = numbers_of(build.graph().buffers[QueryTile::kV]);
  std::vector<double> out(sizes.heads * sizes.queries * sizes.dim);
  std::vector<double> weights(sizes.keys);
  for (std::size_t row = 0; row < sizes.heads * sizes.queries; ++row) {
    const std::size_t keys = row / sizes.queries * sizes.keys;
    double total = 0;
    for (std::size_t key = 0; key < sizes.keys; ++key) {
      double score = 0;
      for (std::size_t i = 0; i < sizes.dim; ++i)
        score += q[row * sizes.dim + i] * k[(keys + key) * sizes.dim + i];
      weights[key] = std::exp(score / std::sqrt(static_cast<double>(sizes.dim)));
      total += weights[key];
    }
    for (std::size_t key = 0; key < sizes.keys; ++key)
      for (std::size_t i = 0; i < sizes.dim; ++i)
        out[row * sizes.dim + i] += weights[key] / total * v[(keys + key) * sizes.dim + i];
  }
  // Probabilities of 16 bits have 8 or 11 significant ones.
  const DataType type = build.graph().buffers[QueryTile::kQ].type;
  build.expect(expected(QueryTile::kOut, std::move(out), type == DataType::kFloat32 ? 1e-4 : 2e-2));
}

// How many tasks the tiles of a head have.
double tasks_of_head(const AttentionSizes& sizes, bool mix, DataType type) {
  const double tiles = std::ceil(static_cast<double>(sizes.queries) / static_cast<double>(sizes.tile));
  const double steps = std::ceil(static_cast<double>(sizes.keys) / static_cast<double>(sizes.key_tile));
  const double casts = type == DataType::kFloat32 ? 0 : steps;
  const double mixed = 2 * steps + 7 + casts, plain = 4 * steps + 5 + casts;
  // The vector cores share a tile; a row alone cannot be shared.
  const double unmixed_tiles = !mix ? tiles : sizes.queries % sizes.tile == 1 ? 1 : 0;
  return (tiles - unmixed_tiles) * mixed + unmixed_tiles * plain;
}

base::Result<Graph> generate_attention(const Parameters& parameters, std::string name) {
  const AttentionSizes sizes = {.heads = parameters["batch"] * parameters["heads"],
                                .queries = parameters["queries"],
                                .keys = parameters["keys"],
                                .dim = parameters["dim"],
                                .tile = parameters["tile"],
                                .key_tile = parameters["key_tile"]};
  const auto heads = static_cast<double>(sizes.heads), queries = static_cast<double>(sizes.queries),
             keys = static_cast<double>(sizes.keys), dim = static_cast<double>(sizes.dim);
  const double steps = std::ceil(keys / static_cast<double>(sizes.key_tile));
  const DataType type = parameters.type("type");
  const double scores = queries * keys * (type == DataType::kFloat32 ? 1 : 2);
  const double elements = heads * (queries * dim * (2 + steps) + 2 * keys * dim + scores);
  const bool mix = parameters.is_set("mix");
  const double tasks = heads * tasks_of_head(sizes, mix, type);
  ACCELSCOPE_CHECK(check_size(tasks, elements));

  GraphBuilder build(std::move(name));
  // Half of the tasks are MIX tasks, with ten arguments or so.
  build.reserve_tasks(static_cast<std::size_t>(tasks), 9);
  const std::uint64_t seed = parameters["seed"];
  build.buffer("q", type, sizes.heads * sizes.queries * sizes.dim, random_content(-1, 2, seed));
  build.buffer("k", type, sizes.heads * sizes.keys * sizes.dim, random_content(-1, 2, seed + 1));
  build.buffer("v", type, sizes.heads * sizes.keys * sizes.dim, random_content(-1, 2, seed + 2));
  build.buffer("out", DataType::kFloat32, sizes.heads * sizes.queries * sizes.dim);
  const Functions functions = mix ? add_functions(build) : Functions{};
  for (std::uint64_t head = 0; head < sizes.heads; ++head) {
    build.begin_scope("head");
    for (std::uint64_t first = 0; first < sizes.queries; first += sizes.tile)
      QueryTile(build, sizes, functions, type, head, first).add(mix && sizes.queries - first > 1);
    build.end_scope();
  }
  if (parameters.is_set("expect") && heads * queries * dim <= kMaxExpectedValues &&
      2 * heads * queries * keys * dim <= kMaxExpectedWork)
    add_expectation(build, sizes);
  return build.finish();
}

}  // namespace

Family attention_family() {
  return {{"attention", "attention in tiles with a running softmax, cube and vector cores beside each other",
           kAttentionParameters},
          generate_attention};
}

}  // namespace accelscope::runtime
