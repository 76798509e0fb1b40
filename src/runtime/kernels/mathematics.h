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
#include <cmath>
#include <cstdint>

namespace accelscope::runtime {

// e^x, 0 and infinity from +-700 on.
inline double exponential(double x) {
  constexpr double kInverseOfLn2 = 1.4426950408889634074;
  // ln 2 in two parts: multiples of the first are exact.
  constexpr double kLn2High = 0x1.62e42feep-1;
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  if (x != x) return x;
  if (x >= 700) return HUGE_VAL;
  if (x <= -700) return 0;
  const double power = std::floor(x * kInverseOfLn2 + 0.5);
  const double rest = (x - power * kLn2High) - power * kLn2Low;  // within +-0.35
  double sum = 1.0 / 6227020800.0;
  for (const double factor :
       {1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0,
        1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0})
    sum = sum * rest + factor;
  const auto exponent = static_cast<std::uint64_t>(static_cast<std::int64_t>(power) + 1023);
  return sum * std::bit_cast<double>(exponent << 52U);
}

inline double logistic(double x) {
  return 1 / (1 + exponential(-x));
}

inline double hyperbolic_tangent(double x) {
  return 1 - 2 / (1 + exponential(2 * x));
}

}  // namespace accelscope::runtime
