// How full the rings of the runtime were, as counters over time and as facts.
//
// The file has no times, only how far each ring had got: a boundary is placed where the orchestrator had
// submitted that many tasks. Belongs to one builder; one thread.
//
//   add_scope_counters(stats, submit_ends(capture), clock, builder);
#pragma once

#include <cstdint>
#include <vector>

#include "formats/chip_swimlane/capture.h"
#include "formats/scope_stats/scope_stats.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::chip_run {

struct SubmitTime {
  std::uint64_t task = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
};
// By task. Of the orchestrators on the device, or of those on the host where there are none.
std::vector<SubmitTime> submit_times(const chip_swimlane::Capture& capture);

// `clock` is that of the orchestrators.
void add_scope_counters(const scope_stats::ScopeStats& stats, const std::vector<SubmitTime>& submits,
                        trace::ClockId clock, trace::TraceBuilder& builder);
// Peaks and capacities, and what the recorder lost.
void add_scope_facts(const scope_stats::ScopeStats& stats, trace::TraceBuilder& builder);

}  // namespace accelscope::formats::chip_run
