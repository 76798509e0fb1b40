// The JSON form of `accelscope validate`, documented in docs/cli.md.
#pragma once

#include "jobs/validate.h"

namespace accelscope::cli {

// To standard output.
base::Status print_validate_json(const jobs::ValidateOutcome& outcome);

}  // namespace accelscope::cli
