// What `accelscope perfmon record` says about a recording. Internal to the job.
//
// Pure functions of what was counted.
//
//   const findings::Findings findings = perfmon_record_document(options, recorded);
#pragma once

#include <cstdint>
#include <vector>

#include "accelscope/perfmon/slice.h"
#include "accelscope/perfmon/start.h"
#include "device/core_recording.h"
#include "jobs/perfmon_record.h"

namespace accelscope::jobs {

// Of one core that was wanted.
struct RecordedCore {
  std::uint32_t core = 0;
  perfmon::Fault fault = perfmon::Fault::kNone;  // why it was not started
  perfmon::CoreState state = perfmon::CoreState::kStopped;
  device::CoreRecordingCounts counts = {};
  bool ring_may_be_released = true;
};

struct Recorded {
  std::vector<RecordedCore> cores = {};  // ascending
  std::uint64_t rounds = 0;
  base::Nanoseconds duration = {};
  base::Nanoseconds longest_gap = {};  // from one drain to the next
  bool interrupted = false;
};

findings::Findings perfmon_record_document(const PerfmonRecordOptions& options, const Recorded& recorded);

// "cores 0-2: it is enabled for a channel of the driver; core 3: ...", of those that were not started.
std::string faults_text(const std::vector<RecordedCore>& cores);
// What must not go unnoticed; "" where there is nothing.
std::string failure_text(const std::vector<RecordedCore>& cores);

}  // namespace accelscope::jobs
