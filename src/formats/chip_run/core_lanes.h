// The cores of a chip as tracks, and what they carried out as slices with stages.
//
// Rows are given up core by core, so that the recording and the trace are never in memory together. Belongs
// to one builder; one thread. (Inside add_dispatches() a second one makes the table of stages, from columns
// that the first does not touch.)
//
//   const std::vector<TrackId> cores = add_core_tracks(capture, clock, schedulers, span, builder);
//   add_dispatches(capture, cores, sources, builder);
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/chip_run/functions.h"
#include "formats/chip_run/run_tasks.h"
#include "formats/pmu_csv/pmu_csv.h"

namespace accelscope::formats::chip_run {

// Whether a recording is so long that part of the work on it is worth a thread.
bool is_worth_a_thread(const chip_swimlane::Capture& capture);

// First and last moment of anything on the device.
struct DeviceSpan {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
// Nothing when nothing was recorded.
std::optional<DeviceSpan> device_span(const chip_swimlane::Capture& capture);

// The number of the scheduler thread that feeds each core, -1 where that is not known. A recording that does
// not say it, but has phases, is asked in whose dispatch phases the core's dispatches fall.
std::vector<std::int32_t> controllers_of_cores(const chip_swimlane::Capture& capture,
                                               trace::QualityTable& quality);

// One track per core, also for those that ran nothing; none for numbers that are no cores. `schedulers` are
// the tracks of the scheduler threads by number, kNone for those that recorded nothing.
std::vector<trace::TrackId> add_core_tracks(const chip_swimlane::Capture& capture, trace::ClockId clock,
                                            const std::vector<trace::TrackId>& schedulers,
                                            const std::optional<DeviceSpan>& span,
                                            trace::TraceBuilder& builder);

struct DispatchSources {
  const RunTasks& tasks;
  const deps::Dependencies* graph = nullptr;
  const pmu_csv::PmuTable* pmu = nullptr;
  Functions& functions;
};
// Empties the rows of the cores.
void add_dispatches(chip_swimlane::Capture& capture, const std::vector<trace::TrackId>& cores,
                    const DispatchSources& sources, trace::TraceBuilder& builder);

}  // namespace accelscope::formats::chip_run
