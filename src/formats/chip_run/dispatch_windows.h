// The dispatches of one core as stretches of time: in which one a moment lies, and whose an interval is.
//
// Both are asked millions of times, nearly always in order of time: an answer then costs a step or two from
// the one before. The table of slices must outlive it, and may grow meanwhile. One thread.
//
//   DispatchWindows windows(builder.slices(), rows);
//   OwnerSearch search(windows);
//   const Window owner = windows.window(search.owner_of(begin, end));
#pragma once

#include <cstdint>

#include "trace/tables.h"
#include "trace/trace.h"

namespace accelscope::formats::chip_run {

struct Window {
  trace::Ticks start = trace::Ticks::min();
  trace::Ticks end = trace::Ticks::max();
  trace::SliceId slice = trace::SliceId::kNone;
  trace::TaskId task = trace::TaskId::kNone;
};

class DispatchWindows {
 public:
  DispatchWindows(const trace::SliceTable& slices, trace::RowRange rows) : slices_(slices), rows_(rows) {}

  // Not where there were too many rows to add them all.
  bool all_there() const { return rows_.end() <= slices_.size(); }
  std::uint32_t count() const { return rows_.count; }
  trace::Ticks start(std::uint32_t i) const { return slices_.start[rows_.first + i]; }
  trace::Ticks end(std::uint32_t i) const { return start(i) + slices_.duration[rows_.first + i]; }
  trace::TaskId task(std::uint32_t i) const { return slices_.task[rows_.first + i]; }
  trace::TaskId task_or_none(std::uint32_t i) const { return i < count() ? task(i) : trace::TaskId::kNone; }
  // Of position count(): all of time, and nobody's.
  Window window(std::uint32_t i) const {
    if (i >= count()) return {};
    return {start(i), end(i), trace::SliceId{rows_.first + i}, task(i)};
  }

  // How many begin at this time or before it; that `from` do is known.
  std::uint32_t begun_at(trace::Ticks time, std::uint32_t from = 0) const {
    std::uint32_t to = count();
    while (from < to) {
      const std::uint32_t middle = from + (to - from) / 2;
      if (start(middle) <= time)
        from = middle + 1;
      else
        to = middle;
    }
    return from;
  }

 private:
  const trace::SliceTable& slices_;
  trace::RowRange rows_;  // in order of their starts
};

class OwnerSearch {
 public:
  explicit OwnerSearch(const DispatchWindows& windows) : windows_(windows) { stand_at(0); }

  // Position of the dispatch that contains this moment; count() for none.
  std::uint32_t at(trace::Ticks time) {
    go_to(time);
    return begun_ > 0 && time < last_end_ ? begun_ - 1 : windows_.count();
  }

  // Whose an interval is; count() for nobody's.
  std::uint32_t owner_of(trace::Ticks begin, trace::Ticks end) {
    go_to(begin);
    if (begun_ > 0 && begin < last_end_) return begun_ - 1;
    // Those that begin inside of it. One that begins where it ends is not touched.
    if (begun_ == windows_.count() || end <= next_start_) return windows_.count();
    const std::uint32_t begun_at_end = windows_.begun_at(trace::Ticks{end.value - 1}, begun_);
    return end <= windows_.end(begun_at_end - 1) ? begun_at_end - 1 : begun_;
  }

 private:
  void go_to(trace::Ticks time) {
    if (time < next_start_ && time >= last_start_) [[likely]]
      return;
    // The next one mostly; otherwise it is searched for, so that jumps to and fro stay cheap.
    if (time >= last_start_ && begun_ < windows_.count()) stand_at(begun_ + 1);
    if (time >= next_start_ || time < last_start_)
      stand_at(windows_.begun_at(time, time < last_start_ ? 0 : begun_));
  }

  void stand_at(std::uint32_t begun) {
    begun_ = begun;
    last_start_ = begun > 0 ? windows_.start(begun - 1) : trace::Ticks::min();
    last_end_ = begun > 0 ? windows_.end(begun - 1) : trace::Ticks::min();
    next_start_ = begun < windows_.count() ? windows_.start(begun) : trace::Ticks::max();
  }

  const DispatchWindows& windows_;
  std::uint32_t begun_ = 0;       // how many begin at the time asked for last, or before it
  trace::Ticks last_start_ = {};  // of the last of these
  trace::Ticks last_end_ = {};
  trace::Ticks next_start_ = {};  // of the one behind them
};

}  // namespace accelscope::formats::chip_run
