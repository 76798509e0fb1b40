// How long a call of a kernel takes on the virtual chip, and what the counters of its core show.
//
// A core's pipes work side by side, so a call takes as long as its busiest pipe, behind what every call costs
// to begin with; or as long as its loop over tiles, when kernel or graph say how many buffers lie between the
// pipes (kernel_pipes.h). Calls of equal work differ by the jitter of the costs: by the same factor in every
// run with the same seed. docs/costs.md has the formulas.
//
// Pure functions, safe from any thread.
//
//   const accelscope_kernel_work work = work_of(function, kernel, call);
//   const KernelCost cost = cost_of(work, kernel.engine, costs, {.task = id, .block = block});
//   core.busy_until(now + cost.duration);
#pragma once

#include <cstdint>

#include "accelscope/accelscope_kernel.h"
#include "device/costs.h"
#include "device/pmu_events.h"
#include "runtime/graph.h"

namespace accelscope::runtime {

// Which call it is, for the jitter.
struct CallIdentity {
  std::uint64_t task = 0;
  std::uint32_t block = 0;
  std::uint32_t lane = 0;
};

struct KernelCost {
  device::Picoseconds duration = {};  // from its start to its end
  device::PmuCounts counts = {};
};

// What the kernel says of itself. A kernel that says nothing is taken to read and write its arguments once,
// each block its part, with one operation per element that it writes.
accelscope_kernel_work work_of(const accelscope_kernel& kernel, const accelscope_kernel_call& call);
// The same, cut up as the graph says, if it does. An exact schedule of the kernel then counts for nothing;
// its marks stay.
accelscope_kernel_work work_of(const Function& function, const accelscope_kernel& kernel,
                               const accelscope_kernel_call& call);

// Numbers of work that are negative or none count as zero; a call takes a day at most.
KernelCost cost_of(const accelscope_kernel_work& work, std::uint32_t engine, const device::Costs& costs,
                   CallIdentity call = {});

}  // namespace accelscope::runtime
