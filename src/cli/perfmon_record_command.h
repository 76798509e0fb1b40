// The action `perfmon record`, for the verb that lists all actions of `perfmon`.
#pragma once

#include "cli/command.h"

namespace accelscope::cli {

Command perfmon_record_action();

}  // namespace accelscope::cli
