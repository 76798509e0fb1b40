// Options that every verb with traces as input has, and how they become the options of opening.
//
// Pure functions over the parsed words.
//
//   ACCELSCOPE_TRY(const formats::open::OpenOptions options, open_options(arguments));
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "formats/open/open.h"

namespace accelscope::cli {

// --time-unit, --etrecord, --no-args, and --deps, --names, ... for chip swimlanes.
std::vector<OptionSpec> open_option_specs();
base::Result<formats::open::OpenOptions> open_options(const Arguments& arguments);

}  // namespace accelscope::cli
