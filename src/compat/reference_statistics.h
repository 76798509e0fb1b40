// The table that the reference's converter prints: statistics of tasks by function.
//
// By its own rules: the second vector core of a cluster is counted under the function of the first. Pure
// functions of a run.
//
//   fmt::print("{}", reference_statistics_text(reference_statistics(run)));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compat/reference_run.h"

namespace accelscope::compat {

// Sums, in microseconds.
struct FunctionStatistics {
  std::int32_t function = -1;
  std::string name = {};
  std::uint64_t count = 0;
  double exec = 0;
  double latency = 0;      // dispatch to finish
  double head = 0;         // dispatch to start
  double tail = 0;         // end to finish
  double propagation = 0;  // dispatch to receive
  double local = 0;        // receive to start
};

struct ReferenceStatistics {
  int level = 0;
  bool has_dispatch_times = false;
  std::vector<FunctionStatistics> functions = {};  // by number
  double span = 0;  // first dispatch to last finish; at level 1 first receive to last end
};

ReferenceStatistics reference_statistics(const ReferenceRun& run);
std::string reference_statistics_text(const ReferenceStatistics& statistics);

}  // namespace accelscope::compat
