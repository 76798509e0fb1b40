// The bytes of buffers: filled as a graph says, read and written as numbers, compared with what is expected.
//
// Numbers that a type does not have are rounded to the nearest, to the even one of two (f32, f16, bf16), or
// down (integers); what is too large becomes an infinity, or the largest integer. Random numbers are those of
// docs/graph.md on every machine. Pure functions, safe from any thread; the memory is the caller's.
//
//   std::vector<std::byte> memory(bytes_of(buffer));
//   fill(buffer, memory);
//   const Comparison comparison = compare(expectation, buffer.type, memory);
//   if (comparison.differing > 0) complain(in_words(comparison, expectation, buffer.name));
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/graph.h"

namespace accelscope::runtime {

constexpr std::uint64_t bytes_of(const Buffer& buffer) {
  return buffer.elements * facts_of(buffer.type).bytes;
}

// One element; `place` need not be aligned.
double load(DataType type, const std::byte* place);
void store(DataType type, double value, std::byte* place);

// Whether the type has the number, as far as its size goes: 1e6 does not fit f16, 0.1 does. Fractions fit no
// integer.
bool fits(DataType type, double value);

// From 0 up to, but not, 1: number `index` of the row that belongs to a seed.
double random_number(std::uint64_t seed, std::uint64_t index);

// What element `index` of a buffer begins with, before it is rounded to the buffer's type.
double initial_value(const BufferContent& content, std::uint64_t index);

// `memory` has bytes_of(buffer) bytes.
void fill(const Buffer& buffer, std::span<std::byte> memory);

// The element of its buffer that a view has at this position, in row-major order.
std::uint64_t element_at(const TensorView& view, std::uint64_t position);

struct Difference {
  std::uint64_t position = 0;  // in the view, in row-major order
  double got = 0;
  double want = 0;
};

struct Comparison {
  static constexpr std::size_t kShown = 5;

  std::uint64_t compared = 0;
  std::uint64_t differing = 0;
  std::vector<Difference> first = {};  // kShown at most
  double largest = 0;                  // |got - want|, of those that differ
};

// `memory` is the whole buffer of the expectation's view, which lies within it.
Comparison compare(const Expectation& expectation, DataType type, std::span<const std::byte> memory);

// "x: 3 of 64 elements differ by up to 0.5: [0, 2] is 1.5, expected 1; ..."
std::string in_words(const Comparison& comparison, const Expectation& expectation, std::string_view buffer);

}  // namespace accelscope::runtime
