// The machine and the time, as the profiling kit's reports name them.
//
// Pure but for what the machine and its time zone are; safe from any thread.
//
//   KitReportOptions options{.generated = kit_local_time(std::chrono::system_clock::now()), .host =
//   kit_host()};
#pragma once

#include <chrono>
#include <string>

#include "compat/kit_report.h"

namespace accelscope::compat {

// This machine, as Python's module platform describes it.
KitHost kit_host();
// "2026-11-15 19:39:52" in local time.
std::string kit_local_time(std::chrono::system_clock::time_point time);
// "2026-11-15T19:38:41.244037+00:00", for the pipeline summary.
std::string kit_utc_time(std::chrono::system_clock::time_point time);

}  // namespace accelscope::compat
