// The times of one Perfetto file: drawn nanoseconds, moved by one common offset where some would be negative,
// because the format cannot hold those.
//
// Built once per file; then read-only and safe to share between threads. The timeline must outlive it.
//
//   const FileTime time_of(picture.first_times, timeline);
//   std::uint64_t start = time_of(track.clock, slices.start[row]);
#pragma once

#include <cstdint>
#include <span>

#include "trace/trace.h"
#include "views/time_scale.h"

namespace accelscope::formats::perfetto {

using trace::Ticks;

class FileTime {
 public:
  // `first_times` are the earliest of the file, by clock; Ticks::max() where there are none.
  FileTime(std::span<const Ticks> first_times, const views::Timeline& timeline);

  std::uint64_t operator()(trace::ClockId clock, Ticks time) const { return of_one_clock(clock)(time); }

  // The same for one clock, for loops over a track.
  struct OfOneClock {
    const views::TimeScale* scale;
    std::uint64_t shift;
    std::uint64_t operator()(Ticks time) const {
      return static_cast<std::uint64_t>(scale->nanoseconds(time)) - shift;
    }
  };
  OfOneClock of_one_clock(trace::ClockId clock) const {
    return {&timeline_.scale(clock), static_cast<std::uint64_t>(shift_)};
  }

  // What was subtracted from every time: 0, or the negative time of the earliest event.
  std::int64_t shift() const { return shift_; }
  // The earliest time of the file.
  std::uint64_t first() const { return first_; }

 private:
  const views::Timeline& timeline_;
  std::int64_t shift_ = 0;
  std::uint64_t first_ = 0;
};

}  // namespace accelscope::formats::perfetto
