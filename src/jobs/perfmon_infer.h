// The job behind `accelscope perfmon infer`: what raw bytes of a performance monitor say about the hardware
// that wrote them.
//
// Prints nothing and writes nothing. The registers of a file are read from beside it, where they are there
// (formats/perfmon/registers_file.h). Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const findings::Findings findings, infer_perfmon({.files = {"core3.bin"}}));
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "findings/findings.h"

namespace accelscope::jobs {

struct PerfmonInferOptions {
  std::vector<std::string> files = {};
  std::string version = {};  // of the program, for provenance
};

base::Result<findings::Findings> infer_perfmon(const PerfmonInferOptions& options);

}  // namespace accelscope::jobs
