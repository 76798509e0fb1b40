// The trace of a chip's run as the rows of a swimlane file again: the inverse of make_chip_trace(), as far as
// the trace holds what the rows had.
//
// Works for whatever is the run of one chip, whether it was read from a swimlane, from a capture file, or
// made otherwise. What the trace holds and rows have no place for is counted in the Quality of the answer.
// Reads the trace only; safe from any thread. The answer owns its rows.
//
//   ACCELSCOPE_TRY(chip_swimlane::Capture capture, capture_of(trace));
//   chip_swimlane::write_objects(capture, out);
#pragma once

#include "base/result.h"
#include "formats/chip_swimlane/capture.h"
#include "trace/chip_run.h"

namespace accelscope::formats::chip_run {

// An error when the trace is not the run of one chip: no cores, cores of several clocks, a number twice or
// beyond all chips.
base::Status check_one_chip(const trace::Trace& trace);

base::Result<chip_swimlane::Capture> capture_of(const trace::Trace& trace);

}  // namespace accelscope::formats::chip_run
