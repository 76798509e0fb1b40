// Kernels in which an element of the output comes from the elements at the same place in the inputs.
#include <cmath>
#include <cstring>

#include "runtime/kernels/arguments.h"
#include "runtime/kernels/builtins.h"
#include "runtime/kernels/elements.h"
#include "runtime/kernels/lines.h"
#include "runtime/kernels/mathematics.h"

namespace accelscope::runtime {
namespace {

using Call = accelscope_kernel_call;
using Work = accelscope_kernel_work;

// Lines are worked on in pieces that stay in the nearest cache.
constexpr std::size_t kChunk = 1024;

template <class Number, std::size_t kTensors, class Apply>
void map_lines(const Walk<kTensors>& walk, Apply&& apply) {
  constexpr std::size_t kInputs = kTensors - 1;
  std::array<std::array<Number, kChunk>, kInputs> values;
  const std::size_t length = walk.lines.back().length;
  walk.for_each_line([&](const std::array<std::byte*, kTensors>& data) {
    for (std::size_t first = 0; first < length; first += kChunk) {
      const std::size_t count = std::min(kChunk, length - first);
      const auto at = [&](std::size_t tensor) {
        const Line& line = walk.lines[tensor];
        return data[tensor] + static_cast<std::int64_t>(first) * line.step * facts_of(line.type()).bytes;
      };
      for (std::size_t t = 0; t < kInputs; ++t)
        load_line(walk.lines[t].type(), at(t), walk.lines[t].step, count, values[t].data());
      for (std::size_t i = 0; i < count; ++i) {
        if constexpr (kInputs == 1)
          values[0][i] = apply(values[0][i]);
        else
          values[0][i] = apply(values[0][i], values[1][i]);
      }
      store_line(walk.lines[kInputs].type(), at(kInputs), walk.lines[kInputs].step, values[0].data(), count);
    }
  });
}

template <std::size_t kTensors>
Walk<kTensors> walk_of(const Call& call) {
  std::array<const accelscope_tensor*, kTensors> tensors;
  for (std::size_t i = 0; i < kTensors; ++i) tensors[i] = &call.tensors[i];
  return elementwise_walk(call, tensors);
}

template <std::size_t kTensors>
void add_work(const Call& call, double operations_per_element, Work& work) {
  const Walk<kTensors> walk = walk_of<kTensors>(call);
  walk.add_work(operations_per_element, walk.lines.back(), work);
}

// Sums and products of integers wrap in 64 bits.
std::int64_t wrapped(std::uint64_t bits) {
  return static_cast<std::int64_t>(bits);
}
std::uint64_t bits_of(std::int64_t number) {
  return static_cast<std::uint64_t>(number);
}

struct Add {
  static constexpr const char* kName = "add";
  static constexpr const char* kSentence = "add takes a and b, which it reads, and out, which it writes";
  static constexpr bool kOnlyFloats = false;
  static float apply(float a, float b) { return a + b; }
  static std::int64_t apply(std::int64_t a, std::int64_t b) { return wrapped(bits_of(a) + bits_of(b)); }
};

struct Subtract {
  static constexpr const char* kName = "sub";
  static constexpr const char* kSentence = "sub takes a and b, which it reads, and out, which it writes";
  static constexpr bool kOnlyFloats = false;
  static float apply(float a, float b) { return a - b; }
  static std::int64_t apply(std::int64_t a, std::int64_t b) { return wrapped(bits_of(a) - bits_of(b)); }
};

struct Multiply {
  static constexpr const char* kName = "mul";
  static constexpr const char* kSentence = "mul takes a and b, which it reads, and out, which it writes";
  static constexpr bool kOnlyFloats = false;
  static float apply(float a, float b) { return a * b; }
  static std::int64_t apply(std::int64_t a, std::int64_t b) { return wrapped(bits_of(a) * bits_of(b)); }
};

struct Divide {
  static constexpr const char* kName = "div";
  static constexpr const char* kSentence = "div takes a and b, which it reads, and out, which it writes";
  static constexpr bool kOnlyFloats = true;
  static float apply(float a, float b) { return a / b; }
};

struct Maximum {
  static constexpr const char* kName = "maximum";
  static constexpr const char* kSentence = "maximum takes a and b, which it reads, and out, which it writes";
  static constexpr bool kOnlyFloats = false;
  // What is no number wins, whichever side it is on.
  static float apply(float a, float b) { return a != a || a > b ? a : b; }
  static std::int64_t apply(std::int64_t a, std::int64_t b) { return a > b ? a : b; }
};

template <class Op>
struct Binary {
  static constexpr Signature kSignature = {"rrw", 0, 0, Op::kSentence};

