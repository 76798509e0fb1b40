// Tensors with odd layouts, and calls of kernels on them: what tests of kernels are written with.
//
//   Tensor a = random_tensor(DataType::kFloat16, {3, 5}, Layout::kShuffled, seed);
//   Tensor out = empty_tensor(DataType::kFloat32, {3, 5}, Layout::kGaps);
//   run("exp", {{a, kRead}, {out, kWritten}}, {}, 2);
//   EXPECT_NEAR(out.at(7), std::exp(a.at(7)), 1e-6);
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "base/half_float.h"
#include "runtime/kernels/registry.h"
#include "runtime/tensor.h"

namespace accelscope::runtime {

inline constexpr std::uint32_t kRead = 1;
inline constexpr std::uint32_t kWritten = 2;
inline constexpr std::uint32_t kBoth = 3;

enum class Layout : std::uint8_t {
  kDense,
  kGaps,      // rows longer than needed, elements apart
  kShuffled,  // dimensions in another order in memory, as of a transposed matrix
};
inline constexpr std::array kLayouts = {Layout::kDense, Layout::kGaps, Layout::kShuffled};

// Owns its memory. Elements are numbered in row-major order of the shape, whatever the layout.
struct Tensor {
  DataType type = DataType::kFloat32;
  std::vector<std::uint32_t> shape = {};
  std::vector<std::int64_t> strides = {};
  std::vector<std::byte> memory = {};

  std::size_t size() const {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  }
  std::size_t row() const { return shape.empty() ? 1 : shape.back(); }

  std::size_t offset(std::size_t number) const {
    std::size_t offset = 0;
    for (std::size_t d = shape.size(); d-- > 0;) {
      offset += number % shape[d] * static_cast<std::size_t>(strides[d]);
      number /= shape[d];
    }
    return offset * facts_of(type).bytes;
  }

  template <class Element>
  Element raw(std::size_t number) const {
    Element element;
    std::memcpy(&element, memory.data() + offset(number), sizeof element);
    return element;
  }
  double at(std::size_t number) const {
    switch (type) {
      case DataType::kFloat32:
        return raw<float>(number);
      case DataType::kFloat16:
        return base::float_of_float16(raw<std::uint16_t>(number));
      case DataType::kBFloat16:
        return base::float_of_bfloat16(raw<std::uint16_t>(number));
      case DataType::kInt64:
        return static_cast<double>(raw<std::int64_t>(number));
      case DataType::kInt32:
        return raw<std::int32_t>(number);
      case DataType::kInt16:
        return raw<std::int16_t>(number);
      case DataType::kInt8:
        return raw<std::int8_t>(number);
      case DataType::kUInt8:
      case DataType::kBool:
        return raw<std::uint8_t>(number);
    }
    return 0;
  }
  template <class Element>
  void put(std::size_t number, Element element) {
    std::memcpy(memory.data() + offset(number), &element, sizeof element);
  }
  // The value must be one of the type.
  void set(std::size_t number, double value) {
    switch (type) {
      case DataType::kFloat32:
        return put(number, static_cast<float>(value));
      case DataType::kFloat16:
        return put(number, base::float16_bits(value));
      case DataType::kBFloat16:
        return put(number, base::bfloat16_bits(value));
      case DataType::kInt64:
        return put(number, static_cast<std::int64_t>(value));
      case DataType::kInt32:
        return put(number, static_cast<std::int32_t>(value));
      case DataType::kInt16:
        return put(number, static_cast<std::int16_t>(value));
      case DataType::kInt8:
        return put(number, static_cast<std::int8_t>(value));
      case DataType::kUInt8:
      case DataType::kBool:
        return put(number, static_cast<std::uint8_t>(value));
    }
  }
  // The bytes that belong to no element, which nobody may touch.
  std::vector<std::byte> surroundings() const {
    std::vector<std::byte> bytes = memory;
    for (std::size_t i = 0; i < size(); ++i)
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset(i)), facts_of(type).bytes, std::byte{0});
    return bytes;
  }
};

inline Tensor empty_tensor(DataType type, std::vector<std::uint32_t> shape, Layout layout = Layout::kDense) {
  Tensor tensor{.type = type, .shape = std::move(shape)};
  tensor.strides.resize(tensor.shape.size());
  std::int64_t stride = layout == Layout::kGaps ? 2 : 1;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    const std::size_t d = layout == Layout::kShuffled ? i : tensor.shape.size() - 1 - i;
    tensor.strides[d] = stride;
    stride = stride * std::max<std::int64_t>(tensor.shape[d], 1) + (layout == Layout::kGaps ? 3 : 0);
  }
  tensor.memory.assign(static_cast<std::size_t>(stride + 4) * facts_of(type).bytes, std::byte{0xA5});
  return tensor;
}

// Multiples of 1/8 between -4 and 4: every type of floats has them; whole numbers for the other types, not
// negative for those that cannot be.
inline Tensor random_tensor(DataType type, std::vector<std::uint32_t> shape, Layout layout,
                            std::uint32_t seed) {
  Tensor tensor = empty_tensor(type, std::move(shape), layout);
  std::mt19937 random(seed);
  const bool floats = type <= DataType::kBFloat16;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    const int number = static_cast<int>(random() % 65) - 32;
    tensor.set(i, floats                     ? number / 8.0
                  : type == DataType::kBool  ? number & 1
                  : type == DataType::kUInt8 ? number + 32
                                             : number);
  }
  return tensor;
}

