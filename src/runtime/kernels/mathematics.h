// Functions that give the same bits on every machine, which the standard library's do not: only additions,
// multiplications, divisions and square roots in double precision, in a fixed order. Accurate to about 1e-15,
// so that nearly all results are the right ones when they are rounded to float.
//
// Pure functions, safe from any thread.
//
//   const float probability = static_cast<float>(exponential(score - largest));
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace accelscope::runtime {

// e^x. Beyond -708 and 709 it stays what it is there, which is 0 or infinity as a float. No branches, so that
// compilers work on several at once.
inline double exponential(double x) {
  constexpr double kInverseOfLn2 = 1.4426950408889634074;
  // ln 2 in two parts: multiples of the first are exact.
  constexpr double kLn2High = 0x1.62e42feep-1;
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  // Adding it leaves the nearest whole number in the lowest bits.
  constexpr double kWhole = 0x1.8p52;
  const double limited = std::min(std::max(x, -708.0), 709.0);
  const double shifted = limited * kInverseOfLn2 + kWhole;
  const double power = shifted - kWhole;
  const double r = (limited - power * kLn2High) - power * kLn2Low;  // within +-0.35
  double sum = 1.0 / 6227020800.0;
  sum = sum * r + 1.0 / 479001600.0;
  sum = sum * r + 1.0 / 39916800.0;
  sum = sum * r + 1.0 / 3628800.0;
  sum = sum * r + 1.0 / 362880.0;
  sum = sum * r + 1.0 / 40320.0;
  sum = sum * r + 1.0 / 5040.0;
  sum = sum * r + 1.0 / 720.0;
  sum = sum * r + 1.0 / 120.0;
  sum = sum * r + 1.0 / 24.0;
  sum = sum * r + 1.0 / 6.0;
  sum = sum * r + 0.5;
  sum = sum * r + 1.0;
  sum = sum * r + 1.0;
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(shifted) + 1023;
  return sum * std::bit_cast<double>(exponent << 52U);
}

inline double logistic(double x) {
  return 1 / (1 + exponential(-x));
}

inline double hyperbolic_tangent(double x) {
  return 1 - 2 / (1 + exponential(2 * x));
}

}  // namespace accelscope::runtime
