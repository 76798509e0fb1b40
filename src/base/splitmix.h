// The bits of a word, mixed so that every one of the result depends on all of them: the last step of
// splitmix64 (Steele, Lea and Flood), and what draws numbers from it by counting.
//
// Pure functions, the same on every machine, safe from any thread. Not for secrets.
//
//   const std::uint64_t third = splitmix(seed + 3 * kSplitmixStep);   // of splitmix64
#pragma once

#include <cstdint>

namespace accelscope::base {

// 2^64 divided by the golden ratio: what splitmix64 counts in.
inline constexpr std::uint64_t kSplitmixStep = 0x9E3779B97F4A7C15ULL;

constexpr std::uint64_t splitmix(std::uint64_t word) {
  word = (word ^ (word >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  word = (word ^ (word >> 27U)) * 0x94D049BB133111EBULL;
  return word ^ (word >> 31U);
}

// The upper 53 bits as a number from 0 up to, but not, 1.
constexpr double fraction_of(std::uint64_t word) {
  return static_cast<double>(word >> 11U) * 0x1p-53;
}

}  // namespace accelscope::base
