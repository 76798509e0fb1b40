// Runs a chip with a thread for every core and control CPU.
//
// The calling thread waits for them, and watches: for somebody who wants the run to stop, and for a run in
// which nothing has been completed for too long. A kernel that never returns cannot be ended within the
// process: its thread is left behind, with all that it may still touch, which is why the run owns what it
// works on.
#pragma once

#include <memory>

#include "capture/file_recording.h"
#include "device/device_memory.h"
#include "runtime/platform.h"

namespace accelscope::runtime {

// What a run works on, owned by whoever may still use it. The graph and the kernels are the caller's, and
// must stay when somebody was left behind.
struct RunOwned {
  explicit RunOwned(RunPlan run_plan, BufferMemory buffers)
      : plan(std::move(run_plan)), memory(std::move(buffers)) {}

  RunPlan plan;
  BufferMemory memory;
  std::unique_ptr<device::DeviceMemory> device_memory;
  std::unique_ptr<capture::FileRecording> recording;
};

PlatformResult run_on_threads(const std::shared_ptr<RunOwned>& run, const PlatformOptions& options);

}  // namespace accelscope::runtime
