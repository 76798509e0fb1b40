// What the reference's emulator would have printed of a run.
//
// A pure function, safe from any thread.
//
//   for (const std::string& line : reference_lines(run)) fmt::print(stderr, "{}\n", line);
#pragma once

#include <string>
#include <vector>

#include "jobs/emulate_document.h"

namespace accelscope::jobs {

// Traffic, then that of the model's host link where it has one, then the latency.
std::vector<std::string> reference_lines(const EmulatedRun& run);

}  // namespace accelscope::jobs
