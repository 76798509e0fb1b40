// Ticks of a memory's own clock and the picoseconds of its interface. Each memory counts its own ticks and
// converts once, at the interface, rounding up: a time that falls between two picoseconds is never early.
//
// Pure functions of a value, safe from any thread.
//
//   TickClock clock(312'500);              // HBM3: half clocks of 312.5 ps
//   clock.time_of(3)                       // 938 ps
//   clock.first_tick_from({900})           // 3
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/units.h"

namespace accelscope::memory {

class TickClock {
 public:
  explicit constexpr TickClock(std::int64_t tick_femtoseconds) : femtoseconds_(tick_femtoseconds) {}

  constexpr std::int64_t femtoseconds() const { return femtoseconds_; }
  constexpr base::Picoseconds time_of(std::int64_t tick) const {
    if (tick >= 0 && tick < kShort && femtoseconds_ < kShort)
      return {(tick * femtoseconds_ + kFemtoseconds - 1) / kFemtoseconds};
    return {-base::floor_divide(-base::Int128{tick} * femtoseconds_, kFemtoseconds)};
  }
  // The first tick at or after a time, and the last one at or before it.
  constexpr std::int64_t first_tick_from(base::Picoseconds time) const {
    if (time.value >= 0 && time.value < kNever / kFemtoseconds)
      return (time.value * kFemtoseconds + femtoseconds_ - 1) / femtoseconds_;
    return -base::floor_divide(-base::Int128{std::max<std::int64_t>(0, time.value)} * kFemtoseconds,
                               femtoseconds_);
  }
  constexpr std::int64_t last_tick_to(base::Picoseconds time) const {
    if (time == base::Picoseconds::max()) return kNever;
    if (time.value >= 0 && time.value < kNever / kFemtoseconds)
      return time.value * kFemtoseconds / femtoseconds_;
    return base::floor_divide(base::Int128{time.value} * kFemtoseconds, femtoseconds_);
  }

  // Far beyond every simulation, and far from overflowing.
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 4;

 private:
  static constexpr std::int64_t kFemtoseconds = 1000;
  static constexpr std::int64_t kShort = std::int64_t{1} << 31;

  std::int64_t femtoseconds_;
};

}  // namespace accelscope::memory
