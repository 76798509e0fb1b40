// The latencies that an ETDump holds: one per execution, end to end.
//
// Reads one file and keeps nothing; safe from several threads.
//
//   ACCELSCOPE_TRY(const Latencies latencies, read_latencies("toy_on_t1.etdump", 1));
//   use(latencies.measured_ms);   // without the first execution
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace accelscope::experiments {

struct Latencies {
  std::vector<double> warmup_ms = {};
  std::vector<double> measured_ms = {};
  std::int64_t executions = 0;  // complete or not, with those of the warm-up
  std::int64_t aborted = 0;     // of these, those without an end
};

// The first `warmup` executions of the file are warm-up, whether or not they came to an end.
base::Result<Latencies> read_latencies(const std::string& etdump, std::int64_t warmup);

}  // namespace accelscope::experiments
