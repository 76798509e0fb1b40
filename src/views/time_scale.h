// From ticks of a track's clock to the nanoseconds that are drawn, the same for every picture of a trace.
//
// The first clock of the trace is the reference; clocks that are related to it, directly or over others, are
// mapped onto it, the rest are drawn as they are. Times are multiplied by the stretch and then rounded down,
// starts and ends alike, so order is kept and no duration is rounded by itself. A clock without a known unit
// is drawn as 1 ns per tick. What of this happened, time_notes.h tells.
//
// Built once per file; then read-only and safe to share between threads. A Timeline owns what it needs.
//
//   ACCELSCOPE_TRY(const Timeline timeline, Timeline::make(trace, stretch));
//   const TimeScale& scale = timeline.scale(trace.track(track).clock);
//   std::int64_t start = scale.nanoseconds(slices.start[row]);
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::views {

class TimeScale {
 public:
  // Rounds down; what does not fit 64 bits becomes the nearest that does.
  std::int64_t nanoseconds(trace::Ticks time) const {
    std::int64_t result = 0;
    if (is_plain_ && !__builtin_mul_overflow(time.value, multiply_, &result)) return result;
    return nanoseconds_slowly(time);
  }
  // Whether this time lies between two nanoseconds.
  bool rounds(trace::Ticks time) const { return may_round() && on_reference(time).value % divide_ != 0; }
  bool may_round() const { return divide_ != 1; }
  // Whether a time can be too large to be drawn where it belongs.
  bool may_saturate() const { return !is_plain_ || multiply_ != 1; }

  bool is_related() const { return is_related_; }  // to the reference, or is it
  bool unit_known() const { return unit_known_; }

 private:
  friend class Timeline;

  std::int64_t nanoseconds_slowly(trace::Ticks time) const;
  trace::Ticks on_reference(trace::Ticks time) const;

  std::vector<trace::ClockRelation> hops_;  // applied in order
  // Nanoseconds of a tick, in lowest terms.
  std::int64_t multiply_ = 1;
  std::int64_t divide_ = 1;
  bool is_plain_ = true;  // a multiplication is all it takes
  bool is_related_ = true;
  bool unit_known_ = true;
};

class Timeline {
 public:
  static constexpr trace::ClockId kReference{0};

  // A stretch below 1, or one that makes ticks longer than 292 years, is an error.
  static base::Result<Timeline> make(const trace::Trace& trace, std::int64_t stretch);

  const TimeScale& scale(trace::ClockId clock) const { return scales_[index(clock)]; }
  std::int64_t nanoseconds(trace::ClockId clock, trace::Ticks time) const {
    return scale(clock).nanoseconds(time);
  }
  std::int64_t stretch() const { return stretch_; }

 private:
  std::vector<TimeScale> scales_;  // by clock
  std::int64_t stretch_ = 1;
};

}  // namespace accelscope::views
