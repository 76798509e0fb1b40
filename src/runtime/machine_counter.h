// The processor's counter as a clock: where the system trusts it on all processors alike, a look at it is
// cheaper than one at the system's clock (bench_runtime prints both).
//
// Looks are in order with what a thread has loaded before them, as those of the system's clock are: who has
// seen what another thread did reads no earlier time than that one had read. Plain values, safe from any
// thread.
//
//   if (machine_counter_is_trusted()) scale = CounterScale::make(measured, chip.counter);
//   const std::uint64_t ticks = scale->scaled(read_machine_counter() - at_the_beginning);
#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"

namespace accelscope::runtime {

inline std::uint64_t read_machine_counter() {
#if defined(__x86_64__)
  unsigned processor = 0;
  return __builtin_ia32_rdtscp(&processor);
#elif defined(__aarch64__)
  std::uint64_t ticks = 0;
  asm volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks)::"memory");
  return ticks;
#else
  return 0;
#endif
}

// Whether the system itself tells the time by it.
bool machine_counter_is_trusted();

// Ticks of the machine's counter as ticks of another one, which is slower.
class CounterScale {
 public:
  // Nothing when the other one is not slower, or one of them is not known.
  static std::optional<CounterScale> make(base::Frequency machine, base::Frequency other);

  std::uint64_t scaled(std::uint64_t ticks) const {
    return static_cast<std::uint64_t>((Wide{ticks} * factor_) >> 64U);
  }

 private:
  __extension__ using Wide = unsigned __int128;
  explicit CounterScale(std::uint64_t factor) : factor_(factor) {}

  std::uint64_t factor_;  // in parts of 2^64
};

}  // namespace accelscope::runtime
