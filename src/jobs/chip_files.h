// Writes the files that a chip's runtime leaves from any trace of a chip's run: swimlanes of two generations,
// dependencies, names.
//
// Prints nothing; the answer is what the file has no place for. Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const trace::QualityTable notes, write_chip_swimlane(trace, out));
#pragma once

#include "base/output.h"
#include "base/result.h"
#include "trace/quality.h"
#include "trace/trace.h"

namespace accelscope::jobs {

// Each is an error for a trace that is not the run of one chip.
base::Result<trace::QualityTable> write_chip_swimlane(const trace::Trace& trace, base::Output& out);
base::Result<trace::QualityTable> write_chip_swimlane_objects(const trace::Trace& trace, base::Output& out);
base::Result<trace::QualityTable> write_chip_dependencies(const trace::Trace& trace, base::Output& out);
base::Result<trace::QualityTable> write_chip_names(const trace::Trace& trace, base::Output& out);

}  // namespace accelscope::jobs
