// Kernels that look at whole lines, the last dimension: reductions, softmax, normalisations, the largest
// ones.
//
// Sums go from the first element to the last, in double precision, so that they are the same everywhere.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "runtime/kernels/arguments.h"
#include "runtime/kernels/builtins.h"
#include "runtime/kernels/elements.h"
#include "runtime/kernels/lines.h"
#include "runtime/kernels/mathematics.h"

namespace accelscope::runtime {
namespace {

using Call = accelscope_kernel_call;
using Work = accelscope_kernel_work;

template <class Number>
void load(const Line& line, const std::byte* data, std::vector<Number>& values) {
  values.resize(line.length);
  load_line(line.type(), data, line.step, values.size(), values.data());
}

struct Sum {
  static constexpr const char* kSentence = "reduce_sum takes a, which it reads, and out, which it writes";
  static float of(const std::vector<float>& values) {
    return static_cast<float>(std::accumulate(values.begin(), values.end(), 0.0));
  }
  static std::int64_t of(const std::vector<std::int64_t>& values) {
    std::uint64_t sum = 0;
    for (const std::int64_t value : values) sum += static_cast<std::uint64_t>(value);
    return static_cast<std::int64_t>(sum);
  }
};

struct Largest {
  static constexpr const char* kSentence = "reduce_max takes a, which it reads, and out, which it writes";
  static float of(const std::vector<float>& values) {
    float largest = -std::numeric_limits<float>::infinity();
    for (const float value : values) largest = value > largest || value != value ? value : largest;
    return largest;
  }
  static std::int64_t of(const std::vector<std::int64_t>& values) {
    return values.empty() ? std::numeric_limits<std::int64_t>::min()
                          : *std::max_element(values.begin(), values.end());
  }
};

template <class Op>
struct Reduce {
  static constexpr Signature kSignature = {"rw", 0, 0, Op::kSentence};