  static const char* check(const Call* call) {
    if (const char* wrong = wrong_arguments(*call, kSignature)) return wrong;
    if (const char* wrong = Op::kOnlyFloats ? not_all_floats(*call) : mixed_numbers(*call)) return wrong;
    if (!same_shape(call->tensors[0], call->tensors[2])) return "a and out must have the same shape";
    if (!repeats_to(call->tensors[1], call->tensors[2]))
      return "b must have the shape of a, one element, or lack leading dimensions or have one element along "
             "some";
    return nullptr;
  }

  static int run(const Call* call) {
    const Walk<3> walk = walk_of<3>(*call);
    if constexpr (!Op::kOnlyFloats) {
      if (!is_floating(walk.lines[2].type())) {
        map_lines<std::int64_t>(walk, [](std::int64_t a, std::int64_t b) { return Op::apply(a, b); });
        return 0;
      }
    }
    map_lines<float>(walk, [](float a, float b) { return Op::apply(a, b); });
    return 0;
  }

  static void work(const Call* call, Work* work) { add_work<3>(*call, 1, *work); }
};

struct Exponential {
  static constexpr const char* kName = "exp";
  static constexpr const char* kSentence = "exp takes a, which it reads, and out, which it writes";
  static constexpr double kOperations = 8;
  static float apply(float x) { return static_cast<float>(exponential(x)); }
};

struct Relu {
  static constexpr const char* kName = "relu";
  static constexpr const char* kSentence = "relu takes a, which it reads, and out, which it writes";
  static constexpr double kOperations = 1;
  static float apply(float x) { return x < 0 ? 0 : x; }
};

// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))), as accelerators compute it.
struct Gelu {
  static constexpr const char* kName = "gelu";
  static constexpr const char* kSentence = "gelu takes a, which it reads, and out, which it writes";
  static constexpr double kOperations = 14;
  static float apply(float x) {
    const double wide = x;
    return static_cast<float>(
        0.5 * wide *
        (1 + hyperbolic_tangent(0.79788456080286535588 * (wide + 0.044715 * wide * wide * wide))));
  }
};

struct Silu {
  static constexpr const char* kName = "silu";
  static constexpr const char* kSentence = "silu takes a, which it reads, and out, which it writes";
  static constexpr double kOperations = 11;
  // Far below zero the product is of an infinity's inverse, which is right; of minus infinity itself it is
  // not.
  static float apply(float x) { return x < -1000 ? -0.0F : static_cast<float>(x * logistic(x)); }
};

struct Sigmoid {
  static constexpr const char* kName = "sigmoid";
  static constexpr const char* kSentence = "sigmoid takes a, which it reads, and out, which it writes";
  static constexpr double kOperations = 10;
  static float apply(float x) { return static_cast<float>(logistic(x)); }
};

struct InverseRoot {
  static constexpr const char* kName = "rsqrt";
  static constexpr const char* kSentence = "rsqrt takes a, which it reads, and out, which it writes";
  static constexpr double kOperations = 2;
  static float apply(float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }
};

template <class Op>
struct Unary {
  static constexpr Signature kSignature = {"rw", 0, 0, Op::kSentence};

  static const char* check(const Call* call) {
    if (const char* wrong = wrong_arguments(*call, kSignature)) return wrong;
    if (const char* wrong = not_all_floats(*call)) return wrong;
    return same_shape(call->tensors[0], call->tensors[1]) ? nullptr : "a and out must have the same shape";
  }

  static int run(const Call* call) {
    map_lines<float>(walk_of<2>(*call), [](float x) { return Op::apply(x); });
    return 0;
  }

  static void work(const Call* call, Work* work) { add_work<2>(*call, Op::kOperations, *work); }
};

struct Scale {
  static constexpr Signature kSignature = {
      "rw", 1, 2, "scale takes a, which it reads, out, which it writes, a factor and, if wanted, an offset"};

  static const char* check(const Call* call) {
    if (const char* wrong = wrong_arguments(*call, kSignature)) return wrong;
    if (const char* wrong = not_all_floats(*call)) return wrong;
    return same_shape(call->tensors[0], call->tensors[1]) ? nullptr : "a and out must have the same shape";
  }
  static int run(const Call* call) {
    const auto factor = static_cast<float>(call->scalars[0]);
    const auto offset = static_cast<float>(scalar_or(*call, 1, 0));
    map_lines<float>(walk_of<2>(*call), [&](float x) { return x * factor + offset; });
    return 0;
  }
  static void work(const Call* call, Work* work) { add_work<2>(*call, 2, *work); }
};

struct Cast {
  static constexpr Signature kSignature = {"rw", 0, 0,
                                           "cast takes a, which it reads, and out, which it writes"};

