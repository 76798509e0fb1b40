// Runs a chip in virtual time, on the calling thread.
//
// Kernels run too, unless the plan says no, each as a whole when its core begins it: whoever depends on it
// begins later. Recordings are collected in between, by the same thread. So a run is the same, to the byte,
// every time.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/file_recording.h"
#include "runtime/platform.h"

namespace accelscope::runtime {

PlatformResult run_virtual(const RunPlan& plan, BufferMemory& memory, capture::FileRecording* recording,
                           const PlatformOptions& options);

}  // namespace accelscope::runtime
