// Compiled to assembly by check_hot_path.cmake: the hook that runs once per task on a core.
#include "accelscope/recorder/counter_platform.h"
#include "accelscope/recorder/recorders.h"

using accelscope::recorder::CounterPlatform;

extern "C" void record_core_task(accelscope::recorder::CoreTaskRecorder<CounterPlatform>& recorder,
                                 std::uint64_t task, std::uint32_t sequence, std::uint32_t function) {
  recorder.on_end(task, sequence, function);
}
