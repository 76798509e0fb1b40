// Everything written before has reached the device before anything that follows. Also in signal handlers.
//
//   *place = value;
//   device_barrier();
#pragma once

namespace accelscope::device {

inline void device_barrier() {
#if defined(__aarch64__)
  asm volatile("dsb sy" ::: "memory");
#elif defined(__x86_64__)
  __builtin_ia32_mfence();
#else
  __sync_synchronize();
#endif
}

}  // namespace accelscope::device
