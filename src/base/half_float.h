// Numbers of 16 bits, by conversion from and to wider ones. No hardware is needed, and every machine gives
// the same bits: rounding is to the nearest, ties to even; what is too large becomes infinite; what is no
// number stays none. A double is rounded once: to a float first, and then to 16 bits, would be twice.
//
// Pure functions, safe from any thread.
//
//   float16_bits(1.5F)      -> 0x3E00
//   float_of_float16(0x3E00) -> 1.5F
#pragma once

#include <bit>
#include <cstdint>

namespace accelscope::base {

// bfloat16 is the upper half of a float.
constexpr float float_of_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

constexpr std::uint16_t bfloat16_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  // Rounding could carry what is no number into an infinity or beyond.
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<std::uint16_t>((bits >> 16U) | 0x0040U);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}

constexpr float float_of_float16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16U;
  const std::uint32_t exponent = (bits >> 10U) & 0x1FU;
  const std::uint32_t fraction = bits & 0x3FFU;
  if (exponent == 0x1FU) return std::bit_cast<float>(sign | 0x7F800000U | (fraction << 13U));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112U) << 23U) | (fraction << 13U));
  // Below the normal numbers the fraction counts steps of 2^-24.
  const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
  return sign != 0 ? -magnitude : magnitude;
}

constexpr std::uint16_t float16_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  const auto with_sign = [&](std::uint32_t rest) { return static_cast<std::uint16_t>(sign | rest); };
  if (magnitude > 0x7F800000U) return with_sign(0x7E00U | ((magnitude >> 13U) & 0x3FFU));
  if (magnitude >= 0x477FF000U) return with_sign(0x7C00U);  // 65520 and beyond round to infinity
  if (magnitude < 0x38800000U) {
    // Adding 0.5 leaves the steps of 2^-24 in the lowest bits of the sum, rounded as all sums are.
    const float sum = std::bit_cast<float>(magnitude) + 0.5F;
    return with_sign(std::bit_cast<std::uint32_t>(sum) - std::bit_cast<std::uint32_t>(0.5F));
  }
  const std::uint32_t rounded = magnitude + 0xFFFU + ((magnitude >> 13U) & 1U);
  return with_sign((rounded - (112U << 23U)) >> 13U);
}

// A float of 16 bits with so many bits of fraction, from the bits of a double.
template <unsigned kFraction>
constexpr std::uint16_t narrowed(double value) {
  constexpr unsigned kExponent = 15 - kFraction;
  constexpr int kBias = (1 << (kExponent - 1)) - 1;
  constexpr std::uint64_t kInfinity = ((1ULL << kExponent) - 1) << kFraction;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = (bits >> 63U) << 15U;
  if (value != value) return static_cast<std::uint16_t>(sign | kInfinity | (1ULL << (kFraction - 1)));
  const int exponent = static_cast<int>((bits >> 52U) & 0x7FFU) - 1023;
  if (exponent > kBias) return static_cast<std::uint16_t>(sign | kInfinity);
  // Below the smallest exponent the fraction loses its leading bits instead.
  const int lost = exponent < 1 - kBias ? 1 - kBias - exponent : 0;
  const auto shift = static_cast<unsigned>(52 - static_cast<int>(kFraction) + lost);
  if (shift > 54) return static_cast<std::uint16_t>(sign);
  const std::uint64_t significand = (bits & ((1ULL << 52U) - 1)) | (1ULL << 52U);
  const std::uint64_t rest = significand & ((1ULL << shift) - 1);
  const std::uint64_t half = 1ULL << (shift - 1);
  std::uint64_t rounded = significand >> shift;
  if (rest > half || (rest == half && (rounded & 1U) != 0)) ++rounded;
  // The leading bit, where there is one, counts the exponent up; so does a carry.
  const auto biased = static_cast<std::uint64_t>(lost > 0 ? 0 : exponent + kBias - 1);
  return static_cast<std::uint16_t>(sign | (rounded + (biased << kFraction)));
}

constexpr std::uint16_t float16_bits(double value) {
  return narrowed<10>(value);
}
constexpr std::uint16_t bfloat16_bits(double value) {
  return narrowed<7>(value);
}

}  // namespace accelscope::base
