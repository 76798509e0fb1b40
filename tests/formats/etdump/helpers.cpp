#include "formats/etdump/helpers.h"

#include "trace/self_time.h"

namespace accelscope::formats::etdump {

std::int64_t sum_of_self_times(const trace::Trace& trace, trace::SliceId root) {
  const trace::SliceTable& slices = trace.slices();
  const trace::RowRange rows = trace.slices_of(slices.track[index(root)]);
  const std::vector<trace::Ticks> self = trace::self_times(trace, rows);
  std::uint64_t sum = 0;  // may wrap on the way, and wraps back
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    trace::SliceId ancestor{row};
    while (ancestor != root && ancestor != trace::SliceId::kNone) ancestor = slices.parent[index(ancestor)];
    if (ancestor == root) sum += static_cast<std::uint64_t>(self[row - rows.first].value);
  }
  return static_cast<std::int64_t>(sum);
}

}  // namespace accelscope::formats::etdump
