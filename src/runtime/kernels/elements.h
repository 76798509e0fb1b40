// Elements of any type as numbers to compute with, a line of them at a time: floats (f32, f16, bf16) as
// float, integers and truth values as 64-bit integers.
//
// What is stored is rounded once, to the nearest, as a float and kept within the range of its type as an
// integer: a float that is none becomes 0, one with a fraction is cut towards zero. Pure functions; the
// caller owns the memory.
//
//   float line[kChunk];
//   load_line(DataType::kFloat16, data, stride, count, line);
//   store_line(DataType::kFloat32, out, 1, line, count);
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/half_float.h"
#include "runtime/tensor.h"

namespace accelscope::runtime {

struct Float16 {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};
struct Truth {
  std::uint8_t bits;
};

// Calls function(Element{}) with an element of the type.
template <class Function>
void with_element(DataType type, Function&& function) {
  switch (type) {
    case DataType::kFloat32:
      return function(float{});
    case DataType::kFloat16:
      return function(Float16{});
    case DataType::kBFloat16:
      return function(BFloat16{});
    case DataType::kInt64:
      return function(std::int64_t{});
    case DataType::kInt32:
      return function(std::int32_t{});
    case DataType::kInt16:
      return function(std::int16_t{});
    case DataType::kInt8:
      return function(std::int8_t{});
    case DataType::kUInt8:
      return function(std::uint8_t{});
    case DataType::kBool:
      return function(Truth{});
  }
}

template <class Number, class Element>
constexpr Number number_of(Element element) {
  if constexpr (std::is_same_v<Element, Float16>)
    return static_cast<Number>(base::float_of_float16(element.bits));
  else if constexpr (std::is_same_v<Element, BFloat16>)
    return static_cast<Number>(base::float_of_bfloat16(element.bits));
  else if constexpr (std::is_same_v<Element, Truth>)
    return static_cast<Number>(element.bits != 0 ? 1 : 0);
  else
    return static_cast<Number>(element);
}

template <class Integer, class Number>
Integer saturated(Number number) {
  // The bounds of a 64-bit integer are no floats, but the next powers of two are.
  // NOLINTNEXTLINE(bugprone-signed-char-misuse): a number, no character
  constexpr auto kLeast = static_cast<Number>(std::numeric_limits<Integer>::min());
  constexpr auto kMost = static_cast<Number>(std::numeric_limits<Integer>::max());
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::isnan(number)) return 0;
  }
  if (number <= kLeast) return std::numeric_limits<Integer>::min();
  if (number >= kMost) return std::numeric_limits<Integer>::max();
  return static_cast<Integer>(number);
}

// What rounds to 16 bits as the integer does. Beyond 53 bits, those that a double has no room for leave a
// trace in one that it has, so that they still tell which side of the middle the integer lies on.
constexpr double to_be_narrowed(std::int64_t integer) {
  constexpr std::uint64_t kBelow = 0x7FF;
  const bool negative = integer < 0;
  std::uint64_t magnitude =
      negative ? 0 - static_cast<std::uint64_t>(integer) : static_cast<std::uint64_t>(integer);
  if (magnitude > 1ULL << 53U && (magnitude & kBelow) != 0) magnitude = (magnitude & ~kBelow) | (kBelow + 1);
  const auto number = static_cast<double>(magnitude);
  return negative ? -number : number;
}
constexpr float to_be_narrowed(float number) {
  return number;
}
constexpr double to_be_narrowed(double number) {
  return number;
}

template <class Element, class Number>
Element element_of(Number number) {
  if constexpr (std::is_same_v<Element, Float16>)
    return {base::float16_bits(to_be_narrowed(number))};
  else if constexpr (std::is_same_v<Element, BFloat16>)
    return {base::bfloat16_bits(to_be_narrowed(number))};
  else if constexpr (std::is_same_v<Element, Truth>)
    return {static_cast<std::uint8_t>(number != 0 ? 1 : 0)};
  else if constexpr (std::is_integral_v<Element>)
    return saturated<Element>(number);
  else
    return static_cast<Element>(number);
}

// Strides are in elements.
template <class Number>
void load_line(DataType type, const std::byte* data, std::int64_t stride, std::size_t count, Number* line) {
  with_element(type, [&]<class Element>(Element) {
    const std::int64_t step = stride * static_cast<std::int64_t>(sizeof(Element));
    const auto load = [&](std::size_t i, std::int64_t bytes) {
      Element element;
      std::memcpy(&element, data + static_cast<std::int64_t>(i) * bytes, sizeof element);
      line[i] = number_of<Number>(element);
    };
    // The compiler makes the first loop fast because it knows the step.
    if (stride == 1)
      for (std::size_t i = 0; i < count; ++i) load(i, sizeof(Element));
    else
      for (std::size_t i = 0; i < count; ++i) load(i, step);
  });
}

template <class Number>
void store_line(DataType type, std::byte* data, std::int64_t stride, const Number* line, std::size_t count) {
  with_element(type, [&]<class Element>(Element) {
    const std::int64_t step = stride * static_cast<std::int64_t>(sizeof(Element));
    const auto store = [&](std::size_t i, std::int64_t bytes) {
      const Element element = element_of<Element>(line[i]);
      std::memcpy(data + static_cast<std::int64_t>(i) * bytes, &element, sizeof element);
    };
    if (stride == 1)
      for (std::size_t i = 0; i < count; ++i) store(i, sizeof(Element));
    else
      for (std::size_t i = 0; i < count; ++i) store(i, step);
  });
}

}  // namespace accelscope::runtime
