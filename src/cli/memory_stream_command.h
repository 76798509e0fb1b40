// The action `memory stream`, for the verb that lists all actions of `memory`.
#pragma once

#include "cli/command.h"

namespace accelscope::cli {

Command memory_stream_action();

}  // namespace accelscope::cli
