// Idle cores and ready tasks over time, as the reference counts them: a task is ready from the end of its
// last producer to its first dispatch, whether it was submitted yet or not, and never when no producer was
// timed; only cores that ran something can be idle.
//
// That is wrong in both directions, which is why it lives here and not in analysis/. Plain data.
//
//   const ReferenceSweep sweep = reference_sweep(run);
//   for (const SweepStep& step : sweep.steps) use(step.time, step.idle[kCubeEngine]);
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compat/reference_run.h"

namespace accelscope::compat {

inline constexpr std::size_t kCubeEngine = 0;
inline constexpr std::size_t kVectorEngine = 1;
inline constexpr std::size_t kEngineCount = 2;

// What holds from `time` to the next step.
struct SweepStep {
  Ticks time = {};
  std::array<std::int64_t, kEngineCount> idle = {};
  std::array<std::int64_t, kEngineCount> ready = {};
};

struct ReferenceSweep {
  std::array<std::int64_t, kEngineCount> cores = {};  // that ran at least one task
  std::vector<SweepStep> steps = {};

  bool has(std::size_t engine) const { return cores[engine] > 0; }
};

ReferenceSweep reference_sweep(const ReferenceRun& run);

bool has_overhead(const SweepStep& step, std::size_t engine);
// Every engine that ran anything has overhead.
bool all_overhead(const ReferenceSweep& sweep, const SweepStep& step);
// There is ready work, and every engine that has some also has an idle core.
bool working_overhead(const ReferenceSweep& sweep, const SweepStep& step);

}  // namespace accelscope::compat