  static const char* check(const Call* call) {
    if (const char* wrong = wrong_arguments(*call, kSignature)) return wrong;
    if (const char* wrong = mixed_numbers(*call)) return wrong;
    if (!has_number_per_line(call->tensors[1], call->tensors[0]))
      return "out must have the shape of a without its last dimension, or with one element there";
    return nullptr;
  }
  static Walk<2> walk_of(const Call& call) {
    return walk_over_lines<2>(
        call, {whole_line(call.tensors[0]), number_per_line(call.tensors[1], call.tensors[0])});
  }
  template <class Number>
  static void reduce(const Walk<2>& walk) {
    std::vector<Number> values;
    walk.for_each_line([&](const std::array<std::byte*, 2>& data) {
      load(walk.lines[0], data[0], values);
      const Number result = Op::of(values);
      store_line(walk.lines[1].type(), data[1], 1, &result, 1);
    });
  }
  static int run(const Call* call) {
    const Walk<2> walk = walk_of(*call);
    if (is_floating(walk.lines[0].type()))
      reduce<float>(walk);
    else
      reduce<std::int64_t>(walk);
    return 0;
  }
  static void work(const Call* call, Work* work) {
    const Walk<2> walk = walk_of(*call);
    walk.add_work(1, walk.lines[0], *work);
  }
};

// What softmax, top_k_mask and the normalisations have in common: line in, line out.
template <class Op>
struct LineToLine {
  static const char* check(const Call* call) {
    if (const char* wrong = wrong_arguments(*call, Op::kSignature)) return wrong;
    if (const char* wrong = not_all_floats(*call)) return wrong;
    const accelscope_tensor& in = call->tensors[0];
    if (!same_shape(in, call->tensors[call->tensor_count - 1]))
      return "the first tensor and out must have the same shape";
    for (std::uint32_t i = 1; i + 1 < call->tensor_count; ++i)
      if (!is_one_line_of(call->tensors[i], in))
        return "gain and bias must have one dimension, as long as the last one of a";
    return Op::check_scalars(*call);
  }
  static constexpr std::size_t kTensors = Op::kSignature.tensors.size();
  static Walk<kTensors> walk_of(const Call& call) {
    std::array<Line, kTensors> lines;
    for (std::size_t i = 0; i < kTensors; ++i) lines[i] = repeated_line(call.tensors[i], call.tensors[0]);
    return walk_over_lines(call, lines);
  }
  static int run(const Call* call) {
    const Walk<kTensors> walk = walk_of(*call);
    std::vector<float> values;
    std::array<std::vector<float>, kTensors - 2> more;
    walk.for_each_line([&](const std::array<std::byte*, kTensors>& data) {
      load(walk.lines[0], data[0], values);
      for (std::size_t i = 0; i < more.size(); ++i) load(walk.lines[i + 1], data[i + 1], more[i]);
      Op::apply(values, more, *call);
      const Line& out = walk.lines[kTensors - 1];
      store_line(out.type(), data[kTensors - 1], out.step, values.data(), values.size());
    });
    return 0;
  }
  static void work(const Call* call, Work* work) {
    const Walk<kTensors> walk = walk_of(*call);
    walk.add_work_of_whole_lines(Op::kOperations, *work);
  }
};

struct Softmax {
  static constexpr Signature kSignature = {"rw", 0, 0,
                                           "softmax takes a, which it reads, and out, which it writes"};
  static constexpr double kOperations = 12;
  static const char* check_scalars(const Call&) { return nullptr; }
  static void apply(std::vector<float>& values, const std::array<std::vector<float>, 0>&, const Call&) {
    const float largest = Largest::of(values);
    for (float& value : values) value = static_cast<float>(exponential(static_cast<double>(value) - largest));
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    for (float& value : values) value = static_cast<float>(value / sum);
  }
};

struct LayerNorm {
  static constexpr Signature kSignature = {
      "rrrw", 0, 1,
      "layer_norm takes a, gain and bias, which it reads, out, which it writes, and an epsilon"};
  static constexpr double kOperations = 8;
  static const char* check_scalars(const Call& call) {
    return scalar_or(call, 0, 0) >= 0 ? nullptr : "epsilon must not be negative";
  }
  static void apply(std::vector<float>& values, const std::array<std::vector<float>, 2>& more,
                    const Call& call) {
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const float value : values) squares += (value - mean) * (value - mean);
    const double factor = 1 / std::sqrt(squares / count + scalar_or(call, 0, 1e-5));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>((values[i] - mean) * factor * more[0][i] + more[1][i]);
  }
};

struct RmsNorm {
  static constexpr Signature kSignature = {
      "rrw", 0, 1, "rms_norm takes a and gain, which it reads, out, which it writes, and an epsilon"};
  static constexpr double kOperations = 5;
  static const char* check_scalars(const Call& call) { return LayerNorm::check_scalars(call); }
  static void apply(std::vector<float>& values, const std::array<std::vector<float>, 1>& more,
                    const Call& call) {
    double squares = 0;
    for (const float value : values) squares += static_cast<double>(value) * value;
    const double factor =
        1 / std::sqrt(squares / static_cast<double>(values.size()) + scalar_or(call, 0, 1e-5));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(values[i] * factor * more[0][i]);
  }
};

struct TopKMask {
  static constexpr Signature kSignature = {
      "rw", 1, 1, "top_k_mask takes scores, which it reads, out, which it writes, and k"};
  static constexpr double kOperations = 16;
  static const char* check_scalars(const Call& call) {
    const double k = call.scalars[0];
    const bool whole = k >= 0 && k <= 4294967295.0 && k == std::floor(k);
    return whole ? nullptr : "k must be a whole number that is not negative";
  }
  static void apply(std::vector<float>& values, const std::array<std::vector<float>, 0>&, const Call& call) {
    const auto k = static_cast<std::ptrdiff_t>(std::min(static_cast<double>(values.size()), call.scalars[0]));
    std::vector<std::uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    // What is no number comes last.
    const auto key = [&](std::uint32_t i) {
      return values[i] == values[i] ? values[i] : -std::numeric_limits<float>::infinity();
    };
    std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return key(a) != key(b) ? key(a) > key(b) : a < b;
    });
    std::fill(values.begin(), values.end(), 0.0F);
    for (std::ptrdiff_t i = 0; i < k; ++i) values[order[static_cast<std::size_t>(i)]] = 1;
  }
};

constexpr accelscope_kernel kRowsKernels[] = {
    vector_kernel<Reduce<Sum>>("reduce_sum"),       vector_kernel<Reduce<Largest>>("reduce_max"),
    vector_kernel<LineToLine<Softmax>>("softmax"),  vector_kernel<LineToLine<LayerNorm>>("layer_norm"),
    vector_kernel<LineToLine<RmsNorm>>("rms_norm"), vector_kernel<LineToLine<TopKMask>>("top_k_mask"),
};

}  // namespace

std::span<const accelscope_kernel> row_kernels() {
  return kRowsKernels;
}

}  // namespace accelscope::runtime
