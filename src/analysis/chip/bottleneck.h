// Who held up a run of a chip: submission, scheduling, dependencies or computing, each with its share of the
// window; the shares are whole ticks and sum to the window.
//
// Every instant along the observed path (critical_path.h) has one owner:
// - the path waits for a task that was not asked for yet: submission. So is the computing of the step before,
//   when its successor was asked for only after it had ended: computing faster would not have helped;
// - the task was ready but not handed out, handed out but not started, or its producer had ended and nobody
//   had noticed: scheduling; but computing while every core that could take it was busy with other work;
// - a task of the path computes: dependencies when cores are idle, work for them is left, and none of it is
//   ready (more cores would not help, the chain is the limit), else computing;
// - what the recording cannot tell: unknown. Nothing is guessed.
// The depths of the ready queues are taken as the truth where they were recorded: a queue that is not empty
// beside idle cores is scheduling, an empty one means that nothing was ready.
//
// Pure function of a read-only trace; the answer owns what it holds.
//
//   const Bottleneck who = bottleneck(trace, chip, times, observed_path(trace, chip, times));
//   if (who.verdict == Limit::kScheduling) share = who.of(Limit::kScheduling);
#pragma once

#include <array>
#include <cstdint>

#include "analysis/chip/critical_path.h"

namespace accelscope::analysis::chip {

enum class Limit : std::uint8_t { kSubmission, kScheduling, kDependencies, kCompute, kUnknown };
inline constexpr std::size_t kLimits = 5;

// What the answer rests on.
struct BottleneckEvidence {
  bool submissions = false;
  bool dependencies = false;
  bool dispatches = false;  // moments at which work was handed to cores
  bool queue_depths = false;
};

struct Bottleneck {
  Window window = {};
  std::array<Ticks, kLimits> ticks = {};  // by Limit; the sum is the window
  Limit verdict = Limit::kUnknown;        // the largest; of equals the first
  Limit second = Limit::kUnknown;         // the second largest
  bool mixed = false;  // the two are closer than a tenth of the window: neither alone is the bottleneck
  BottleneckEvidence evidence = {};

  Ticks of(Limit limit) const { return ticks[static_cast<std::size_t>(limit)]; }
  double share(Limit limit) const;  // of the window, 0 to 1
};

// The window is that of the times: what the path leaves at its end (until the scheduler saw the last end) is
// scheduling.
Bottleneck bottleneck(const trace::Trace& trace, const trace::ChipRun& chip, const TaskTimes& times,
                      const ObservedPath& path, const PathOptions& options = {});

}  // namespace accelscope::analysis::chip
