// What the verbs do under --compat: write the profiling kit's files and name them, or print
// what it prints.
#pragma once

#include "cli/command.h"
#include "jobs/report.h"

namespace accelscope::cli {

// Each returns the exit code.
int write_kit_report_files(const Arguments& arguments);
int write_kit_comparison_files(const Arguments& arguments);
int write_kit_view_files(jobs::View view, const Arguments& arguments);
int print_kit_validation(const Arguments& arguments);

}  // namespace accelscope::cli
