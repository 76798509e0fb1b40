#include "trace/self_time.h"

namespace accelscope::trace {
std::vector<Ticks> self_times(const Trace& trace, RowRange rows) {
  const SliceTable& slices = trace.slices();
  std::vector<Ticks> self(rows.count);
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    const Ticks duration = slices.duration[row];  // never negative, so that its opposite exists
    add_wrapping(self[row - rows.first], duration);
    const SliceId parent = slices.parent[row];
    if (parent != SliceId::kNone) add_wrapping(self[index(parent) - rows.first], -duration);
  }
  return self;
}

}  // namespace accelscope::trace
