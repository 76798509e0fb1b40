// From ticks of a track's clock to the nanoseconds that are drawn.
//
// The first clock of the trace is the reference; clocks that are related to it, directly or over others, are
// mapped onto it, the rest are drawn as they are. Times are multiplied by the stretch and then rounded down,
// starts and ends alike, so order is kept and no duration is rounded by itself. Negative times move
// everything by one common offset. Built once per file; then read-only and safe to share between threads. The
// trace must outlive it.
//
//   ACCELSCOPE_TRY(const Timeline timeline, Timeline::make(trace, stretch));
//   std::uint64_t start = timeline.drawn(track.clock, slices.start[row]);
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::formats::perfetto {

using trace::Ticks;

class TimeScale {
 public:
  static base::Result<TimeScale> make(const trace::Trace& trace, trace::ClockId clock, std::int64_t stretch);

  // Rounds down; what does not fit 64 bits becomes the nearest that does.
  std::int64_t nanoseconds(Ticks time) const {
    std::int64_t result = 0;
    if (is_plain_ && !__builtin_mul_overflow(time.value, multiply_, &result)) return result;
    return nanoseconds_slowly(time);
  }
  // Whether this time lies between two nanoseconds.
  bool rounds(Ticks time) const;
  bool may_round() const { return divide_ != 1; }

  bool is_related() const { return is_related_; }  // to the reference, or is it
  bool unit_known() const { return unit_known_; }

 private:
  std::int64_t nanoseconds_slowly(Ticks time) const;
  Ticks on_reference(Ticks time) const;

  std::vector<trace::ClockRelation> hops_;  // applied in order
  std::int64_t multiply_ = 1;
  std::int64_t divide_ = 1;
  bool is_plain_ = true;  // a multiplication is all it takes
  bool is_related_ = true;
  bool unit_known_ = true;
};

class Timeline {
 public:
  static base::Result<Timeline> make(const trace::Trace& trace, std::int64_t stretch);

  const TimeScale& scale(trace::ClockId clock) const { return scales_[index(clock)]; }
  std::uint64_t drawn(trace::ClockId clock, Ticks time) const {
    return static_cast<std::uint64_t>(scale(clock).nanoseconds(time)) - static_cast<std::uint64_t>(shift_);
  }
  // What was subtracted from every time: 0, or the negative time of the earliest event.
  std::int64_t shift() const { return shift_; }
  // The earliest drawn time.
  std::uint64_t first() const { return first_; }

 private:
  std::vector<TimeScale> scales_;  // by clock
  std::int64_t shift_ = 0;
  std::uint64_t first_ = 0;
};

}  // namespace accelscope::formats::perfetto
