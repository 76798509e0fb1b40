// The buffer that the performance monitor of each core writes into, unless another size is asked for.
#pragma once

#include <cstdint>

namespace accelscope::runtime {

inline constexpr std::uint32_t kDefaultMonitorRing = 64 * 1024;  // bytes

}  // namespace accelscope::runtime