struct Given {
  Tensor& tensor;
  std::uint32_t access;
};

inline accelscope_tensor as_argument(const Given& given) {
  accelscope_tensor argument = {};
  argument.data = given.tensor.memory.data();
  argument.data_type = static_cast<std::uint32_t>(given.tensor.type);
  argument.access = given.access;
  argument.dimensions = static_cast<std::uint32_t>(given.tensor.shape.size());
  std::copy(given.tensor.shape.begin(), given.tensor.shape.end(), argument.shape);
  std::copy(given.tensor.strides.begin(), given.tensor.strides.end(), argument.strides);
  return argument;
}

inline const accelscope_kernel& kernel_named(std::string_view name) {
  static const KernelRegistry kRegistry = KernelRegistry::with_builtins();
  const accelscope_kernel* kernel = kRegistry.find(name);
  if (kernel == nullptr) throw std::runtime_error("no kernel " + std::string(name));
  return *kernel;
}

struct PreparedCall {
  std::vector<accelscope_tensor> tensors;
  std::vector<double> scalars;

  accelscope_kernel_call block(std::uint32_t which, std::uint32_t blocks) const {
    return {.tensors = tensors.data(),
            .scalars = scalars.data(),
            .tensor_count = static_cast<std::uint32_t>(tensors.size()),
            .scalar_count = static_cast<std::uint32_t>(scalars.size()),
            .block = which,
            .blocks = blocks,
            .lane = 0,
            .reserved = 0,
            .mark = nullptr,
            .mark_context = nullptr};
  }
};

inline PreparedCall prepared(const std::vector<Given>& tensors, std::vector<double> scalars) {
  PreparedCall call;
  call.scalars = std::move(scalars);
  for (const Given& given : tensors) call.tensors.push_back(as_argument(given));
  return call;
}

// What check() says; "" for nothing. As before a run: without data.
inline std::string complaint(std::string_view name, const std::vector<Given>& tensors,
                             std::vector<double> scalars = {}, std::uint32_t blocks = 1) {
  PreparedCall call = prepared(tensors, std::move(scalars));
  for (accelscope_tensor& tensor : call.tensors) tensor.data = nullptr;
  const accelscope_kernel_call first = call.block(0, blocks);
  const char* text = kernel_named(name).check(&first);
  return text == nullptr ? "" : text;
}

// The work of all blocks together.
inline accelscope_kernel_work work(std::string_view name, const std::vector<Given>& tensors,
                                   std::vector<double> scalars = {}, std::uint32_t blocks = 1) {
  PreparedCall call = prepared(tensors, std::move(scalars));
  for (accelscope_tensor& tensor : call.tensors) tensor.data = nullptr;
  accelscope_kernel_work sum = {};
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const accelscope_kernel_call part = call.block(block, blocks);
    accelscope_kernel_work one = {};
    kernel_named(name).work(&part, &one);
    sum.multiply_adds += one.multiply_adds;
    sum.vector_operations += one.vector_operations;
    sum.bytes_read += one.bytes_read;
    sum.bytes_written += one.bytes_written;
    sum.nanoseconds += one.nanoseconds;
  }
  return sum;
}

// Every block, the last one first. Nothing around the tensors changes, and nothing of those that are only
// read.
inline void run(std::string_view name, const std::vector<Given>& tensors, std::vector<double> scalars = {},
                std::uint32_t blocks = 1) {
  const PreparedCall call = prepared(tensors, std::move(scalars));
  const accelscope_kernel& kernel = kernel_named(name);
  std::vector<std::vector<std::byte>> before;
  for (const Given& given : tensors)
    before.push_back((given.access & kWritten) != 0 ? given.tensor.surroundings() : given.tensor.memory);
  for (std::uint32_t block = blocks; block-- > 0;) {
    const accelscope_kernel_call part = call.block(block, blocks);
    ASSERT_EQ(kernel.check == nullptr ? nullptr : kernel.check(&part), nullptr) << kernel.check(&part);
    ASSERT_EQ(kernel.run(&part), 0);
  }
  for (std::size_t i = 0; i < tensors.size(); ++i)
    EXPECT_TRUE(before[i] == ((tensors[i].access & kWritten) != 0 ? tensors[i].tensor.surroundings()
                                                                  : tensors[i].tensor.memory))
        << name << " touches what is not its own in argument " << i;
}

// What a type can hold of a number, relatively.
inline double precision_of(DataType type) {
  return type == DataType::kFloat16 ? 1e-3 : type == DataType::kBFloat16 ? 8e-3 : 1e-6;
}

inline void expect_near(const Tensor& tensor, std::size_t number, double expected) {
  const double tolerance = precision_of(tensor.type) * std::max(1.0, std::abs(expected));
  EXPECT_NEAR(tensor.at(number), expected, tolerance) << "element " << number;
}

}  // namespace accelscope::runtime
