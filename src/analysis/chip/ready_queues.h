// The depths of the ready queues, as the scheduler threads recorded them: ground truth for how much work was
// ready.
//
// Pure functions of a read-only trace; the answers own what they hold.
//
//   const std::vector<QueueStep> steps = recorded_depth(trace, chip, trace::engine::kVector);
//   if (!steps.empty()) use(steps[0].time, steps[0].depth);
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/chip/task_times.h"

namespace accelscope::analysis::chip {

struct QueueStep {
  Ticks time = {};
  std::int64_t depth = 0;  // from this moment on
};

// What the engine could have taken: its own queue and the queue of work for several engines. By time, one
// step per moment; empty when nothing was recorded.
std::vector<QueueStep> recorded_depth(const trace::Trace& trace, const trace::ChipRun& chip,
                                      std::string_view engine);

}  // namespace accelscope::analysis::chip
