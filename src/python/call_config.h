// CallConfig as Python sees it: the struct of include/accelscope/call_config.h, and which of its diagnostics
// somebody spoke about. What nobody did is left to the graph's file, as on the command line.
//
// Plain data; used with the GIL held.
//
//   const CallSettings& settings = py::cast<const CallSettings&>(argument);
//   if ((settings.said & kLevelBits) != 0) options.chip_swimlane = level_of(settings);
#pragma once

#include "accelscope/call_config.h"
#include "device/pmu_events.h"
#include "python/border.h"

namespace accelscope::python {

struct CallSettings {
  CallConfig config = {};
  std::uint64_t said = 0;  // bits of dfx_flags of which on or off was said
  std::uint32_t pmu_group = device::kDefaultPmuGroup;
};

inline constexpr std::uint64_t kLevelBits = dfx_flags_of_level(kMaxChipSwimlaneLevel);

inline int level_of(const CallSettings& settings) {
  return chip_swimlane_level_of(settings.config.dfx_flags);
}

}  // namespace accelscope::python
