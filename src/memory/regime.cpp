#include "memory/regime.h"

#include <array>

namespace accelscope::memory {

std::string_view name_of(Regime regime) {
  constexpr std::array<std::string_view, 3> kNames{"resident", "kv-swap", "weight-stream"};
  return kNames[static_cast<std::size_t>(regime)];
}

}  // namespace accelscope::memory
