#include "runtime/naive_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

#include "runtime/buffer_content.h"
#include "runtime/kernel_call.h"

namespace accelscope::runtime {
namespace {

struct Tensor {
  TensorView view;
  DataType type;
  std::vector<double>* memory;

  std::uint64_t size() const { return element_count(view); }
  std::uint64_t rows() const { return size() / columns(); }
  std::uint64_t columns() const { return view.dimensions == 0 ? 1 : view.shape[view.dimensions - 1]; }
  double get(std::uint64_t position) const { return memory->at(element_at(view, position)); }
  void set(std::uint64_t position, double value) const {
    std::array<std::byte, 8> place{};
    store(type, value, place.data());
    memory->at(element_at(view, position)) = load(type, place.data());
  }
  double at(std::uint64_t row, std::uint64_t column) const { return get(row * columns() + column); }
  void put(std::uint64_t row, std::uint64_t column, double value) const {
    set(row * columns() + column, value);
  }
};

using Tensors = std::vector<Tensor>;
using Scalars = std::vector<double>;
using Run = std::function<void(const Tensors&, const Scalars&)>;

// Which element of `b` belongs to a position of `a`: dimensions from the last, those that b lacks or that are
// 1 do not count.
std::uint64_t broadcast(const TensorView& a, const TensorView& b, std::uint64_t position) {
  std::uint64_t element = 0;
  std::uint64_t factor = 1;
  for (std::uint32_t i = 0; i < a.dimensions; ++i) {
    const std::uint32_t extent = a.shape[a.dimensions - 1 - i];
    const std::uint64_t index = position % extent;
    position /= extent;
    if (i >= b.dimensions) continue;
    const std::uint32_t own = b.shape[b.dimensions - 1 - i];
    if (own != 1) element += index * factor;
    factor *= own;
  }
  return element;
}

Run unary(double (*f)(double)) {
  return [f](const Tensors& t, const Scalars&) {
    if (t[0].size() != t[1].size()) throw std::runtime_error("sizes differ");
    for (std::uint64_t i = 0; i < t[1].size(); ++i) t[1].set(i, f(t[0].get(i)));
  };
}

Run binary(double (*f)(double, double)) {
  return [f](const Tensors& t, const Scalars&) {
    if (t[0].size() != t[2].size()) throw std::runtime_error("sizes differ");
    for (std::uint64_t i = 0; i < t[2].size(); ++i)
      t[2].set(i, f(t[0].get(i), t[1].get(broadcast(t[0].view, t[1].view, i))));
  };
}

Run gemm(bool transposed, bool adds) {
  return [=](const Tensors& t, const Scalars&) {
    const std::uint64_t depth = t[0].columns();
    if ((transposed ? t[1].columns() : t[1].rows()) != depth || t[2].rows() != t[0].rows())
      throw std::runtime_error("shapes of gemm differ");
    for (std::uint64_t i = 0; i < t[2].rows(); ++i)
      for (std::uint64_t j = 0; j < t[2].columns(); ++j) {
        double sum = adds ? t[2].at(i, j) : 0;
        for (std::uint64_t l = 0; l < depth; ++l)
          sum += t[0].at(i, l) * (transposed ? t[1].at(j, l) : t[1].at(l, j));
        t[2].put(i, j, sum);
      }
  };
}

void softmax(const Tensors& t, const Scalars&) {
  for (std::uint64_t i = 0; i < t[0].rows(); ++i) {
    double total = 0;
    for (std::uint64_t j = 0; j < t[0].columns(); ++j) total += std::exp(t[0].at(i, j));
    for (std::uint64_t j = 0; j < t[0].columns(); ++j) t[1].put(i, j, std::exp(t[0].at(i, j)) / total);
  }
}

void top_k_mask(const Tensors& t, const Scalars& s) {
  for (std::uint64_t i = 0; i < t[0].rows(); ++i)
    for (std::uint64_t j = 0; j < t[0].columns(); ++j) {
      double before = 0;
      for (std::uint64_t other = 0; other < t[0].columns(); ++other)
        if (t[0].at(i, other) > t[0].at(i, j) || (t[0].at(i, other) == t[0].at(i, j) && other < j)) ++before;
      t[1].put(i, j, before < s.at(0) ? 1 : 0);
    }
}

void softmax_update(const Tensors& t, const Scalars& s) {
  for (std::uint64_t i = 0; i < t[0].rows(); ++i) {
    const double old = t[1].get(i);
    double most = old;
    for (std::uint64_t j = 0; j < t[0].columns(); ++j) most = std::max(most, t[0].at(i, j) * s.at(0));
    double sum = 0;
    for (std::uint64_t j = 0; j < t[0].columns(); ++j) {
      t[0].put(i, j, std::exp(t[0].at(i, j) * s.at(0) - most));
      sum += t[0].at(i, j);
    }
    const double correction = std::exp(old - most);
    t[1].set(i, most);
    t[2].set(i, t[2].get(i) * correction + sum);
    t[3].set(i, correction);
  }
}

void rescale_add(const Tensors& t, const Scalars&) {
  for (std::uint64_t i = 0; i < t[0].size(); ++i)
    t[0].set(i, t[0].get(i) * t[1].get(i / t[0].columns()) + t[2].get(i));
}

void normalize_rows(const Tensors& t, const Scalars&) {
  for (std::uint64_t i = 0; i < t[0].size(); ++i) t[2].set(i, t[0].get(i) / t[1].get(i / t[0].columns()));
}

void rms_norm(const Tensors& t, const Scalars& s) {
  for (std::uint64_t i = 0; i < t[0].rows(); ++i) {
    double squares = 0;
    for (std::uint64_t j = 0; j < t[0].columns(); ++j) squares += t[0].at(i, j) * t[0].at(i, j);
    const double size = std::sqrt(squares / static_cast<double>(t[0].columns()) + s.at(0));
    for (std::uint64_t j = 0; j < t[0].columns(); ++j) t[2].put(i, j, t[0].at(i, j) / size * t[1].get(j));
  }
}

Run reduce(double start, double (*f)(double, double)) {
  return [=](const Tensors& t, const Scalars&) {
    if (t[1].size() != t[0].rows()) throw std::runtime_error("sizes differ");
    for (std::uint64_t i = 0; i < t[0].rows(); ++i) {
      double result = start;
      for (std::uint64_t j = 0; j < t[0].columns(); ++j) result = f(result, t[0].at(i, j));
      t[1].set(i, result);
    }
  };
}

double sum_of(double a, double b) {
  return a + b;
}
double larger_of(double a, double b) {
  return std::max(a, b);
}

struct NaiveKernel {
  accelscope_kernel kernel;
  Run run;
};

const std::map<std::string_view, NaiveKernel>& kernels() {
  static const auto kMake = [] {
    std::map<std::string_view, NaiveKernel> all;
    const auto add = [&](const char* name, std::uint32_t engine, Run run) {
      all[name] = {{name, engine, nullptr, nullptr, nullptr}, std::move(run)};
    };
    const auto vector = [&](const char* name, Run run) {
      add(name, ACCELSCOPE_ENGINE_VECTOR, std::move(run));
    };
    vector("copy", unary([](double a) { return a; }));
    vector("cast", unary([](double a) { return a; }));
    vector("relu", unary([](double a) { return std::max(a, 0.0); }));
    vector("silu", unary([](double a) { return a / (1 + std::exp(-a)); }));
    vector("add", binary(sum_of));
    vector("sub", binary([](double a, double b) { return a - b; }));
    vector("mul", binary([](double a, double b) { return a * b; }));
    vector("maximum", binary(larger_of));
    vector("fill", [](const Tensors& t, const Scalars& s) {
      for (std::uint64_t i = 0; i < t[0].size(); ++i) t[0].set(i, s.at(0));
    });
    vector("scale", [](const Tensors& t, const Scalars& s) {
      for (std::uint64_t i = 0; i < t[0].size(); ++i) t[1].set(i, t[0].get(i) * s.at(0) + s.at(1));
    });
    vector("reduce_sum", reduce(0, sum_of));
    vector("reduce_max", reduce(-1e300, larger_of));
    vector("softmax", softmax);
    vector("top_k_mask", top_k_mask);
    vector("softmax_update", softmax_update);
    vector("rescale_add", rescale_add);
    vector("normalize_rows", normalize_rows);
    vector("rms_norm", rms_norm);
    vector("spin", [](const Tensors&, const Scalars&) {});
    vector("empty", [](const Tensors&, const Scalars&) {});
    add("gemm", ACCELSCOPE_ENGINE_CUBE, gemm(false, false));
    add("gemm_add", ACCELSCOPE_ENGINE_CUBE, gemm(false, true));
    add("gemm_nt", ACCELSCOPE_ENGINE_CUBE, gemm(true, false));
    return all;
  };
  static const std::map<std::string_view, NaiveKernel> kKernels = kMake();
  return kKernels;
}

}  // namespace

const accelscope_kernel* naive_kernel(std::string_view name) {
  const auto found = kernels().find(name);
  return found == kernels().end() ? nullptr : &found->second.kernel;
}

std::vector<std::vector<double>> naive_run(const Graph& graph) {
  std::vector<std::vector<double>> memory;
  for (const Buffer& buffer : graph.buffers) {
    std::vector<std::byte> bytes(bytes_of(buffer));
    fill(buffer, bytes);
    std::vector<double>& numbers = memory.emplace_back(buffer.elements);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = load(buffer.type, bytes.data() + i * facts_of(buffer.type).bytes);
    // What a task makes holds anything until it is written.
    if (buffer.made_by != kNoTask) std::fill(numbers.begin(), numbers.end(), std::nan(""));
  }
  for (std::uint32_t i = 0; i < graph.tasks.size(); ++i) {
    const Task& task = graph.tasks[i];
    if (task.kind != TaskKind::kKernel) continue;
    const TensorView& flag = task.predicate.view;
    if (task.predicate.present && (memory[flag.buffer].at(flag.start) == 0) != task.predicate.when_zero)
      continue;
    Tensors tensors;
    for (const Argument& argument : graph.arguments_of(i))
      tensors.push_back(
          {argument.view, graph.buffers[argument.view.buffer].type, &memory[argument.view.buffer]});
    const std::span<const double> scalars = graph.scalars_of(i);
    for (const std::int32_t kernel : task.kernels) {
      if (kernel == kNoKernel) continue;
      const Function& function = graph.functions[static_cast<std::size_t>(kernel)];
      const Range of_tensors = within(function.arguments, tensors.size());
      const Range of_scalars = within(function.scalars, scalars.size());
      const auto found = kernels().find(function.kernel);
      if (found == kernels().end()) throw std::runtime_error("no such kernel: " + function.kernel);
      found->second.run(
          Tensors(tensors.begin() + of_tensors.first, tensors.begin() + of_tensors.first + of_tensors.count),
          Scalars(scalars.begin() + of_scalars.first, scalars.begin() + of_scalars.first + of_scalars.count));
    }
  }
  return memory;
}

std::vector<std::string> unmet(const Graph& graph, const std::vector<std::vector<double>>& memory) {
  std::vector<std::string> sentences;
  for (const Expectation& expectation : graph.expectations) {
    const Buffer& buffer = graph.buffers[expectation.view.buffer];
    std::vector<std::byte> bytes(bytes_of(buffer));
    for (std::size_t i = 0; i < buffer.elements; ++i)
      store(buffer.type, memory[expectation.view.buffer][i], bytes.data() + i * facts_of(buffer.type).bytes);
    const Comparison comparison = compare(expectation, buffer.type, bytes);
    if (comparison.differing > 0) sentences.push_back(in_words(comparison, expectation, buffer.name));
  }
  return sentences;
}

}  // namespace accelscope::runtime
