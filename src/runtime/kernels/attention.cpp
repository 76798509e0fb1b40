// The pieces of attention over blocks of keys: the running softmax, the correction of what was added up so
// far, the division at the end.
//
//   for every block of keys and values:
//     gemm_nt(queries, keys, scores)
//     softmax_update(scores, running_max, running_sum, correction; 1 / sqrt(d))
//     gemm(scores, values, addend)
//     rescale_add(accumulator, correction, addend)
//   normalize_rows(accumulator, running_sum, out)
#include <algorithm>
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

float load(const Line& line, const std::byte* data) {
  float value = 0;
  load_line(line.type(), data, 1, 1, &value);
  return value;
}

void store(const Line& line, std::byte* data, float value) {
  store_line(line.type(), data, 1, &value, 1);
}

// Of each call: scores become probabilities relative to the largest score so far.
struct SoftmaxUpdate {
  static constexpr Signature kSignature = {"bbbw", 0, 1,
                                           "softmax_update takes scores, running_max and running_sum, which "
                                           "it reads and writes, correction, which "
                                           "it writes, and, if wanted, a scale"};

  static const char* check(const Call* call) {
    if (const char* wrong = wrong_arguments(*call, kSignature)) return wrong;
    if (const char* wrong = not_all_floats(*call)) return wrong;
    for (std::uint32_t i = 1; i < 4; ++i)
      if (!has_number_per_line(call->tensors[i], call->tensors[0]))
        return "running_max, running_sum and correction must have the shape of scores without its last "
               "dimension, or with one element there";
    return nullptr;
  }
  static Walk<4> walk_of(const Call& call) {
    std::array<Line, 4> lines = {whole_line(call.tensors[0])};
    for (std::size_t i = 1; i < 4; ++i) lines[i] = number_per_line(call.tensors[i], call.tensors[0]);
    return walk_over_lines(call, lines);
  }
  static int run(const Call* call) {
    const Walk<4> walk = walk_of(*call);
    const auto scale = static_cast<float>(scalar_or(*call, 0, 1));
    std::vector<float> scores(walk.lines[0].length);
    walk.for_each_line([&](const std::array<std::byte*, 4>& data) {
      load_line(walk.lines[0].type(), data[0], walk.lines[0].step, scores.size(), scores.data());
      float largest = load(walk.lines[1], data[1]);
      float sum = load(walk.lines[2], data[2]);
      store(walk.lines[3], data[3], update(scores, scale, largest, sum));
      store(walk.lines[1], data[1], largest);
      store(walk.lines[2], data[2], sum);
      store_line(walk.lines[0].type(), data[0], walk.lines[0].step, scores.data(), scores.size());
    });
    return 0;
  }
  static void work(const Call* call, Work* work) {
    const Walk<4> walk = walk_of(*call);
    walk.add_work_of_whole_lines(12, *work);
  }

 private:
  // The correction: what everything added up so far must be multiplied with.
  static float update(std::vector<float>& scores, float scale, float& largest, float& sum) {
    const float before = largest;
    for (float& score : scores) {
      score *= scale;
      largest = score > largest || score != score ? score : largest;
    }
    // Nothing but masked scores so far: no probability, and nothing to correct.
    if (largest == -std::numeric_limits<float>::infinity()) {
      std::fill(scores.begin(), scores.end(), 0.0F);
      return 1;
    }
    for (float& score : scores) score = static_cast<float>(exponential(static_cast<double>(score) - largest));
    const double added = std::accumulate(scores.begin(), scores.end(), 0.0);
    const auto correction = static_cast<float>(exponential(static_cast<double>(before) - largest));
    sum = static_cast<float>(static_cast<double>(sum) * correction + added);
    return correction;
  }
};

// Line by line, with one number for each line: what rescale_add and normalize_rows do.
template <class Op>
struct WithNumberPerLine {
  static const char* check(const Call* call) {
    if (const char* wrong = wrong_arguments(*call, Op::kSignature)) return wrong;
    if (const char* wrong = not_all_floats(*call)) return wrong;
    if (!same_shape(call->tensors[0], call->tensors[2])) return Op::kSameShape;
    if (!has_number_per_line(call->tensors[1], call->tensors[0])) return Op::kPerLine;
    return nullptr;
  }
  static Walk<3> walk_of(const Call& call) {
    return walk_over_lines<3>(call,
                              {whole_line(call.tensors[0]), number_per_line(call.tensors[1], call.tensors[0]),
                               whole_line(call.tensors[2])});
  }
  static int run(const Call* call) {
    const Walk<3> walk = walk_of(*call);
    std::vector<float> first(walk.lines[0].length);
    std::vector<float> third(walk.lines[0].length);
    walk.for_each_line([&](const std::array<std::byte*, 3>& data) {
      load_line(walk.lines[0].type(), data[0], walk.lines[0].step, first.size(), first.data());
      if (Op::kReadsThird)
        load_line(walk.lines[2].type(), data[2], walk.lines[2].step, third.size(), third.data());
      const float number = load(walk.lines[1], data[1]);
      for (std::size_t i = 0; i < first.size(); ++i) first[i] = Op::apply(first[i], number, third[i]);
      const Line& out = walk.lines[Op::kOut];
      store_line(out.type(), data[Op::kOut], out.step, first.data(), first.size());
    });
    return 0;
  }
  static void work(const Call* call, Work* work) {
    const Walk<3> walk = walk_of(*call);
    walk.add_work(2, walk.lines[0], *work);
  }
};

struct RescaleAdd {
  static constexpr Signature kSignature = {"brr", 0, 0,
                                           "rescale_add takes accumulator, which it reads and writes, "
                                           "correction and addend, which it reads"};
  static constexpr const char* kSameShape = "accumulator and addend must have the same shape";
  static constexpr const char* kPerLine =
      "correction must have the shape of accumulator without its last dimension, or with one element there";
  static constexpr bool kReadsThird = true;
  static constexpr std::size_t kOut = 0;
  static float apply(float accumulator, float correction, float addend) {
    return accumulator * correction + addend;
  }
};

struct NormalizeRows {
  static constexpr Signature kSignature = {
      "rrw", 0, 0, "normalize_rows takes a and sums, which it reads, and out, which it writes"};
  static constexpr const char* kSameShape = "a and out must have the same shape";
  static constexpr const char* kPerLine =
      "sums must have the shape of a without its last dimension, or with one element there";
  static constexpr bool kReadsThird = false;
  static constexpr std::size_t kOut = 2;
  static float apply(float value, float sum, float) { return value / sum; }
};

constexpr accelscope_kernel kAttentionKernels[] = {
    vector_kernel<SoftmaxUpdate>("softmax_update"),
    vector_kernel<WithNumberPerLine<RescaleAdd>>("rescale_add"),
    vector_kernel<WithNumberPerLine<NormalizeRows>>("normalize_rows"),
};

}  // namespace

std::span<const accelscope_kernel> attention_kernels() {
  return kAttentionKernels;
}

}  // namespace accelscope::runtime
