#include "formats/perfetto/file_time.h"

#include <algorithm>
#include <optional>

namespace accelscope::formats::perfetto {
namespace {

using trace::ClockId;
using trace::Trace;
using trace::TrackId;

// Drawn, before any offset; nothing when the trace has no events.
std::optional<std::int64_t> earliest_time(const Trace& trace, const views::Timeline& timeline) {
  std::optional<std::int64_t> earliest;
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) {
    const TrackId track{id};
    const ClockId clock = trace.track(track).clock;
    const auto look_at_first = [&](trace::RowRange rows, const trace::Column<Ticks>& times) {
      if (rows.empty()) return;
      const std::int64_t time = timeline.nanoseconds(clock, times[rows.first]);
      earliest = std::min(earliest.value_or(time), time);
    };
    look_at_first(trace.slices_of(track), trace.slices().start);
    look_at_first(trace.states_of(track), trace.states().start);
    look_at_first(trace.counters_of(track), trace.counters().time);
    look_at_first(trace.instants_of(track), trace.instants().time);
  }
  return earliest;
}

}  // namespace

FileTime::FileTime(const Trace& trace, const views::Timeline& timeline) : timeline_(timeline) {
  const std::int64_t earliest = earliest_time(trace, timeline).value_or(0);
  shift_ = std::min<std::int64_t>(earliest, 0);
  first_ = static_cast<std::uint64_t>(std::max<std::int64_t>(earliest, 0));
}

}  // namespace accelscope::formats::perfetto
