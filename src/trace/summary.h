// What a trace holds, in numbers: the facts `accelscope validate` prints.
//
// Plain data made by a pure function; names point into the trace, which must outlive it.
//
//   TraceSummary summary = summarise(trace);
//   for (const MethodSummary& method : summary.methods) ...
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace accelscope::trace {

struct RunSummary {
  RunId run = RunId::kNone;
  RunStatus status = RunStatus::kComplete;
  // Duration of the run's outermost slice; nothing for a run that has none.
  std::optional<Ticks> end_to_end;
  base::Frequency frequency = base::Frequency::unknown();
};

struct MethodSummary {
  std::string_view method;
  RunKind kind = RunKind::kExecution;
  std::string_view source;  // the input file's process track; "" when there is no root slice to tell
  std::vector<RunSummary> runs;
};

struct TraceSummary {
  std::uint64_t tracks = 0;
  std::uint64_t slices = 0;
  std::uint64_t overlapping_slices = 0;  // overlap another slice of their track without containing it
  std::uint64_t flows = 0;
  std::uint64_t counters = 0;
  std::uint64_t instants = 0;
  std::uint64_t states = 0;
  std::uint64_t tasks = 0;
  std::uint64_t task_edges = 0;
  std::uint64_t args = 0;
  std::uint64_t clocks = 0;
  std::uint64_t runs_complete = 0;
  std::uint64_t runs_aborted = 0;
  std::uint64_t runs_empty = 0;
  std::uint64_t negative_self_times = 0;
  std::vector<MethodSummary> methods;  // in the order of their first run
};

TraceSummary summarise(const Trace& trace);

}  // namespace accelscope::trace
