// The verbs of the program, one function each that describes it. command.h says what a description holds.
#pragma once

#include "cli/command.h"

namespace accelscope::cli {

Command convert_command();
Command validate_command();
Command demo_command();
Command completion_command();
Command report_command();
Command compare_command();
Command latency_command();
Command operators_command();
Command kernels_command();
Command bench_command();
Command overhead_command();
Command run_command();
Command isa_command();
Command memory_command();
Command fit_command();
Command manifest_command();
Command perfmon_command();

}  // namespace accelscope::cli
