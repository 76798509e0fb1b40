// What the name of a recording's file says: which recording it is, and whether it holds all of it.
//
// Pure functions; safe from any thread.
//
//   recording_name("out/toy_on_t1_exec_all_runs_timeline.csv") == "toy_on_t1"
//   timing_use("toy_exec_run0_timeline.csv", "timeline-csv") == analysis::TimingUse::kOneRunOfSeveral
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/profile.h"

namespace accelscope::jobs {

std::string recording_name(std::string_view path);
// Without what all names begin with, as far as whole words go, so that tables show where they differ. The
// last word they share stays: "toy_fp16_sme2_off_t1" and "toy_fp16_sme2_on_t1" become "sme2_off_t1" and
// "sme2_on_t1". Short names stay as they are.
std::vector<std::string> short_names(const std::vector<std::string>& names);
analysis::TimingUse timing_use(std::string_view path, std::string_view format);
// Whether a trace is about kernels and holds no times.
bool is_kernel_log(const trace::Trace& trace);

}  // namespace accelscope::jobs
