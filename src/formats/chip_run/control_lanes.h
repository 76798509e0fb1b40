// The control CPUs of a chip as tracks: phases of the scheduler threads, markers of tasks that need no core,
// ready queues, and the calls of the orchestrators.
//
// Belongs to one builder; one thread.
//
//   const ControlTracks tracks = add_control_tracks(capture, clock, builder);
//   add_scheduler_phases(capture, tracks, tasks, builder);
#pragma once

#include <vector>

#include "formats/chip_run/run_tasks.h"

namespace accelscope::formats::chip_run {

struct ControlTracks {
  std::vector<trace::TrackId> schedulers = {};     // by number; kNone for threads that recorded nothing
  std::vector<trace::TrackId> orchestrators = {};  // likewise
};

ControlTracks add_control_tracks(const chip_swimlane::Capture& capture, trace::ClockId clock,
                                 trace::TraceBuilder& builder);

// Phases and markers, thread by thread. Each thread's slices are in order of start, outer ones first.
void add_scheduler_phases(const chip_swimlane::Capture& capture, const ControlTracks& tracks,
                          const RunTasks& tasks, trace::TraceBuilder& builder);

// Three counter tracks, sampled at both ends of every phase that recorded them; none when no phase did.
void add_ready_queues(const chip_swimlane::Capture& capture, trace::ClockId clock,
                      trace::TraceBuilder& builder);

// A thread track with the engine "orchestrator".
trace::TrackId add_orchestrator_track(trace::TrackId group, trace::ClockId clock, std::size_t number,
                                      std::size_t of, trace::TraceBuilder& builder);

// The calls of one orchestrator. Old recordings list the steps of a call: they lie inside a call of ours.
void add_submits(const chip_swimlane::Capture& capture, const std::vector<chip_swimlane::SubmitRow>& rows,
                 trace::TrackId track, const RunTasks& tasks, trace::TraceBuilder& builder);

}  // namespace accelscope::formats::chip_run
