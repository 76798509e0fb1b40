// The options of `accelscope emulate`, and how they become those of the job.
//
// Pure functions over the parsed words.
//
//   ACCELSCOPE_TRY(const jobs::EmulateOptions options, emulate_options(arguments));
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "jobs/emulate.h"

namespace accelscope::cli {

std::vector<OptionSpec> emulate_option_specs();
base::Result<jobs::EmulateOptions> emulate_options(const Arguments& arguments);

}  // namespace accelscope::cli
