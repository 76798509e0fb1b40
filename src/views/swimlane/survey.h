// What of a chip's run there is to draw, found before anything is drawn: lanes for bars that overlap, markers
// and graphs, and for every task the slices that arrows may touch.
//
// A pure function of a read-only trace; the answer refers to nothing of it. One linear pass over the
// dispatches; what is kept per task is kept only when arrows or graphs need it.
//
//   const Survey survey = survey_run(trace, trace::chip_run(trace));
//   survey.cores[0].scheduler_lanes
#pragma once

#include <cstdint>
#include <vector>

#include "trace/chip_run.h"

namespace accelscope::views::swimlane {

using trace::is_known;
using trace::Ticks;

inline constexpr std::uint32_t kNoRow = 0xFFFFFFFF;

// The bars of a dispatch.
struct Bar {
  Ticks begin = {};
  Ticks end = {};
  bool end_known = true;
};
// In the worker view: from the moment the core sees it.
inline Bar worker_bar(const trace::Dispatch& dispatch) {
  const bool received = is_known(dispatch.receive) && dispatch.receive < dispatch.start;
  return {received ? dispatch.receive : dispatch.start, dispatch.end, true};
}
inline bool has_scheduler_bar(const trace::Dispatch& dispatch) {
  return is_known(dispatch.dispatch);
}
inline Bar scheduler_bar(const trace::Dispatch& dispatch) {
  if (is_known(dispatch.finish) && dispatch.finish >= dispatch.dispatch)
    return {dispatch.dispatch, dispatch.finish, true};
  return {dispatch.dispatch, dispatch.end < dispatch.dispatch ? dispatch.dispatch : dispatch.end, false};
}

// The lanes of one core's bars in one view.
struct BarLanes {
  std::uint32_t count = 0;  // 0 when there are no bars
  std::vector<std::uint32_t> lane =
      {};  // by position of the slice on the core; empty when one lane is enough

  std::uint32_t of(std::uint32_t position) const { return lane.empty() ? 0 : lane[position]; }
};

struct CoreSurvey {
  BarLanes scheduler = {};
  BarLanes worker = {};
  Ticks first_time = Ticks::max();  // of all bars
};

// The slices of the recording that carried a task out, by their row: dispatches, or the marker of a task that
// needs no core.
struct TaskPieces {
  std::uint32_t first = kNoRow;  // the first to start
  std::uint32_t last = kNoRow;   // the last to end
  std::uint32_t first_dispatched = kNoRow;
  std::uint32_t last_finished = kNoRow;
  std::uint32_t submit = kNoRow;
  // On the clock of the cores; as here where nothing on that clock is known.
  Ticks start = Ticks::max();
  Ticks end = Ticks::min();
  Ticks dispatch = Ticks::max();
  Ticks finish = Ticks::min();
  Ticks last_finished_begin = {};  // of its bar in the worker view
};

// A graph that was submitted as one task: from its preparation to the end of its last node.
struct Envelope {
  trace::TaskId task = trace::TaskId::kNone;
  std::uint32_t prepare = kNoRow;  // row of the slice that prepared it
  std::uint32_t nodes = 0;
  Ticks begin = {};
  Ticks end = {};
};

struct Survey {
  std::vector<CoreSurvey> cores = {};    // as in ChipRun
  std::vector<TaskPieces> tasks = {};    // by task; empty when nothing needs them
  std::vector<Envelope> envelopes = {};  // by begin
  // By track of the trace: whether it has tasks that need no core.
  std::vector<bool> has_markers = {};
  // By task: the end of its last producer, for tasks that may wait on a core for their doorbell; else empty.
  std::vector<Ticks> producers_end = {};
};

// Whether this slice of a scheduler thread or an orchestrator stands for a task that needs no core: a dummy,
// a skipped task, an allocation.
bool is_marker(const trace::Trace& trace, std::uint32_t row);

Survey survey_run(const trace::Trace& trace, const trace::ChipRun& chip);

}  // namespace accelscope::views::swimlane
