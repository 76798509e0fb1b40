// Which chain of tasks made a chip's run as long as it was: the one that its dependencies force (static), and
// the one that was observed.
//
// The static path is the longest chain of real dependencies, with as many cores as anyone could want and
// nothing but computing: no schedule of these tasks is shorter. An edge counts although the recorded schedule
// violated it. A task weighs as much as its longest part, since with enough cores its parts run side by side.
// Dummies, skipped tasks, allocations and whole graphs weigh nothing and pass the path on.
//
// The observed path starts at the part that ended last and asks again and again why a part started when it
// did: its last producer ended then (data wait), the core it ran on was busy until then (core wait), or
// nothing recorded came before it (front gap). Its steps, each a stall and then computing, tile the window
// without gap or overlap.
//
// Pure functions of a read-only trace; the answers own what they hold, except for names, which are the
// trace's. Works without dependencies, without submissions and with nothing but starts and ends.
//
//   const TaskTimes times = task_times(trace, chip);
//   const ObservedPath path = observed_path(trace, chip, times);
//   for (const PathStep& step : path.steps) use(step.stall.total(), step.end - step.start);
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/chip/longest_path.h"
#include "analysis/chip/task_times.h"

namespace accelscope::analysis::chip {

// One function's part of a path. Functions are ordered by computing time, the longest first.
struct FunctionOnPath {
  trace::StringId function = trace::StringId::kEmpty;
  Ticks compute = {};
  Ticks stall = {};  // before its steps; 0 on a static path
  std::uint32_t steps = 0;
};

struct StaticPath {
  Ticks length = {};
  std::vector<trace::TaskId> tasks = {};  // in order, those without a weight as well
  std::vector<FunctionOnPath> functions = {};
  std::vector<Ticks> slack = {};      // per task of the trace, when asked for
  std::uint32_t tasks_on_cycles = 0;  // left out
  bool has_dependencies = false;      // without any, the path is the longest task
};

StaticPath static_path(const trace::Trace& trace, const trace::ChipRun& chip, Slack slack = Slack::kNo);

// Why a step did not start earlier.
enum class WaitKind : std::uint8_t {
  kFrontGap,  // nothing that was recorded came before it
  kDataWait,  // its last producer
  kCoreWait,  // the core was busy with the step before
};

// What filled the time between the step before and the start of this one.
struct Stall {
  Ticks submission = {};  // it had not been asked for yet
  // It was ready, but not handed to a core; or handed to one, but not started. With a data wait this includes
  // the time until the scheduler saw that the producer had ended.
  Ticks scheduling = {};
  Ticks core = {};     // the core had it in hand when it got free, and took this long to go on
  Ticks unknown = {};  // the recording does not tell these apart

  Ticks total() const { return submission + scheduling + core + unknown; }
};

struct PathStep {
  trace::TaskId task = trace::TaskId::kNone;
  trace::SliceId slice = trace::SliceId::kNone;  // none for a task that no core carried out
  trace::StringId function = trace::StringId::kEmpty;
  WaitKind wait = WaitKind::kFrontGap;
  // The stall is [stall_from, start], the computing [start, end]. The end is earlier than the part's when the
  // next step started before it (a dependency that was not kept).
  Ticks stall_from = {};
  Ticks start = {};
  Ticks end = {};
  Stall stall = {};

  Ticks compute() const { return end - start; }
};

struct ObservedPath {
  Window window = {};                // from the first moment on the device to the last end of a part
  Ticks first_start = {};            // of any part; the reference's window is [first_start, window.to]
  std::vector<PathStep> steps = {};  // in order of time
  Ticks compute = {};
  Stall stall = {};
  // The same stall by the kind of wait; compute + front_gap + data_wait + core_wait is the window.
  Ticks front_gap = {};
  Ticks data_wait = {};
  Ticks core_wait = {};
  std::vector<FunctionOnPath> functions = {};

  // As the reference counts it: without what came before the first start of any part.
  Ticks makespan_from_first_start() const { return window.to - first_start; }
  Ticks front_gap_from_first_start() const;
};

// What an analysis may take for granted beyond what the trace says.
struct PathOptions {
  // A trace without edges comes from a run without dependencies, or from one whose dependencies were not
  // recorded. True: it is the former.
  bool no_edges_means_independent = false;
};

ObservedPath observed_path(const trace::Trace& trace, const trace::ChipRun& chip, const TaskTimes& times,
                           const PathOptions& options = {});

}  // namespace accelscope::analysis::chip
