// What is fixed before a run begins: the graph, the chip, what things cost, how large the rings are.
//
// Plain data that all actors read and nobody changes; what it refers to must outlive the run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "accelscope/accelscope_kernel.h"
#include "device/chip.h"
#include "device/costs.h"
#include "runtime/core_registers.h"
#include "runtime/graph.h"

namespace accelscope::runtime {

inline constexpr std::size_t kRings = 4;  // by depth of scope; the last one has all that is deeper

struct RingSizes {
  std::uint64_t task_window = 16384;
  std::uint64_t heap_bytes = std::uint64_t{256} << 20U;
  std::uint64_t dependency_pool = 16384;
};

// What one call of a kernel takes and counts on the virtual chip.
struct CallCost {
  device::Picoseconds time = 0;
  PmuReading counted = {};
};
// Any thread; the task is the one that the runtime numbered so.
using CostOfCall = std::function<CallCost(const accelscope_kernel& kernel, const accelscope_kernel_call& call,
                                          std::uint64_t task)>;

struct RunPlan {
  const Graph& graph;
  const device::Chip& chip;
  const device::Costs& costs;
  std::vector<const accelscope_kernel*> kernels = {};  // by position in Graph::functions
  CostOfCall cost_of = {};
  std::array<RingSizes, kRings> rings = {};
  std::size_t tensor_map_entries = 65536;
  std::uint64_t dfx_flags = 0;
  bool run_kernels = true;
};

}  // namespace accelscope::runtime
