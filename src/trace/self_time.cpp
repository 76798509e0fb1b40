#include "trace/self_time.h"

namespace accelscope::trace {
namespace {

// Overlapping slices of absurd lengths, which only a damaged file has, may leave 64 bits on the way; what
// wraps there wraps back in the sum over a tree.
void add_wrapping(Ticks& sum, std::uint64_t ticks) {
  sum.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum.value) + ticks);
}

}  // namespace

std::vector<Ticks> self_times(const Trace& trace, RowRange rows) {
  const SliceTable& slices = trace.slices();
  std::vector<Ticks> self(rows.count);
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    const auto duration = static_cast<std::uint64_t>(slices.duration[row].value);
    add_wrapping(self[row - rows.first], duration);
    const SliceId parent = slices.parent[row];
    if (parent != SliceId::kNone) add_wrapping(self[index(parent) - rows.first], 0 - duration);
  }
  return self;
}

}  // namespace accelscope::trace
