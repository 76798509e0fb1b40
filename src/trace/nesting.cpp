#include "trace/nesting.h"

#include <algorithm>

namespace accelscope::trace {
namespace {

struct OpenSlice {
  SliceId slice;
  Ticks end;
};

// Rows [first, last) with one start time, longest first, as logged among equals.
void order_equal_starts(const SliceTable& slices, std::uint32_t first, std::uint32_t last,
                        std::vector<std::uint32_t>& order) {
  order.clear();
  for (std::uint32_t row = first; row < last; ++row) order.push_back(row);
  if (order.size() > 1)
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return slices.duration[a] > slices.duration[b];
    });
}

}  // namespace

void nest_by_start(SliceTable& slices, RowRange rows) {
  std::vector<OpenSlice> open;
  std::vector<std::uint32_t> same_start;
  for (std::uint32_t first = rows.first; first < rows.end();) {
    const Ticks start = slices.start[first];
    std::uint32_t last = first + 1;
    while (last < rows.end() && slices.start[last] == start) ++last;
    order_equal_starts(slices, first, last, same_start);
    for (const std::uint32_t row : same_start) {
      const Ticks end = start + slices.duration[row];
      // An open slice that ends before this one cannot contain it, nor anything that starts later and that
      // this one does not contain as well. One that ended exactly where this one starts encloses only what
      // has no length.
      while (!open.empty() && (open.back().end < end || (open.back().end == start && end > start)))
        open.pop_back();
      if (!open.empty() && slices.parent[row] == SliceId::kNone) slices.parent[row] = open.back().slice;
      open.push_back({static_cast<SliceId>(row), end});
    }
    first = last;
  }
}

}  // namespace accelscope::trace
