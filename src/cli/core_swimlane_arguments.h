// Options of `accelscope run` about the pipes of cores.
//
// Pure functions over the parsed words.
//
//   ACCELSCOPE_TRY(options.core_swimlane, core_swimlane_request(arguments));
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "jobs/run_graph.h"

namespace accelscope::cli {

std::vector<OptionSpec> core_swimlane_option_specs();
// Nothing where it is not asked for; then the other options are an error.
base::Result<std::optional<jobs::CoreSwimlaneRequest>> core_swimlane_request(const Arguments& arguments);

}  // namespace accelscope::cli
