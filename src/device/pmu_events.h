// The counters of a core's performance monitor: which groups of events a family of chips has, and what a
// counter shows for a call that kept its core's pipes busy for so long.
//
// The names are those that pmu.csv has on such chips. What the virtual chip does not model (bank conflicts, a
// cache) counts zero. Constant tables and pure functions, safe from any thread.
//
//   const PmuGroup& group = pmu_group(PmuFamily::kA2A3, 2);
//   for (const PmuEvent& event : group.events) show(event.name, pmu_value(event, counts));
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "device/chip.h"

namespace accelscope::device {

// Of one call.
struct PmuCounts {
  std::uint64_t total_cycles = 0;
  std::uint64_t vector_busy = 0;  // cycles
  std::uint64_t cube_busy = 0;
  std::uint64_t scalar_busy = 0;
  std::uint64_t mte1_busy = 0;  // between the memories of a core
  std::uint64_t mte2_busy = 0;  // from memory
  std::uint64_t mte3_busy = 0;  // to memory
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  bool on_cube = false;
};

struct PmuEvent {
  std::string_view name;
  std::uint64_t (*value)(const PmuCounts& counts);  // nullptr: not modelled
};

struct PmuGroup {
  std::uint32_t type;  // as --pmu takes it
  std::string_view name;
  std::span<const PmuEvent> events;  // in the order of the counters
};

inline constexpr std::uint32_t kDefaultPmuGroup = 2;

// In the order of their types.
std::span<const PmuGroup> pmu_groups(PmuFamily family);
// The default group for a type that there is not, as such chips do.
const PmuGroup& pmu_group(PmuFamily family, std::uint32_t type);

std::uint64_t pmu_value(const PmuEvent& event, const PmuCounts& counts);

}  // namespace accelscope::device
