#include "runtime/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "accelscope/dfx_flags.h"
#include "device/device_memory.h"
#include "runtime/actor_recorders.h"
#include "runtime/buffer_content.h"
#include "runtime/chip_process.h"
#include "runtime/graph_check.h"
#include "runtime/producers.h"

namespace accelscope::runtime {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;
using formats::capture::RecordingFacts;

Status check_chip(const device::Chip& chip) {
  if (chip.clusters == 0 || chip.scheduler_threads == 0)
    return base::fail(ErrorCode::kUsage, "a chip needs a cluster and a scheduler thread, '{}' has {} and {}",
                      chip.name, chip.clusters, chip.scheduler_threads);
  if (!chip.counter.known())
    return base::fail(ErrorCode::kUsage, "the counter of chip '{}' has no frequency", chip.name);
  return {};
}

// Blocks that begin together need a core each.
Status check_sync_starts(const Graph& graph, const device::Chip& chip) {
  for (std::uint32_t task = 0; task < graph.tasks.size(); ++task) {
    const Task& facts = graph.tasks[task];
    if (!facts.sync_start) continue;
    const Shape shape = layout_of(facts).shape;
    const std::uint32_t places = shape == Shape::kVector ? chip.vector_cores() : chip.clusters;
    if (facts.blocks > places)
      return base::fail(ErrorCode::kUsage,
                        "{} wants {} blocks to begin together, and the chip has room for {} at a time",
                        task_in_words(graph, task), facts.blocks, places);
  }
  return {};
}

Status check_rings(const RunOptions& options) {
  for (std::size_t ring = 0; ring < kRings; ++ring) {
    const RingSizes& sizes = options.rings[ring];
    if (!std::has_single_bit(sizes.task_window) || sizes.task_window < 4 || sizes.task_window > (1U << 31U))
      return base::fail(ErrorCode::kUsage,
                        "the task window of ring {} has to be a power of two from 4 to 2^31, not {}", ring,
                        sizes.task_window);
    if (sizes.heap_bytes < 1024 || sizes.heap_bytes % kHeapAlignment != 0)
      return base::fail(ErrorCode::kUsage, "the heap of ring {} has to be 1024 bytes or more, in steps of {}",
                        ring, kHeapAlignment);
    if (sizes.dependency_pool < 4)
      return base::fail(ErrorCode::kUsage, "the dependency pool of ring {} needs 4 entries or more", ring);
  }
  return {};
}

RecordingFacts facts_of_run(const RunPlan& plan, const RunOptions& options, const CoreMonitors* monitors) {
  RecordingFacts facts = options.recording.facts;
  facts.dfx_flags = plan.dfx_flags;
  facts.clock = plan.chip.counter;
  facts.generation = options.generation;
  facts.cores.clear();
  for (std::uint32_t core = 0; core < plan.chip.cores(); ++core)
    facts.cores.push_back(plan.chip.is_cube(core) ? formats::capture::CoreType::kCube
                                                  : formats::capture::CoreType::kVector);
  facts.scheduler_threads = plan.chip.scheduler_threads;
  facts.orchestrators = 1;
  for (std::size_t i = 0; i < plan.graph.functions.size(); ++i)
    facts.functions.emplace_back(static_cast<std::uint32_t>(i), plan.graph.functions[i].name);
  facts.phases.assign(std::begin(kPhaseNames), std::end(kPhaseNames));
  facts.scope_sites = plan.graph.sites;
  facts.scope_sites.push_back(plan.graph.name);
  for (std::size_t ring = 0; ring < kRings; ++ring) {
    facts.rings.task_window[ring] = plan.rings[ring].task_window;
    facts.rings.heap[ring] = plan.rings[ring].heap_bytes;
    facts.rings.dep_pool[ring] = plan.rings[ring].dependency_pool;
  }
  facts.rings.tensormap = plan.tensor_map_entries;
  if (monitors != nullptr) monitors->describe(facts);
  if (plan.pmu != nullptr) {
    facts.pmu_event_type = static_cast<std::int32_t>(plan.pmu->type);
    for (const device::PmuEvent& event : plan.pmu->events) facts.pmu_counters.emplace_back(event.name);
  }
  facts.more.emplace_back("chip", plan.chip.name);
  facts.more.emplace_back("graph", plan.graph.name);
  facts.more.emplace_back("platform", name_of(options.platform));
  return facts;
}

Result<RunPlan> plan_of(const Graph& graph, const KernelRegistry& kernels, const device::Chip& chip,
                        const device::Costs& costs, const RunOptions& options) {
  RunPlan plan{.graph = graph,
               .chip = chip,
               .costs = costs,
               .kernels = {},
               .rings = options.rings,
               .tensor_map_entries = options.tensor_map_entries,
               .dfx_flags = with_implied_dfx(options.dfx_flags),
               .run_kernels = options.run_kernels};
  for (const Function& function : graph.functions) {
    const accelscope_kernel* kernel = kernels.find(function.kernel);
    if (kernel == nullptr) return base::fail(ErrorCode::kUsage, "there is no kernel '{}'", function.kernel);
    plan.kernels.push_back(kernel);
  }
  if ((plan.dfx_flags & kDfxPmu) != 0) plan.pmu = &device::pmu_group(chip.pmu_family, options.pmu_group);
  return plan;
}

Result<BufferMemory> make_memory(const RunPlan& plan) {
  const RingDemand demand = demand_of(plan.graph);
  std::array<std::uint64_t, kRings> heaps = {};
  for (std::size_t ring = 0; ring < kRings; ++ring)
    heaps[ring] = demand.heap_bytes[ring] > 0 ? plan.rings[ring].heap_bytes : 0;
  ACCELSCOPE_TRY(BufferMemory memory, BufferMemory::make(plan.graph, heaps));
  for (std::uint32_t i = 0; i < plan.graph.buffers.size(); ++i) {
    const Buffer& buffer = plan.graph.buffers[i];
    if (buffer.made_by == kNoTask && plan.run_kernels)
      fill(buffer, memory.bytes_of(i).first(bytes_of(buffer)));
  }
  return memory;
}

void keep_buffers(const RunPlan& plan, const BufferMemory& memory, RunOutcome& outcome) {
  outcome.buffers.resize(plan.graph.buffers.size());
  if (!plan.run_kernels) return;
  for (std::uint32_t i = 0; i < plan.graph.buffers.size(); ++i) {
    if (plan.graph.buffers[i].made_by != kNoTask) continue;
    const auto bytes = memory.bytes_of(i).first(bytes_of(plan.graph.buffers[i]));
    outcome.buffers[i].assign(bytes.begin(), bytes.end());
  }
}

Result<std::unique_ptr<capture::FileRecording>> begin_recording(const RunOwned& run,
                                                                const RunOptions& options) {
  capture::FileRecordingPlan recording = options.recording;
  recording.facts = facts_of_run(run.plan, options, run.monitors.get());
  if (run.monitors != nullptr) recording.options.perfmon = run.monitors->source();
  recording.collecting = options.platform == Platform::kVirtual ? capture::Collecting::kByPolling
                         : options.in_process                   ? capture::Collecting::kByThreads
                                                                : capture::Collecting::kByThreadsLater;
  return capture::FileRecording::begin(*run.device_memory, recording);
}

Result<PlatformResult> run_prepared(const std::shared_ptr<RunOwned>& owned, const RunOptions& options) {
  const PlatformOptions platform{.stop = options.stop,
                                 .collect = [&](Collect) { owned->recording->poll(); },
                                 .no_progress_limit = options.no_progress_limit,
                                 .leave_after = options.leave_after};
  if (!options.in_process) return run_in_process(owned, options.platform, platform);
  return run_platform(owned, options.platform, platform);
}

// Whoever reads the recording is told where it ended.
capture::Ending ending_of(const RunOutcome& outcome, const RunOptions& options) {
  capture::Ending ending{.producers =
                             options.in_process ? capture::Producers::kFlush : capture::Producers::kGone};
  if (outcome.fault)
    ending.remarks.push_back(
        {.id = "run.ended_early",
         .severity = outcome.fault->kind == RunFault::Kind::kInterrupted ? trace::Severity::kWarning
                                                                         : trace::Severity::kError,
         .sentence = fmt::format("The run did not come to its end: {}.", outcome.fault->text)});
  ending.remarks.insert(ending.remarks.end(), outcome.monitors.begin(), outcome.monitors.end());
  return ending;
}

}  // namespace

