// What turning ticks into drawn nanoseconds took, as rows of Quality that every writer of pictures hands on:
//
//   time.unknown_unit     the unit of a clock is unknown; one tick counts as one nanosecond
//   time.unrelated_clock  a clock has no relation to the reference; its tracks have a time of their own
//   time.mapped_clock     tracks are drawn on the time of another clock
//   time.stretched        all times are stretched
//   time.rounded_below_ns times lay between two nanoseconds
//   time.out_of_range     times do not fit 64 bits of nanoseconds and are drawn at the end of the range
//
// Counts are tracks; of time.rounded_below_ns they are rows. A pure function of read-only data, safe from any
// thread; a pass over the rows is made only for clocks whose times can be rounded or be too large.
//
//   ACCELSCOPE_TRY(const Timeline timeline, Timeline::make(trace, options.stretch));
//   QualityTable notes = time_notes(trace, timeline, DrawnRows::kSlices);
#pragma once

#include <cstdint>
#include <vector>

#include "trace/quality.h"
#include "trace/trace.h"
#include "views/time_scale.h"

namespace accelscope::views {

// What a format has a place for: only that is worth a note.
enum class DrawnRows : std::uint8_t { kAll, kSlices };

trace::QualityTable time_notes(const trace::Trace& trace, const Timeline& timeline, DrawnRows drawn);

// The same for a picture of several parts, all with the tracks of the first one. A track counts once,
// whatever the number of parts that draw it.
class TimeNotes {
 public:
  // Both must outlive it.
  TimeNotes(const trace::Trace& first, const Timeline& timeline, DrawnRows drawn);

  void add_part(const trace::Trace& part);
  // What another thread found in other parts of the same picture.
  void add(const TimeNotes& others);
  trace::QualityTable notes() const;

 private:
  const trace::Trace& first_;
  const Timeline& timeline_;
  DrawnRows drawn_;
  std::vector<bool> is_drawn_;      // by track
  std::vector<bool> out_of_range_;  // by track
  std::uint64_t rounded_rows_ = 0;
};

}  // namespace accelscope::views
