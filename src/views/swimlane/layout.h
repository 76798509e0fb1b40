// The tracks of the picture: processes for orchestrators, the host, graphs, scheduler threads, the scheduler
// view, the worker view, the ready queues, and then whatever else the recording has, as it has it. Tracks
// without rows are left out, but for cores that ran nothing.
//
// Plain data; made once, when the first part of the picture is.
//
//   const Layout layout = lay_out(trace, chip, survey, builder);
//   builder.add_slice({.track = layout.of_source[index(thread)], ...});
#pragma once

#include <vector>

#include "trace/chip_run.h"
#include "trace/trace_builder.h"
#include "views/swimlane/survey.h"

namespace accelscope::views::swimlane {

using trace::TrackId;

struct CoreTracks {
  std::vector<TrackId> scheduler = {};  // by lane
  std::vector<TrackId> worker = {};
};

struct Layout {
  std::vector<TrackId> of_source = {};  // by track of the trace; kNone when it is not drawn
  std::vector<TrackId> markers = {};    // by track of the trace: where its tasks without a core are drawn
  std::vector<CoreTracks> cores = {};   // as in ChipRun
  TrackId graphs = TrackId::kNone;
};

// Adds the tracks to a builder that has the clocks of the trace and no track yet.
Layout lay_out(const trace::Trace& trace, const trace::ChipRun& chip, const Survey& survey,
               trace::TraceBuilder& builder);

}  // namespace accelscope::views::swimlane
