// Where the time of every core went: busy, or waiting, and for what. Each moment of each core has exactly one
// class, so the classes sum to cores times window, in integer ticks.
//
// An idle core of engine T, at a moment, is in the first class of these that fits:
// - frozen: the recorder stopped the chip;
// - switch: work was handed to this core and has not started. A part that was handed over before its
//   producers had ended is a dependency until they have;
// - ready: parts for T are ready and not handed to any core. n such parts keep n idle cores waiting: first
//   those whose own next part is ready, then by number;
// - dependency: a part for T was submitted and waits for producers;
// - unknown: a part for T was still to come, but the recording does not tell why it did not;
// - not submitted: a part for T was not asked for yet;
// - no work left: T gets nothing any more.
//
// Parts are dispatches that cores recorded; a task that no core ran is not waited for. Where submissions or
// dependencies were not recorded, the recorded depths of the ready queues stand in for what was ready, and
// what they leave open is unknown.
//
// A MIX task takes cores of several engines together. What cores spent on such tasks, busy and in switch, is
// told as well: a part of the times above, not a further summand. The other classes belong to no one task.
//
// Pure function of a read-only trace; the answer owns what it holds, engines point into the trace.
//
//   const CoreTime time = core_time(trace, chip, times);
//   const Ticks idle_by_scheduler = time.total[CoreClass::kReady];
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/chip/task_times.h"

namespace accelscope::analysis::chip {

enum class CoreClass : std::uint8_t {
  kBusy,
  kSwitch,
  kReady,
  kDependency,
  kNotSubmitted,
  kNoWorkLeft,
  kFrozen,
  kUnknown,
};
inline constexpr std::size_t kCoreClasses = 8;
// "busy", "switch", "ready", "dependency", "not submitted", "no work left", "frozen", "unknown".
std::string_view to_string(CoreClass core_class);

struct ClassTimes {
  std::array<Ticks, kCoreClasses> times = {};

  Ticks operator[](CoreClass c) const { return times[static_cast<std::size_t>(c)]; }
  Ticks& operator[](CoreClass c) { return times[static_cast<std::size_t>(c)]; }
  Ticks sum() const;
  // The class with the most time; the first of equals.
  CoreClass largest() const;
  ClassTimes& operator+=(const ClassTimes& other);
};

struct EngineTime {
  std::string_view engine = {};
  std::uint32_t cores = 0;
  ClassTimes times = {};
  std::vector<ClassTimes> buckets = {};      // over time: bucket i is [bounds[i], bounds[i + 1])
  ClassTimes mix = {};                       // of `times`, for MIX tasks: busy and switch
  std::vector<ClassTimes> mix_buckets = {};  // of `buckets`; empty when no MIX task ran
};

// Time in which a core ran nothing, between two dispatches or an end of the window. Cores that never ran
// anything have none: that they are idle says everything.
struct CoreGap {
  std::uint32_t core = 0;  // position in ChipRun::cores
  Ticks from = {};
  Ticks to = {};
  ClassTimes times = {};  // sums to the gap; the cause is the largest
  trace::SliceId before = trace::SliceId::kNone;
  trace::SliceId after = trace::SliceId::kNone;

  Ticks length() const { return to - from; }
  CoreClass cause() const { return times.largest(); }
};

// How often the modelled ready work and the recorded depth of the ready queues say the same about there being
// any, at the moments the depth was recorded; over all engines.
struct QueueAgreement {
  std::uint64_t snapshots = 0;      // 0: no depths were recorded, or ready is not known
  std::uint64_t agree = 0;          // both empty or both not
  std::uint64_t only_modelled = 0;  // the queue was empty
  std::uint64_t only_recorded = 0;

  double share() const {
    return snapshots == 0 ? 0 : static_cast<double>(agree) / static_cast<double>(snapshots);
  }
};

// What told ready work from other waits.
enum class ReadySource : std::uint8_t { kNone, kQueueDepth, kSubmissionsAndDependencies };

struct CoreTime {
  Window window = {};
  ReadySource ready_source = ReadySource::kNone;
  std::vector<ClassTimes> cores = {};      // as ChipRun::cores
  std::vector<std::uint64_t> parts = {};   // dispatches per core, as ChipRun::cores
  std::vector<EngineTime> engines = {};    // by name
  ClassTimes total = {};                   // sums to cores times window
  std::vector<ClassTimes> mix = {};        // of `cores`, for MIX tasks; empty when none ran
  ClassTimes total_mix = {};               // of `total`
  std::vector<Ticks> bounds = {};          // of the buckets: one more than there are
  std::vector<CoreGap> longest_gaps = {};  // at most kLongestGaps, longest first, then by time and core
  QueueAgreement queue_agreement = {};
};
inline constexpr std::size_t kLongestGaps = 20;

CoreTime core_time(const trace::Trace& trace, const trace::ChipRun& chip, const TaskTimes& times,
                   std::uint32_t buckets = 60);

}  // namespace accelscope::analysis::chip
