// What a run works on, owned by whoever may still use it: a thread whose kernel never came back, too. The
// graph and the kernels are the caller's, and must stay when somebody was left behind.
#pragma once

#include <memory>
#include <utility>

#include "capture/file_recording.h"
#include "device/device_memory.h"
#include "runtime/black_box.h"
#include "runtime/buffer_memory.h"
#include "runtime/core_monitors.h"
#include "runtime/run_plan.h"

namespace accelscope::runtime {

struct RunOwned {
  RunOwned(RunPlan run_plan, BufferMemory buffers, BlackBox box)
      : plan(std::move(run_plan)), memory(std::move(buffers)), black_box(std::move(box)) {}

  RunPlan plan;
  BufferMemory memory;
  BlackBox black_box;
  std::unique_ptr<device::DeviceMemory> device_memory;
  std::unique_ptr<CoreMonitors> monitors;  // where pipes are recorded
  std::unique_ptr<capture::FileRecording> recording;
};

}  // namespace accelscope::runtime
