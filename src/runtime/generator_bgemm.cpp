// Batches of matrix multiplications in tiles, each followed by a bias and a rectifier on the vector cores.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "runtime/generator_families.h"
#include "runtime/kernel_pipes.h"

namespace accelscope::runtime {
namespace {

constexpr GeneratorParameter kBgemmParameters[] = {
    {"m", "rows of the result", 256, 1, 65536},
    {"n", "columns of the result", 256, 1, 65536},
    {"k", "what is summed over", 256, 1, 65536},
    {"tile", "rows and columns of a tile at most", 64, 1, 4096},
    {"batch", "how many multiplications", 1, 1, 65536},
    {"tiles", "in which a core cuts up a product; 0: as the kernel says", 0, 0, kMaxTiles},
    {"buffers", "between the pipes of a core; 0: not said, they overlap perfectly", 0, 0, kMaxPipeBuffers},
    kType,
    kSeed,
    kExpect,
};

struct BgemmSizes {
  std::uint64_t m, n, k, tile, batch;
};

struct BgemmBuffers {
  std::uint32_t a, b, bias, c;
};

// One tile of the result: products summed up by one core after the other, then the epilogue.
void add_tile(GraphBuilder& build, const BgemmSizes& sizes, const BgemmBuffers& buffers, std::uint64_t batch,
              std::uint64_t i, std::uint64_t j) {
  const std::uint64_t rows = std::min(sizes.tile, sizes.m - i);
  const std::uint64_t columns = std::min(sizes.tile, sizes.n - j);
  const std::uint32_t sum =
      build.buffer(fmt::format("sum.{}.{}.{}", batch, i, j), DataType::kFloat32, rows * columns);
  const TensorView sums = matrix(sum, 0, rows, columns, columns);
  for (std::uint64_t l = 0; l < sizes.k; l += sizes.tile) {
    const std::uint64_t depth = std::min(sizes.tile, sizes.k - l);
    const TensorView a = matrix(buffers.a, (batch * sizes.m + i) * sizes.k + l, rows, depth, sizes.k);
    const TensorView b = matrix(buffers.b, (batch * sizes.k + l) * sizes.n + j, depth, columns, sizes.n);
    if (l == 0)
      build.cube("gemm").in(a).in(b).make(sums);
    else
      build.cube("gemm_add").in(a).in(b).inout(sums);
  }
  const TensorView c = matrix(buffers.c, (batch * sizes.m + i) * sizes.n + j, rows, columns, sizes.n);
  build.vector("add").in(sums).in(row_of(buffers.bias, j, columns)).out(c).early();
  build.vector("relu").in(c).out(c);
}

void add_expectation(GraphBuilder& build, const BgemmSizes& sizes, const BgemmBuffers& buffers) {
  const std::vector<double> a = numbers_of(build.graph().buffers[buffers.a]);
  const std::vector<double> b = numbers_of(build.graph().buffers[buffers.b]);
  const std::vector<double> bias = numbers_of(build.graph().buffers[buffers.bias]);
  std::vector<double> c;
  for (std::uint64_t batch = 0; batch < sizes.batch; ++batch) {
    const auto product =
        multiplied(std::span(a).subspan(batch * sizes.m * sizes.k),
                   std::span(b).subspan(batch * sizes.k * sizes.n), sizes.m, sizes.k, sizes.n);
    for (std::size_t i = 0; i < product.size(); ++i)
      c.push_back(std::max(0.0, product[i] + bias[i % sizes.n]));
  }
  build.expect(expected(buffers.c, std::move(c), 1e-4));
}

base::Result<Graph> generate_bgemm(const Parameters& parameters, std::string name) {
  const BgemmSizes sizes = {parameters["m"], parameters["n"], parameters["k"], parameters["tile"],
                            parameters["batch"]};
  const auto tiles = [&](std::uint64_t extent) {
    return std::ceil(static_cast<double>(extent) / static_cast<double>(sizes.tile));
  };
  const auto m = static_cast<double>(sizes.m), n = static_cast<double>(sizes.n),
             k = static_cast<double>(sizes.k), batch = static_cast<double>(sizes.batch);
  const double tasks = batch * tiles(sizes.m) * tiles(sizes.n) * (tiles(sizes.k) + 2);
  ACCELSCOPE_CHECK(check_size(tasks, batch * (m * k + k * n + 2 * m * n)));

  GraphBuilder build(std::move(name));
  build.reserve_tasks(static_cast<std::size_t>(tasks), 3);
  const Pipes pipes = {static_cast<std::uint32_t>(parameters["tiles"]),
                       static_cast<std::uint32_t>(parameters["buffers"])};
  build.function({.name = "gemm", .kernel = "gemm", .pipes = pipes});
  if (sizes.k > sizes.tile) build.function({.name = "gemm_add", .kernel = "gemm_add", .pipes = pipes});
  const DataType type = parameters.type("type");
  const std::uint64_t seed = parameters["seed"];
  const BgemmBuffers buffers = {
      build.buffer("a", type, sizes.batch * sizes.m * sizes.k, random_content(-1, 2, seed)),
      build.buffer("b", type, sizes.batch * sizes.k * sizes.n, random_content(-1, 2, seed + 1)),
      build.buffer("bias", DataType::kFloat32, sizes.n, random_content(-1, 2, seed + 2)),
      build.buffer("c", DataType::kFloat32, sizes.batch * sizes.m * sizes.n)};
  for (std::uint64_t one = 0; one < sizes.batch; ++one) {
    build.begin_scope("batch");
    for (std::uint64_t i = 0; i < sizes.m; i += sizes.tile) {
      build.begin_scope("row of tiles");
      for (std::uint64_t j = 0; j < sizes.n; j += sizes.tile) add_tile(build, sizes, buffers, one, i, j);
      build.end_scope();
    }
    build.end_scope();
  }
  if (parameters.is_set("expect") && batch * m * n * k <= kMaxExpectedWork &&
      batch * m * n <= kMaxExpectedValues)
    add_expectation(build, sizes, buffers);
  return build.finish();
}

}  // namespace

Family bgemm_family() {
  return {{"bgemm", "batches of matrix multiplications in tiles, with bias and rectifier", kBgemmParameters},
          generate_bgemm};
}

}  // namespace accelscope::runtime
