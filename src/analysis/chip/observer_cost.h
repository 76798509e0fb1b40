// What recording cost at this level: an estimate from the figures that the recorder's makers measured, not
// from this run. It tells how far the run's times may be from those without a recorder.
//
// Pure function of a read-only trace; the answer owns what it holds.
//
//   const ObserverCost cost = observer_cost(trace, chip, times);
//   if (cost.core_share > 0.05) warn();
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/chip/task_times.h"

namespace accelscope::analysis::chip {

// Per switch from one dispatch to the next: three reads of the counter and one stored record.
inline constexpr base::Nanoseconds kObserverCostPerPart = {800};
// Share of the orchestration that recording each submission adds.
inline constexpr double kObserverSubmitShareLow = 0.065;
inline constexpr double kObserverSubmitShareHigh = 0.096;

struct ObserverCost {
  int level = 0;
  std::uint64_t parts = 0;
  Ticks core_time = {};         // parts times the cost of one, over all cores
  double core_share = 0;        // of cores times window
  double worst_core_share = 0;  // of the window, on the core with the most parts
  // Level 4, orchestrated on the device or the host: from the first submission to the end of the last, on the
  // orchestrator's clock, and how much of it the recording took.
  struct Orchestrator {
    base::Nanoseconds window = {};
    base::Nanoseconds cost_low = {};
    base::Nanoseconds cost_high = {};
  };
  std::optional<Orchestrator> orchestrator = {};
  std::string_view basis = {};  // where the figures come from, in words
};

ObserverCost observer_cost(const trace::Trace& trace, const trace::ChipRun& chip, const TaskTimes& times);

}  // namespace accelscope::analysis::chip
