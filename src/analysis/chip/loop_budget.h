// What the time of every scheduler thread went into. Phases inside others (resolve in complete, the drain
// phases in dispatch) count as their own time and not as their parent's, so the self times of all phases and
// the idle time sum to the thread's window exactly. Idle is what no phase covers, and what old recordings
// call idle; a phase of a kind nobody knows is work.
//
// Pure function of a read-only trace; the answer owns what it holds.
//
//   for (const ThreadBudget& thread : loop_budget(trace, chip, times).threads)
//     show(thread.number, thread.idle_share(), thread.ns_per_task());
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/chip/task_times.h"

namespace accelscope::analysis::chip {

struct PhaseTime {
  trace::StringId phase = trace::StringId::kEmpty;
  std::uint64_t count = 0;
  Ticks total = {};  // phases inside it included
  Ticks self = {};   // without them
  std::uint64_t tasks_processed = 0;
};

struct ThreadBudget {
  trace::TrackId thread = trace::TrackId::kNone;
  std::int64_t number = 0;
  Window window = {};                  // from its first phase to the end of its last
  std::uint64_t loops = 0;             // the highest number of an iteration; 0 when none was recorded
  std::vector<PhaseTime> phases = {};  // most self time first, then by name; without idle
  Ticks idle = {};
  std::optional<std::uint64_t> pop_hits = {};
  std::optional<std::uint64_t> pop_misses = {};
  std::uint64_t tasks = 0;             // whose last part finished on a core of this thread
  std::uint64_t parts_completed = 0;   // tasks processed by complete
  std::uint64_t parts_dispatched = 0;  // by dispatch and early_dispatch
  double ns_per_tick = 1;

  Ticks work() const { return window.length() - idle; }
  double idle_share() const;                   // 0 to 1; 0 for no window
  std::optional<double> pop_hit_rate() const;  // hits of all pops
  std::optional<double> ns_per_loop() const;   // of the whole window
  std::optional<double> ns_per_task() const;   // of work, per task
  std::optional<double> ns_per_part() const;   // of work, per part completed
};

struct LoopBudget {
  std::vector<ThreadBudget> threads = {};  // as ChipRun::schedulers, those without phases left out
  bool recorded() const { return !threads.empty(); }
};

LoopBudget loop_budget(const trace::Trace& trace, const trace::ChipRun& chip, const TaskTimes& times);

}  // namespace accelscope::analysis::chip
