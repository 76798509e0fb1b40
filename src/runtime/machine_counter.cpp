#include "runtime/machine_counter.h"

#include <cmath>
#include <fstream>
#include <string>

namespace accelscope::runtime {

bool machine_counter_is_trusted() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string name;
  file >> name;
#if defined(__x86_64__)
  return name == "tsc";
#elif defined(__aarch64__)
  return name == "arch_sys_counter";
#else
  return false;
#endif
}

std::optional<CounterScale> CounterScale::make(base::Frequency machine, base::Frequency other) {
  if (!machine.known() || !other.known()) return std::nullopt;
  const double ratio = machine.to_seconds({1}) / other.to_seconds({1});
  if (!(ratio > 0) || ratio >= 1) return std::nullopt;
  return CounterScale(static_cast<std::uint64_t>(std::ldexp(ratio, 64)));
}

}  // namespace accelscope::runtime
