// Utilisations by a performance monitor's counters: the mean over the parts of each function, in percent.
//
// A pure function of a read-only trace.
//
//   const CounterMeans means = counter_means(trace, chip);
//   means.at(function).at(trace.strings().find("utilisation vec")).mean()
#pragma once

#include <cstdint>
#include <map>

#include "trace/chip_run.h"

namespace accelscope::analysis::chip {

struct CounterMean {
  double total = 0;
  std::uint64_t n = 0;

  double mean() const { return n > 0 ? total / static_cast<double>(n) : 0; }
};
// By function, then by the name of the argument. Empty without a monitor.
using CounterMeans = std::map<trace::StringId, std::map<trace::StringId, CounterMean>>;

CounterMeans counter_means(const trace::Trace& trace, const trace::ChipRun& chip);

}  // namespace accelscope::analysis::chip
