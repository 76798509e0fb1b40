// Lanes for slices that overlap: Perfetto, Chrome and speedscope know only properly nested slices per track.
//
// Slices that overlap a sibling, or stick out of their parent, go to child tracks called "<name> (lane 2)",
// "(lane 3)", ... of level kLane, on the same clock. A moved slice takes along what is properly nested in it;
// the parent it leaves becomes its owner, if it has none. Nothing is dropped or clipped: every slice keeps
// its times, arguments, flows, stages and run. Each slice goes to the first lane that is free at its start,
// so there are as few lanes as slices overlap at one time. The result is the same for the same trace.
//
// Pure functions of a read-only trace; safe from any thread. The new trace shares nothing with the old.
// O(n log n).
//
//   if (needs_lanes(trace)) {
//     ACCELSCOPE_TRY(const Trace laned, split_overlaps(trace));
//     ACCELSCOPE_TRY(const QualityTable notes, perfetto::write(laned, out, {}));
//   }
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "trace/trace.h"
#include "trace/trace_builder.h"

namespace accelscope::views {

bool needs_lanes(const trace::Trace& trace);
// Whether one track needs none.
bool nests(const trace::Trace& trace, trace::TrackId track);

// The track of lane 1, 2, ... of a track with this id and name; lane 0 is the track itself.
trace::Track lane_of(trace::Track track, trace::TrackId id, std::string_view name, std::uint32_t lane,
                     trace::TraceBuilder& builder);

// A copy of the trace in which every track nests properly.
base::Result<trace::Trace> split_overlaps(const trace::Trace& trace);

}  // namespace accelscope::views
