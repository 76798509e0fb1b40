// How many ticks of the stamps' clock pass in cycles of a core, as a ratio of integers: nothing drifts.
//
// Deltas count cycles of the core; stamps count the system counter. What hardware does is not settled (the
// parser of msprof converts, another one does not), so the ratio is a parameter; 1/1 takes deltas as ticks.
// Plain values, safe from any thread.
//
//   const ClockRatio ratio{.ticks = 50, .cycles = 1650};   // a counter of 50 MHz beside a core of 1.65 GHz
//   ratio.ticks_in(Cycles{330})                            // 10
#pragma once

#include <cstdint>

#include "base/units.h"

namespace accelscope::formats::perfmon {

struct ClockRatio {
  std::uint32_t ticks = 1;
  std::uint32_t cycles = 1;

  // A counter that is a thousand times faster than the core is none; so times stay far below 2^63.
  constexpr bool valid() const { return ticks > 0 && cycles > 0 && ticks / cycles < 1000; }
  constexpr bool is_one() const { return ticks == cycles; }
  // Rounds down.
  constexpr base::Ticks ticks_in(base::Cycles elapsed) const {
    return {base::floor_divide(static_cast<base::Int128>(elapsed.value) * ticks, cycles)};
  }
};

// The time of a stream of words: a stamp, and the cycles since it. Times that it tells never decrease from
// one reset() to the next, although a stamp may lie a little before what the cycles added up to.
class StreamClock {
 public:
  constexpr explicit StreamClock(ClockRatio ratio) : ratio_(ratio) {}

  // A stamp that has nothing to do with what came before.
  constexpr void reset(std::uint64_t base) {
    earliest_ = base;
    base_ = base;
    cycles_ = 0;
  }
  // A stamp that follows on what came before.
  constexpr void set(std::uint64_t base) {
    earliest_ = reached();
    base_ = base;
    cycles_ = 0;
  }
  constexpr void pass(std::uint64_t cycles) {
    cycles_ += cycles;
    if (cycles_ >= kFoldedAt) [[unlikely]]
      fold();
  }

  // With a ratio of one the conversion, a division, is left out; the caller knows, outside of its loop.
  template <bool kRatioIsOne>
  constexpr std::uint64_t time() const {
    const std::uint64_t time = base_ + (kRatioIsOne ? cycles_ : cycles_ * ratio_.ticks / ratio_.cycles);
    return time > earliest_ ? time : earliest_;
  }
  constexpr std::uint64_t reached() const { return ratio_.is_one() ? time<true>() : time<false>(); }
  constexpr ClockRatio ratio() const { return ratio_; }

 private:
  // A product with 32 bits of ticks stays below 2^64.
  static constexpr std::uint64_t kFoldedAt = std::uint64_t{1} << 31U;

  // Whole multiples of the ratio go to the base, so that the rest is as exact as it was.
  constexpr void fold() {
    base_ += cycles_ / ratio_.cycles * ratio_.ticks;
    cycles_ %= ratio_.cycles;
  }

  ClockRatio ratio_;
  std::uint64_t base_ = 0;
  std::uint64_t cycles_ = 0;
  std::uint64_t earliest_ = 0;
};

}  // namespace accelscope::formats::perfmon
