// Runs a chip with a thread for every core and control CPU.
//
// The calling thread waits for them, and watches: for somebody who wants the run to stop, and for a run in
// which nothing has been completed for too long. A kernel that never returns cannot be ended within the
// process: its thread is left behind, with all that it may still touch, which is why the run owns what it
// works on.
#pragma once

#include <memory>

#include "runtime/platform.h"
#include "runtime/run_owned.h"

namespace accelscope::runtime {

PlatformResult run_on_threads(const std::shared_ptr<RunOwned>& run, const PlatformOptions& options);

}  // namespace accelscope::runtime
