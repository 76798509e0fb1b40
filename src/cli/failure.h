// How an Error reaches the user: one message on standard error and the exit code.
#pragma once

#include "base/error.h"

namespace accelscope::cli {

int report_failure(const base::Error& error);

}  // namespace accelscope::cli
