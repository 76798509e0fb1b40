// A small random number generator that gives the same numbers on every machine, which the standard library's
// distributions do not.
//
// xoshiro256++ (Blackman and Vigna), its state filled by SplitMix64 from one seed: 256 bits of state, period
// 2^256 - 1, a few instructions a number. Not for secrets.
//
// One generator belongs to one thread; copies go their own way. It owns its state only.
//
//   Generator random(42);
//   const std::uint64_t card = random.below(52);   // every card equally likely
//   const double chance = random.uniform();        // 0 <= chance < 1
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/splitmix.h"

namespace accelscope::stats {

// What every function with a seed takes unless told otherwise. Any number would do; it must only stay the
// same.
inline constexpr std::uint64_t kDefaultSeed = 20240229;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += base::kSplitmixStep;
      word = base::splitmix(seed);
    }
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // 0 to bound - 1, all equally likely: the lowest 2^64 mod bound numbers are drawn again. 0 for a bound of
  // 0.
  std::uint64_t below(std::uint64_t bound) {
    if (bound == 0) return 0;
    const std::uint64_t surplus = (0 - bound) % bound;
    std::uint64_t drawn = next();
    while (drawn < surplus) drawn = next();
    return drawn % bound;
  }

  // 53 bits: 0 <= result < 1.
  double uniform() { return base::fraction_of(next()); }

 private:
  std::array<std::uint64_t, 4> state_ = {};
};

}  // namespace accelscope::stats
