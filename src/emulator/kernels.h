// The arithmetic that takes the time: products of matrices, rows of vectors, rounding, decoding. Each exists
// once for every kind of processor that the program was built for, and all give the same bits: every element
// of a result is calculated by itself, products and sums are rounded one after the other (never fused), sums
// go up in k, and a result that is no number is always the same one.
//
// Tables of functions, constant; safe from any thread. Ranges of input and output are the same or do not
// overlap.
//
//   const Kernels& kernels = best_kernels();
//   kernels.of_two[index(RowOperation::kAdd)][index(Rounding::kBf16)](a, b, out, 64);
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace accelscope::emulator {

enum class Rounding : std::uint8_t { kNone, kBf16 };
inline constexpr std::size_t kRoundings = 2;

// kSubtractFrom: b - a. A maximum or minimum with something that is no number is none.
enum class RowOperation : std::uint8_t { kAdd, kSubtract, kSubtractFrom, kMultiply, kMaximum, kMinimum };
inline constexpr std::size_t kRowOperations = 6;

// c[i][j] += a[i][k] * b[k][j], for k going up; steps are in elements.
struct Product {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t depth = 0;
  const float* a = nullptr;
  std::size_t a_row_step = 0;
  std::size_t a_depth_step = 1;
  const float* b = nullptr;
  std::size_t b_depth_step = 0;
  float* c = nullptr;
  std::size_t c_row_step = 0;
};

// What a float of 8 bits with a sign means, so that it can be worked out instead of looked up.
struct ByteFloat {
  int mantissa = 0;                 // bits
  std::uint32_t rebias = 0;         // from its exponent to that of a float, in place
  float step = 0;                   // of what lies below the normal numbers
  std::uint32_t first_special = 0;  // the least magnitude that is no finite number
};

// out[i] = values[elements[i]] * factors[scales[i / block]].
struct LookUp {
  const std::uint8_t* elements = nullptr;
  const float* values = nullptr;     // 256 of them
  const ByteFloat* shape = nullptr;  // how to work them out; nullptr where there is no other way
  const std::uint8_t* scales = nullptr;
  const float* factors = nullptr;  // 256 of them
  std::size_t block = 1;
  float* out = nullptr;
  std::size_t count = 0;  // whole blocks
};

struct Kernels {
  using OfTwo = void (*)(const float* a, const float* b, float* out, std::size_t count);
  using OfOneAndScalar = void (*)(const float* a, float b, float* out, std::size_t count);
  using OfOne = void (*)(const float* a, float* out, std::size_t count);

  std::string_view name;  // of the kind of processor
  OfTwo of_two[kRowOperations][kRoundings];
  OfOneAndScalar with_scalar[kRowOperations][kRoundings];
  OfOne reciprocal[kRoundings];
  OfOne round[kRoundings];
  void (*multiply)(const Product& product);
  void (*look_up)(const LookUp& look_up);
};

// For this processor: of those it can run, the one with the widest vectors.
const Kernels& best_kernels();

// All that this processor can run, the widest first.
std::vector<const Kernels*> kernels_here();

// What best_kernels() is from now on, so that tests can compare those of one processor. Not while others use
// them.
void use_kernels(const Kernels& kernels);

}  // namespace accelscope::emulator
