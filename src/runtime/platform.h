// What platforms have in common: how they are asked to run, and what came of it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "runtime/platform_name.h"
#include "runtime/shared_state.h"

namespace accelscope::runtime {

enum class Collect : std::uint8_t { kIfThereIsSomething, kNow };

struct PlatformOptions {
  const std::atomic<bool>* stop = nullptr;  // set by anybody, when the run is to end
  // The virtual chip, now and then, and when a recorder waits: takes what was recorded.
  std::function<void(Collect)> collect = {};
  std::chrono::milliseconds no_progress_limit{0};  // 0: none
  // What runs is waited for this long when a run is to stop; then whoever has not come back is left behind.
  std::chrono::milliseconds leave_after{2'000};
};

struct RunCounts {
  std::uint64_t begin_ticks = 0;
  std::uint64_t end_ticks = 0;
  device::Picoseconds makespan = {};
  std::uint64_t submitted = 0;
  std::uint64_t completed = 0;  // tasks that no allocation is
  std::uint64_t dispatches = 0;
  std::uint64_t edges = 0;
  std::uint64_t steps = 0;  // of all actors, in virtual time
  std::uint64_t timestamp_reads = 0;
};

struct PlatformResult {
  std::optional<RunFault> fault = {};
  RunCounts counts = {};
  bool has_counts = true;         // else only the makespan is known: the chip's process ended
  std::uint32_t left_behind = 0;  // threads that have not come back
};

struct RunOwned;
PlatformResult run_platform(const std::shared_ptr<RunOwned>& run, Platform platform,
                            const PlatformOptions& options);

std::string no_progress_text(const PlatformOptions& options);

// How many tasks a graph submits to each ring, and how many bytes they make there.
struct RingDemand {
  std::array<std::uint64_t, kRings> tasks = {};
  std::array<std::uint64_t, kRings> heap_bytes = {};

  std::uint64_t all_tasks() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : tasks) sum += count;
    return sum;
  }
};
RingDemand demand_of(const Graph& graph);

// No more slots than there are tasks: positions that are never reached need no memory.
template <class Machine>
void allocate_rings(SharedState<Machine>& shared) {
  const RingDemand demand = demand_of(shared.plan.graph);
  for (std::size_t i = 0; i < kRings; ++i) {
    if (demand.tasks[i] == 0) continue;
    auto& ring = shared.rings[i];
    ring.window = shared.plan.rings[i].task_window;
    ring.pool = shared.plan.rings[i].dependency_pool;
    ring.slots = std::make_unique<TaskSlot<Machine>[]>(std::min(ring.window, demand.tasks[i]));
    ring.dependencies = std::make_unique<Dependency<Machine>[]>(ring.pool);
  }
}

// Places that a queue of slots needs: for all that can be in the rings at once.
std::size_t queue_places(const RunPlan& plan);

}  // namespace accelscope::runtime
