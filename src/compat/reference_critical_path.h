// The reference's critical path: the static one over dependencies, and the one that was observed, by its own
// rules, right or wrong.
//
// Known to be wrong, and kept so for comparison: dependencies that the schedule violates are dropped, a task
// of several blocks is one span, and tasks that no core ran are no part of any path. Our own answer is in
// analysis/chip. Pure functions of a run; ticks are exact.
//
//   const ReferenceCriticalPath path = reference_critical_path(run);
//   fmt::print("{}", reference_critical_path_text(path, run, "TestVector_default"));
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compat/reference_run.h"

namespace accelscope::compat {

enum class Stall : unsigned char { kFrontGap, kDataWait, kCoreWait };
std::string_view stall_name(Stall stall);

struct PathStep {
  std::uint32_t task = 0;  // place in ReferenceRun::tasks
  Ticks length = {};       // of the task, from its first start to its last end
  Ticks compute = {};      // what of it lies behind the end of the steps before
  Ticks stall = {};        // from there to its start
  Stall kind = Stall::kFrontGap;
};

struct ReferenceCriticalPath {
  std::size_t tasks = 0;             // that ran on cores
  std::size_t edges = 0;             // that the schedule kept
  Ticks makespan = {};               // first start to last end
  Ticks static_length = {};          // the longest sum of lengths along edges
  std::size_t static_tasks = 0;      // on that path
  std::vector<PathStep> steps = {};  // observed, in time order
};

ReferenceCriticalPath reference_critical_path(const ReferenceRun& run);

// What a run's section of their report says: totals and families of kernels.
std::string reference_critical_path_text(const ReferenceCriticalPath& path, const ReferenceRun& run,
                                         std::string_view rank);
// The section's last part: every step.
std::string reference_path_table(const ReferenceCriticalPath& path, const ReferenceRun& run);

}  // namespace accelscope::compat
