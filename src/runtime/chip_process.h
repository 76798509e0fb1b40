// Runs a chip in a process of its own, so that a kernel that crashes or never returns takes nobody with it.
//
// The process is forked when everything is prepared: graph, kernels and buffers are there as they are here,
// and what it records and computes is in memory that both share. The calling thread waits, collects what a
// virtual chip records whenever that asks for it (so that its bytes are the same as without a process), and
// watches. When the call returns, the process is gone, however it went: producers record nothing any more.
//
//   ACCELSCOPE_TRY(const PlatformResult result, run_in_process(owned, Platform::kThreads, options));
#pragma once

#include <memory>

#include "base/result.h"
#include "runtime/platform.h"
#include "runtime/run_owned.h"

namespace accelscope::runtime {

base::Result<PlatformResult> run_in_process(const std::shared_ptr<RunOwned>& run, Platform platform,
                                            const PlatformOptions& options);

}  // namespace accelscope::runtime
