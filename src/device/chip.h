// A chip: its cores, its control CPUs, its counter.
//
// A cluster is one cube core and two vector cores. Cores are numbered as every file of such chips numbers
// them: first the cube cores by cluster, then the vector cores. Plain values; presets and files:
// chip_file.h.
#pragma once

#include <cstdint>
#include <string>

#include "base/units.h"

namespace accelscope::device {

// Whose names and groups the counters of the performance monitor have (pmu_events.h).
enum class PmuFamily : std::uint8_t { kA2A3, kA5 };

struct Chip {
  std::string name = {};
  std::uint32_t clusters = 0;
  std::uint32_t scheduler_threads = 0;
  base::Frequency counter = base::Frequency::unknown();  // of the timestamps
  PmuFamily pmu_family = PmuFamily::kA2A3;
  bool memory_is_mapped = true;  // the host sees the device's memory, or copies it

  bool operator==(const Chip&) const = default;

  constexpr std::uint32_t cube_cores() const { return clusters; }
  constexpr std::uint32_t vector_cores() const { return 2 * clusters; }
  constexpr std::uint32_t cores() const { return 3 * clusters; }
  constexpr std::uint32_t cube_core(std::uint32_t cluster) const { return cluster; }
  constexpr std::uint32_t vector_core(std::uint32_t cluster, std::uint32_t which) const {
    return clusters + 2 * cluster + which;
  }
  constexpr bool is_cube(std::uint32_t core) const { return core < clusters; }
  constexpr std::uint32_t cluster_of(std::uint32_t core) const {
    return is_cube(core) ? core : (core - clusters) / 2;
  }
};

}  // namespace accelscope::device
