// When each task of a chip's run was asked for, could run, ran and was done: what every explanation of the
// run rests on.
//
// "Ready" is the moment from which nothing but the scheduler kept a task from running: its submission had
// ended, and so had the last of its producers. A task counts from its submission on, never before: work that
// was not asked for yet cannot be late. Where submissions or dependencies were not recorded, ready is not
// known, and nothing guesses it.
//
// All times are on the cores' clock; submissions of a host are brought there when the relation of the clocks
// was measured. Pure functions of a read-only trace; the answers own what they hold.
//
//   const trace::ChipRun chip = trace::chip_run(trace);
//   const TaskTimes times = task_times(trace, chip);
//   if (is_known(times.ready[task])) wait = times.first_dispatch[task] - times.ready[task];
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/chip_run.h"

namespace accelscope::analysis::chip {

using trace::Ticks;

// The time that a run is explained over: from the first moment recorded on the device (a submission there, a
// dispatch, a start) to the last end or finish.
struct Window {
  Ticks from = {};
  Ticks to = {};

  Ticks length() const { return to - from; }
};

// Per task, as in the trace; kUnknownTime where it was not recorded. Of more than kTasksForNothing tasks that
// nothing relates to each other (no dependencies, no submissions, no scheduler phases), nobody can ask
// anything: only the window is there, because the rest would take 44 bytes a task.
inline constexpr std::uint32_t kTasksForNothing = 1'000'000;
struct TaskTimes {
  std::vector<Ticks> submit =
      {};  // end of its submission; empty when none was recorded or clocks do not compare
  std::vector<Ticks> first_dispatch = {};
  std::vector<Ticks> first_start = {};
  std::vector<Ticks> last_end = {};
  std::vector<Ticks> last_finish = {};
  std::vector<std::uint32_t> parts = {};  // how many dispatches carried it out
  // When it holds up nobody any more: the last end, the moment a control CPU retired it, or, for an
  // allocation, the end of its submission.
  std::vector<Ticks> done = {};
  std::vector<Ticks> ready = {};  // empty when neither submissions nor dependencies were recorded
  Window window = {};

  bool has_tasks() const { return !parts.empty(); }
  bool has_submit() const { return !submit.empty(); }
  bool has_ready() const { return !ready.empty(); }
};

// For every task the tasks at the other end of its edges, in the order of the edges.
struct TaskNeighbours {
  std::vector<std::uint32_t> first = {};  // one more than there are tasks
  std::vector<trace::TaskId> tasks = {};

  std::span<const trace::TaskId> of(trace::TaskId task) const {
    const std::uint32_t from = first[index(task)];
    return std::span(tasks).subspan(from, first[index(task) + 1] - from);
  }
};

TaskNeighbours predecessors_of(const trace::Trace& trace);
TaskNeighbours successors_of(const trace::Trace& trace);

// Whether every edge leads to a task with a higher number, as in nearly all runs: then nothing goes in a
// circle, and numbers are an order.
bool edges_lead_upwards(const trace::Trace& trace);

// Every task behind all of its producers; tasks on a cycle, and those behind one, are not in it.
std::vector<std::uint32_t> producers_first(const TaskNeighbours& successors);

TaskTimes task_times(const trace::Trace& trace, const trace::ChipRun& chip);

}  // namespace accelscope::analysis::chip
