// Which event of which slice carries which flow.
//
// Perfetto draws an arrow from the slice that starts first to the one that starts later; of equal starts,
// from the one whose event it meets first. So a flow leaves at its first slice's begin and arrives at the
// other's begin, or, when both start in the same nanosecond in the wrong order of the file, at its end. An
// arrow against time (its target starts before its source) would be drawn backwards: it is not drawn, and
// both slices say in an annotation where it should go. The same holds for the few of equal starts that cannot
// be helped.
//
// Made once per file, then read-only. The trace must outlive the call that makes it.
//
//   const FlowPlan flows = plan_flows(trace, time_of);
//   for (const FlowEnd& end : flows.of(slice)) ...
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/perfetto/file_time.h"
#include "trace/trace.h"

namespace accelscope::formats::perfetto {

enum class FlowPart : std::uint8_t {
  kLeaves,        // at the begin
  kArrives,       // at the begin
  kArrivesAtEnd,  // at the slice's end event
  kShouldLeave,   // not drawn
  kShouldArrive,  // not drawn
};

struct FlowEnd {
  std::uint32_t slice;
  std::uint32_t flow;
  FlowPart part;
};

struct FlowPlan {
  std::vector<FlowEnd> ends;  // by slice, then flow
  std::uint64_t against_time = 0;
  std::uint64_t undecidable = 0;  // equal starts, and no order of events would draw the right arrow

  std::span<const FlowEnd> of(trace::SliceId slice) const;
};

FlowPlan plan_flows(const trace::Trace& trace, const FileTime& time_of);

}  // namespace accelscope::formats::perfetto
