#include "formats/perfetto/file_time.h"

#include <algorithm>
#include <optional>

namespace accelscope::formats::perfetto {
namespace {

// Drawn, before any offset; nothing when there are no events.
std::optional<std::int64_t> earliest_time(std::span<const Ticks> first_times,
                                          const views::Timeline& timeline) {
  std::optional<std::int64_t> earliest;
  for (std::uint32_t clock = 0; clock < first_times.size(); ++clock) {
    if (first_times[clock] == Ticks::max()) continue;
    const std::int64_t time = timeline.nanoseconds(trace::ClockId{clock}, first_times[clock]);
    earliest = std::min(earliest.value_or(time), time);
  }
  return earliest;
}

}  // namespace

FileTime::FileTime(std::span<const Ticks> first_times, const views::Timeline& timeline)
    : timeline_(timeline) {
  const std::int64_t earliest = earliest_time(first_times, timeline).value_or(0);
  shift_ = std::min<std::int64_t>(earliest, 0);
  first_ = static_cast<std::uint64_t>(std::max<std::int64_t>(earliest, 0));
}

}  // namespace accelscope::formats::perfetto
