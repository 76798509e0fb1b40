// The job behind `accelscope report FILE --model reference`: what the reference's analysers of a chip's
// recording would print, for comparison with our own report.
//
// Prints nothing. Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const std::string text, reference_model({"chip_swimlane_records.json"}, {}));
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "formats/open/open.h"

namespace accelscope::jobs {

// Takes one recording of a chip, and files that belong to it.
base::Result<std::string> reference_model(const std::vector<std::string>& inputs,
                                          const formats::open::OpenOptions& options);

// The reference's tools know one run: an error when the trace is of none, or of several.
base::Status check_one_chip_run(const trace::Trace& trace);

}  // namespace accelscope::jobs
