#include "runtime/platform.h"

#include <fmt/core.h>

#include <algorithm>

#include "runtime/threads_platform.h"
#include "runtime/virtual_platform.h"

namespace accelscope::runtime {

PlatformResult run_platform(const std::shared_ptr<RunOwned>& run, Platform platform,
                            const PlatformOptions& options) {
  return platform == Platform::kVirtual ? run_virtual(*run, options) : run_on_threads(run, options);
}

std::string no_progress_text(const PlatformOptions& options) {
  return fmt::format("no task was completed within {} ms", options.no_progress_limit.count());
}

RingDemand demand_of(const Graph& graph) {
  RingDemand demand;
  std::size_t depth = 0;
  for (const Step& step : graph.steps) {
    if (step.kind == StepKind::kBeginScope) ++depth;
    if (step.kind == StepKind::kEndScope) --depth;
    if (step.kind != StepKind::kSubmit) continue;
    const std::size_t ring = std::min(depth, kRings - 1);
    ++demand.tasks[ring];
    for (const Argument& argument : graph.arguments_of(step.task))
      if (argument.access == Access::kCreatedOutput)
        demand.heap_bytes[ring] += heap_bytes_of(graph.buffers[argument.view.buffer]);
  }
  return demand;
}

std::size_t queue_places(const RunPlan& plan) {
  const RingDemand demand = demand_of(plan.graph);
  std::size_t places = 1;
  for (std::size_t ring = 0; ring < kRings; ++ring)
    places += std::min(demand.tasks[ring], plan.rings[ring].task_window);
  return places;
}

}  // namespace accelscope::runtime