Result<RunOutcome> run(const Graph& graph, const KernelRegistry& kernels, const device::Chip& chip,
                       const device::Costs& costs, const RunOptions& options) {
  ACCELSCOPE_CHECK(check_chip(chip));
  ACCELSCOPE_CHECK(check_rings(options));
  const KnownKernels known{.find = [&](std::string_view name) { return kernels.find(name); },
                           .names = kernels.names()};
  ACCELSCOPE_CHECK(check(graph, known));
  ACCELSCOPE_CHECK(check_sync_starts(graph, chip));
  ACCELSCOPE_TRY(RunPlan plan, plan_of(graph, kernels, chip, costs, options));
  ACCELSCOPE_TRY(BufferMemory memory, make_memory(plan));
  ACCELSCOPE_TRY(BlackBox black_box, BlackBox::make(chip.cores()));
  const auto owned = std::make_shared<RunOwned>(std::move(plan), std::move(memory), std::move(black_box));
  const device::Sharing sharing =
      options.in_process ? device::Sharing::kThisProcess : device::Sharing::kForkedOnes;
  owned->device_memory =
      chip.memory_is_mapped ? device::mapped_memory(sharing) : device::copied_memory(sharing);
  if ((owned->plan.dfx_flags & kDfxCoreSwimlane) != 0) {
    ACCELSCOPE_TRY(owned->monitors,
                   CoreMonitors::make(*owned->device_memory, chip, graph, options.core_swimlane));
  }
  ACCELSCOPE_TRY(owned->recording, begin_recording(*owned, options));
  ACCELSCOPE_TRY(const PlatformResult result, run_prepared(owned, options));
  const RunCounts& counts = result.counts;
  RunOutcome outcome{.fault = result.fault,
                     .clock = chip.counter,
                     .begin_ticks = counts.begin_ticks,
                     .end_ticks = counts.end_ticks,
                     .makespan = counts.makespan,
                     .has_counts = result.has_counts,
                     .submitted = counts.submitted,
                     .dispatches = counts.dispatches,
                     .edges = counts.edges,
                     .steps = counts.steps,
                     .timestamp_reads = counts.timestamp_reads,
                     .left_behind = result.left_behind};
  if (owned->monitors != nullptr) {
    owned->monitors->restore_what_is_left();
    outcome.monitors = owned->monitors->remarks();
  }
  outcome.recording = owned->recording->end(ending_of(outcome, options));
  if (outcome.left_behind == 0) keep_buffers(owned->plan, owned->memory, outcome);
  return outcome;
}

}  // namespace accelscope::runtime
