// The processor's own counter as a recorder's clock, for producers that are threads of a host: the time stamp
// counter on x86, the virtual counter on ARM. Freestanding; no state.
//
//   CounterPlatform platform;
//   const uint64_t start = platform.now();
#pragma once

#include <cstdint>

namespace accelscope::recorder {

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
  void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    asm volatile("yield");
#endif
  }
};

}  // namespace accelscope::recorder
