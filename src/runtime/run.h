// Runs a task graph on a simulated chip.
//
// A graph that can be run gives an outcome, also when the run goes wrong: what was recorded until then is
// kept, and the outcome says what happened to which task. What cannot be begun (a graph with errors, a chip
// that is too small for it, a file that cannot be made) is an error.
//
// Each call is independent of others; the arguments must not change meanwhile. The calling thread runs the
// virtual chip itself, or waits for the threads of the other platform, or for the process that the chip has.
//
//   RunOptions options{.platform = Platform::kVirtual, .dfx_flags = dfx_flags_of_level(3)};
//   options.recording.path = "run.astrace";
//   ACCELSCOPE_TRY(const RunOutcome outcome, run(graph, kernels, chip, costs, options));
//   if (outcome.fault) complain(outcome.fault->text);
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "capture/file_recording.h"
#include "device/chip.h"
#include "device/costs.h"
#include "runtime/core_monitors.h"
#include "runtime/graph.h"
#include "runtime/kernels/registry.h"
#include "runtime/platform.h"

namespace accelscope::runtime {

struct RunOptions {
  Platform platform = Platform::kVirtual;
  std::uint64_t dfx_flags = 0;  // implied ones are added
  // Path, policy, buffers and limits; its facts are filled here, but for `more`.
  capture::FileRecordingPlan recording = {};
  std::uint32_t pmu_group = device::kDefaultPmuGroup;
  CoreSwimlaneOptions core_swimlane = {};  // where kDfxCoreSwimlane is on
  std::uint64_t generation = 1;
  std::array<RingSizes, kRings> rings = {};
  std::size_t tensor_map_entries = 65536;
  bool run_kernels = true;  // false: only time passes, and buffers keep what they have
  // False: the chip gets a process of its own, and no kernel can take this one down, or keep it.
  bool in_process = true;
  const std::atomic<bool>* stop = nullptr;
  // When no task is completed for so long, the run is given up; 0: never. A virtual chip in this process
  // cannot be: it is this thread that waits.
  std::chrono::milliseconds no_progress_limit{10'000};
  std::chrono::milliseconds leave_after{2'000};  // platform.h
};

struct RunOutcome {
  std::optional<RunFault> fault = {};
  base::Frequency clock = base::Frequency::unknown();
  std::uint64_t begin_ticks = 0;
  std::uint64_t end_ticks = 0;
  device::Picoseconds makespan = {};
  bool has_counts = true;        // false: the chip's process ended, and took what follows with it
  std::uint64_t submitted = 0;   // tasks
  std::uint64_t dispatches = 0;  // to cores
  std::uint64_t edges = 0;
  std::uint64_t steps = 0;  // of the virtual chip's actors
  // How often actors looked at the counter, which they do only to record; 0 when somebody was left behind.
  std::uint64_t timestamp_reads = 0;
  // Threads that run kernels which did not return. When there are any, graph and kernels must stay for good,
  // and what buffers hold is not known: none is given.
  std::uint32_t left_behind = 0;
  capture::RecordingEnd recording = {};
  std::vector<trace::QualityRow> monitors = {};  // remarks on performance monitors; also in the recording
  // Of the buffers that exist from the beginning, by number; empty for others.
  std::vector<std::vector<std::byte>> buffers = {};
};

base::Result<RunOutcome> run(const Graph& graph, const KernelRegistry& kernels, const device::Chip& chip,
                             const device::Costs& costs, const RunOptions& options);

}  // namespace accelscope::runtime
