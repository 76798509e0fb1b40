// How fast the built-in kernels are on this machine: products of matrices, and a few that go through memory.
//
// Floors in the same run: the naive product with the same order of additions, and memcpy of the bytes a
// kernel reads and writes. Times are those of the processor: one thread does all of it.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <limits>
#include <string_view>
#include <vector>

#include "runtime/kernels/registry.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program

constexpr int kRepetitions = 5;

double sum_of_results = 0;  // printed, so that nothing is optimised away

// Of one time, the best of a few repetitions that each last long enough for the clock.
template <class Work>
double best_seconds(Work work) {
  constexpr double kLongEnough = 0.01;
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepetitions; ++i) {
    const std::clock_t start = std::clock();
    double seconds = 0;
    int times = 0;
    for (; seconds < kLongEnough; ++times) {
      sum_of_results += work();
      seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    }
    best = std::min(best, seconds / times);
  }
  return best;
}

accelscope_tensor matrix(std::vector<float>& values, std::uint32_t rows, std::uint32_t columns,
                         std::uint32_t access) {
  values.resize(std::size_t{rows} * columns, 1);
  accelscope_tensor tensor = {};
  tensor.data = values.data();
  tensor.data_type = ACCELSCOPE_FLOAT32;
  tensor.access = access;
  tensor.dimensions = 2;
  tensor.shape[0] = rows;
  tensor.shape[1] = columns;
  tensor.strides[0] = columns;
  tensor.strides[1] = 1;
  return tensor;
}

accelscope_kernel_call call_with(const std::vector<accelscope_tensor>& tensors) {
  accelscope_kernel_call call = {};
  call.tensors = tensors.data();
  call.tensor_count = static_cast<std::uint32_t>(tensors.size());
  call.blocks = 1;
  return call;
}

double run(const accelscope_kernel& kernel, const accelscope_kernel_call& call,
           const std::vector<float>& result) {
  return best_seconds([&] {
    if (kernel.run(&call) != 0) fmt::print("{} failed\n", kernel.name);
    return result[0];
  });
}

float naive_product(const std::vector<float>& a, const std::vector<float>& b, std::vector<float>& out,
                    std::uint32_t size) {
  for (std::uint32_t i = 0; i < size; ++i)
    for (std::uint32_t j = 0; j < size; ++j) {
      float sum = 0;
      for (std::uint32_t k = 0; k < size; ++k)
        sum += a[std::size_t{i} * size + k] * b[std::size_t{k} * size + j];
      out[std::size_t{i} * size + j] = sum;
    }
  return out[0];
}

void measure_product(const runtime::KernelRegistry& kernels, std::string_view name, std::uint32_t size) {
  std::vector<float> a;
  std::vector<float> b;
  std::vector<float> out;
  const std::vector<accelscope_tensor> tensors = {matrix(a, size, size, 1), matrix(b, size, size, 1),
                                                  matrix(out, size, size, 2)};
  const double seconds = run(*kernels.find(name), call_with(tensors), out);
  const double naive = best_seconds([&] { return naive_product(a, b, out, size); });
  const double operations = 2e-9 * size * size * size;
  fmt::print("{:<12} {:>4} x {:<4} {:7.2f} GFLOP/s (naive, same order of additions: {:.2f})\n", name, size,
             size, operations / seconds, operations / naive);
}

void measure_stream(const runtime::KernelRegistry& kernels, std::string_view name, std::size_t inputs) {
  constexpr std::uint32_t kRows = 256;
  constexpr std::uint32_t kColumns = 1024;
  std::vector<std::vector<float>> values(inputs + 1);
  std::vector<accelscope_tensor> tensors;
  for (std::size_t i = 0; i <= inputs; ++i)
    tensors.push_back(matrix(values[i], kRows, kColumns, i == inputs ? 2 : 1));
  const double seconds = run(*kernels.find(name), call_with(tensors), values.back());
  const double copied = best_seconds([&] {
    for (std::size_t i = 0; i < inputs; ++i)
      std::memcpy(values.back().data(), values[i].data(), values[i].size() * sizeof(float));
    return values.back()[0];
  });
  const double elements = 1e-6 * kRows * kColumns;
  fmt::print("{:<12} {:>4} x {:<4} {:7.0f} M elements/s (memcpy of the inputs: {:.0f})\n", name, kRows,
             kColumns, elements / seconds, elements / copied);
}

}  // namespace

int main() {
  const runtime::KernelRegistry kernels = runtime::KernelRegistry::with_builtins();
  for (const std::uint32_t size : {64U, 512U})
    for (const std::string_view name : {"gemm", "gemm_nt"}) measure_product(kernels, name, size);
  for (const std::string_view name : {"copy", "relu", "exp", "gelu", "softmax"})
    measure_stream(kernels, name, 1);
  measure_stream(kernels, "add", 2);
  fmt::print("(checksum {})\n", sum_of_results);
}
