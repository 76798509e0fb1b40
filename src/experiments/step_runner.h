// Runs one step of a schedule on a target and says what became of it.
//
// Never fails as a whole: whatever goes wrong is the step's status and reason, so that the other steps go on.
// Uses one target from one thread.
//
//   StepRecord record = run_step(config, step, target, &interrupted);
//   if (record.status == StepStatus::kCrashed) fmt::print("{}\n", record.reason);
#pragma once

#include <atomic>

#include "experiments/bench_state.h"
#include "experiments/target.h"

namespace accelscope::experiments {

StepRecord run_step(const Config& config, const Step& step, Target& target,
                    const std::atomic<bool>* interrupted);

// Fills in what the step's files tell: the runner's own lines and the latencies. A step whose ETDump is
// missing or cannot be read becomes failed.
void evaluate_files(const Config& config, StepRecord& record);

}  // namespace accelscope::experiments
