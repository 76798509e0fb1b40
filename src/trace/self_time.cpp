#include "trace/self_time.h"

namespace accelscope::trace {

std::vector<Ticks> self_times(const Trace& trace, RowRange rows) {
  const SliceTable& slices = trace.slices();
  std::vector<Ticks> self(rows.count);
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    self[row - rows.first] += slices.duration[row];
    const SliceId parent = slices.parent[row];
    if (parent != SliceId::kNone) self[index(parent) - rows.first] -= slices.duration[row];
  }
  return self;
}

}  // namespace accelscope::trace
