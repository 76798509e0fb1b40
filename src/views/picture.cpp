#include "views/picture.h"

#include <algorithm>
#include <thread>

namespace accelscope::views {

using trace::Ticks;
using trace::Trace;
using trace::TrackId;

std::vector<Ticks> first_times_of(const Trace& trace) {
  std::vector<Ticks> first_times(trace.clocks().size(), Ticks::max());
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) {
    const TrackId track{id};
    // Rows are in the order of time.
    const auto look_at_first = [&](trace::RowRange rows, const trace::Column<Ticks>& times) {
      if (rows.empty()) return;
      Ticks& first = first_times[index(trace.track(track).clock)];
      first = std::min(first, times[rows.first]);
    };
    look_at_first(trace.slices_of(track), trace.slices().start);
    look_at_first(trace.states_of(track), trace.states().start);
    look_at_first(trace.counters_of(track), trace.counters().time);
    look_at_first(trace.instants_of(track), trace.instants().time);
  }
  return first_times;
}

std::uint32_t parts_at_a_time() {
  // More than this would cost memory, and no writer takes them any faster.
  constexpr std::uint32_t kMost = 8;
  return std::clamp(std::thread::hardware_concurrency(), 1U, kMost);
}

Picture picture_of(const Trace& trace) {
  return {.first = std::shared_ptr<const Trace>(std::shared_ptr<void>(), &trace),
          .more_parts = 0,
          .make_part = {},
          .first_times = first_times_of(trace)};
}

}  // namespace accelscope::views
