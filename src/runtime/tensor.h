// Tensors as tasks see them: views of buffers.
//
// A buffer is a row of elements of one type. A view picks elements of it by a start, a shape and strides, all
// counted in elements. Plain values.
//
//   const std::array<std::uint32_t, 2> shape = {64, 128};
//   TensorView left = contiguous_view(buffer, shape);
//   left.start = 64;
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "accelscope/accelscope_kernel.h"

namespace accelscope::runtime {

inline constexpr unsigned kMaxDimensions = ACCELSCOPE_MAX_DIMENSIONS;

enum class DataType : std::uint8_t {
  kFloat32 = ACCELSCOPE_FLOAT32,
  kFloat16 = ACCELSCOPE_FLOAT16,
  kBFloat16 = ACCELSCOPE_BFLOAT16,
  kInt64 = ACCELSCOPE_INT64,
  kInt32 = ACCELSCOPE_INT32,
  kInt16 = ACCELSCOPE_INT16,
  kInt8 = ACCELSCOPE_INT8,
  kUInt8 = ACCELSCOPE_UINT8,
  kBool = ACCELSCOPE_BOOL,
};

struct DataTypeFacts {
  DataType type;
  std::string_view name;  // as graphs write it
  std::uint32_t bytes;
};

inline constexpr std::array kDataTypes = {
    DataTypeFacts{DataType::kFloat32, "f32", 4},   DataTypeFacts{DataType::kFloat16, "f16", 2},
    DataTypeFacts{DataType::kBFloat16, "bf16", 2}, DataTypeFacts{DataType::kInt64, "i64", 8},
    DataTypeFacts{DataType::kInt32, "i32", 4},     DataTypeFacts{DataType::kInt16, "i16", 2},
    DataTypeFacts{DataType::kInt8, "i8", 1},       DataTypeFacts{DataType::kUInt8, "u8", 1},
    DataTypeFacts{DataType::kBool, "bool", 1},
};

constexpr const DataTypeFacts& facts_of(DataType type) {
  return kDataTypes[static_cast<std::size_t>(type)];
}

constexpr bool is_floating(DataType type) {
  return type == DataType::kFloat32 || type == DataType::kFloat16 || type == DataType::kBFloat16;
}

struct TensorView {
  std::uint32_t buffer = 0;
  std::uint32_t dimensions = 0;  // 0: one element
  std::uint64_t start = 0;
  std::array<std::uint32_t, kMaxDimensions> shape = {};
  std::array<std::uint32_t, kMaxDimensions> strides = {};

  bool operator==(const TensorView&) const = default;
};

constexpr std::uint64_t element_count(const TensorView& view) {
  std::uint64_t count = 1;
  for (std::uint32_t i = 0; i < view.dimensions; ++i) count *= view.shape[i];
  return count;
}

// One past the last element that the view touches, from the beginning of its buffer; its start for a view of
// no elements.
constexpr std::uint64_t end_of(const TensorView& view) {
  if (element_count(view) == 0) return view.start;
  std::uint64_t last = view.start;
  for (std::uint32_t i = 0; i < view.dimensions; ++i)
    last += std::uint64_t{view.shape[i] - 1} * view.strides[i];
  return last + 1;
}

// Nothing when there is no such type.
std::optional<DataType> data_type_named(std::string_view name);

// Whether all strides of elements in row-major order fit 32 bits: the product of the shape but for its first
// dimension does.
bool can_be_contiguous(std::span<const std::uint32_t> shape);

// The elements from `start` on in row-major order. At most kMaxDimensions, of a shape that can be contiguous.
TensorView contiguous_view(std::uint32_t buffer, std::span<const std::uint32_t> shape,
                           std::uint64_t start = 0);

}  // namespace accelscope::runtime
