// Runs a chip in virtual time, on the calling thread.
//
// Kernels run too, unless the plan says no, each as a whole when its core begins it: whoever depends on it
// begins later. Recordings are collected in between, while nothing else happens. So a run is the same, to the
// byte, every time.
#pragma once

#include "runtime/platform.h"
#include "runtime/run_owned.h"

namespace accelscope::runtime {

PlatformResult run_virtual(RunOwned& run, const PlatformOptions& options);

}  // namespace accelscope::runtime
