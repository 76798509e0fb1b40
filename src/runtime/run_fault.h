// How a run that failed is described. Plain data, apart from the run itself, so that those who only ask for a
// run or show its outcome need not know how a chip works inside.
//
//   if (outcome.fault && outcome.fault->kind == RunFault::Kind::kDeadlock) ...
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace accelscope::runtime {

// Why a run did not do what it was to do.
struct RunFault {
  enum class Kind : std::uint8_t { kKernel, kDeadlock, kInterrupted, kNoProgress, kInternal };
  Kind kind = Kind::kInternal;
  std::string text = {};
  std::vector<std::uint32_t> tasks = {};  // of the graph: the one that failed, or those that wait
};

}  // namespace accelscope::runtime