  static const char* check(const Call* call) {
    if (const char* wrong = wrong_arguments(*call, kSignature)) return wrong;
    return same_shape(call->tensors[0], call->tensors[1]) ? nullptr : "a and out must have the same shape";
  }
  static int run(const Call* call) {
    const Walk<2> walk = walk_of<2>(*call);
    if (is_floating(walk.lines[0].type()))
      map_lines<float>(walk, [](float x) { return x; });
    else
      map_lines<std::int64_t>(walk, [](std::int64_t x) { return x; });
    return 0;
  }
  static void work(const Call* call, Work* work) { add_work<2>(*call, 1, *work); }
};

// Bit by bit, so that what is no number stays the same one.
struct Copy {
  static constexpr Signature kSignature = {"rw", 0, 0,
                                           "copy takes in, which it reads, and out, which it writes"};

  static const char* check(const Call* call) {
    if (const char* wrong = wrong_arguments(*call, kSignature)) return wrong;
    if (call->tensors[0].data_type != call->tensors[1].data_type)
      return "in and out must be of the same type: `cast` changes it";
    return same_shape(call->tensors[0], call->tensors[1]) ? nullptr : "in and out must have the same shape";
  }
  static int run(const Call* call) {
    const Walk<2> walk = walk_of<2>(*call);
    const std::int64_t bytes = facts_of(walk.lines[0].type()).bytes;
    const std::int64_t length = walk.lines[1].length;
    const bool dense = walk.lines[0].step == 1 && walk.lines[1].step == 1;
    walk.for_each_line([&](const std::array<std::byte*, 2>& data) {
      if (dense) {
        std::memmove(data[1], data[0], static_cast<std::size_t>(length * bytes));
        return;
      }
      for (std::int64_t i = 0; i < length; ++i)
        std::memcpy(data[1] + i * walk.lines[1].step * bytes, data[0] + i * walk.lines[0].step * bytes,
                    static_cast<std::size_t>(bytes));
    });
    return 0;
  }
  static void work(const Call* call, Work* work) { add_work<2>(*call, 0, *work); }
};

struct FillWith {
  static constexpr Signature kSignature = {"w", 1, 1, "fill takes out, which it writes, and a number"};

  static const char* check(const Call* call) { return wrong_arguments(*call, kSignature); }
  static int run(const Call* call) {
    const Walk<1> walk = walk_of<1>(*call);
    if (is_floating(walk.lines[0].type()))
      fill_lines(walk, call->scalars[0]);
    else
      fill_lines(walk, saturated<std::int64_t>(call->scalars[0]));
    return 0;
  }
  static void work(const Call* call, Work* work) { add_work<1>(*call, 1, *work); }

 private:
  template <class Number>
  static void fill_lines(const Walk<1>& walk, Number value) {
    const Line& out = walk.lines[0];
    std::array<Number, kChunk> values;
    values.fill(value);
    walk.for_each_line([&](const std::array<std::byte*, 1>& data) {
      for (std::size_t first = 0; first < out.length; first += kChunk)
        store_line(out.type(),
                   data[0] + static_cast<std::int64_t>(first) * out.step * facts_of(out.type()).bytes,
                   out.step, values.data(), std::min(kChunk, out.length - first));
    });
  }
};

template <class Op>
constexpr accelscope_kernel binary() {
  return vector_kernel<Binary<Op>>(Op::kName);
}
template <class Op>
constexpr accelscope_kernel unary() {
  return vector_kernel<Unary<Op>>(Op::kName);
}

constexpr accelscope_kernel kElementwiseKernels[] = {
    vector_kernel<Copy>("copy"),
    vector_kernel<FillWith>("fill"),
    vector_kernel<Scale>("scale"),
    vector_kernel<Cast>("cast"),
    binary<Add>(),
    binary<Subtract>(),
    binary<Multiply>(),
    binary<Divide>(),
    binary<Maximum>(),
    unary<Exponential>(),
    unary<Relu>(),
    unary<Gelu>(),
    unary<Silu>(),
    unary<Sigmoid>(),
    unary<InverseRoot>(),
};

}  // namespace

std::span<const accelscope_kernel> elementwise_kernels() {
  return kElementwiseKernels;
}

}  // namespace accelscope::runtime
