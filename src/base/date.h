// The date that a report carries: now, or what SOURCE_DATE_EPOCH says, so that the same input can give the
// same bytes.
//
// Reads the clock and the environment, keeps nothing; safe from several threads as long as none changes the
// environment.
//
//   iso_date(report_time()) == "2026-11-16T01:30:00Z"
#pragma once

#include <chrono>
#include <string>

namespace accelscope::base {

// A value of SOURCE_DATE_EPOCH that is no number of seconds is ignored.
std::chrono::system_clock::time_point report_time();

// ISO 8601, UTC, whole seconds.
std::string iso_date(std::chrono::system_clock::time_point time);

}  // namespace accelscope::base
