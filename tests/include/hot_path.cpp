// Compiled to assembly by check_hot_path.cmake: the hook that runs once per task on a core.
#include "accelscope/recorder/recorders.h"

struct CounterPlatform {
  std::uint64_t now() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    std::uint64_t ticks = 0;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#endif
  }
  void relax() {}
};

extern "C" void record_core_task(accelscope::recorder::CoreTaskRecorder<CounterPlatform>& recorder,
                                 std::uint64_t task, std::uint32_t sequence, std::uint32_t function) {
  recorder.on_end(task, sequence, function);
}
