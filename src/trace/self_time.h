// Self time: a slice's duration less that of its children.
//
// Children are on the same track and so on the same clock; slices of other clocks point at their owner
// instead and are never subtracted. The arithmetic is exact: the self times below any slice sum to its
// duration, in integer ticks. A child that runs longer than its parent (clocks are quantised) makes a
// negative self time, which is kept, because the sum would be wrong otherwise; whoever shows it shows zero
// and says so. Pure; safe from any thread.
//
//   std::vector<Ticks> self = self_times(trace, trace.slices_of(track));   // self[row - rows.first]
#pragma once

#include <vector>

#include "trace/trace.h"

namespace accelscope::trace {

// `rows` must be all slices of one track.
std::vector<Ticks> self_times(const Trace& trace, RowRange rows);

// Sums of absurd lengths, which only a damaged file has, may leave 64 bits on the way: they wrap, and wrap
// back where durations and self times are added up over a whole tree.
inline void add_wrapping(Ticks& sum, Ticks ticks) {
  sum.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum.value) +
                                        static_cast<std::uint64_t>(ticks.value));
}

}  // namespace accelscope::trace
