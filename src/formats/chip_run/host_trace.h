// A trace of the host alone, from the files that hold its times: a log with span markers, or the records of
// its phases.
//
// Each call is independent; the trace owns all it holds.
//
//   ACCELSCOPE_TRY(const trace::Trace trace, read_host_log(file));
#pragma once

#include "base/mapped_file.h"
#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::formats::chip_run {

base::Result<trace::Trace> read_host_log(const base::MappedFile& file);
base::Result<trace::Trace> read_host_phase_records(const base::MappedFile& file);

}  // namespace accelscope::formats::chip_run
