// What is fixed before a run begins: the graph, the chip, what things cost, how large the rings are.
//
// Plain data that all actors read and nobody changes; the graph and the kernels are the caller's and must
// outlive the run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "accelscope/accelscope_kernel.h"
#include "device/chip.h"
#include "device/costs.h"
#include "device/pmu_events.h"
#include "runtime/graph.h"

namespace accelscope::runtime {

inline constexpr std::size_t kRings = 4;  // by depth of scope; the last one has all that is deeper

struct RingSizes {
  std::uint64_t task_window = 16384;
  std::uint64_t heap_bytes = std::uint64_t{256} << 20U;
  std::uint64_t dependency_pool = 16384;
};

struct RunPlan {
  const Graph& graph;
  device::Chip chip = {};
  device::Costs costs = {};
  std::vector<const accelscope_kernel*> kernels = {};  // by position in Graph::functions
  std::array<RingSizes, kRings> rings = {};
  std::size_t tensor_map_entries = 65536;
  std::uint64_t dfx_flags = 0;
  bool run_kernels = true;
  const device::PmuGroup* pmu = nullptr;  // what counters count; nothing when they are not recorded
};

}  // namespace accelscope::runtime
