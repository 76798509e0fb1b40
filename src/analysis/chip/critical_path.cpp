#include "analysis/chip/critical_path.h"

#include <algorithm>

#include "analysis/chip/path_functions.h"
#include "analysis/chip/task_graph.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using trace::SliceId;
using trace::StringId;
using trace::TaskId;
using trace::Trace;

// Per task its longest part.
struct Weights {
  std::vector<std::int64_t> ticks = {};
  std::vector<SliceId> part = {};
};

Weights weights_of(const Trace& trace, const trace::ChipRun& chip, std::uint32_t nodes) {
  const trace::SliceTable& slices = trace.slices();
  const trace::CategoryId execution = trace.find_category(trace::category::kTaskExecution);
  Weights weights{.ticks = std::vector<std::int64_t>(nodes, 0),
                  .part = std::vector<SliceId>(trace.tasks().size(), SliceId::kNone)};
  for (const trace::ChipCore& core : chip.cores) {
    const trace::RowRange rows = trace.slices_of(core.track);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      if (slices.category[row] != execution || slices.task[row] == TaskId::kNone) continue;
      const std::uint32_t task = index(slices.task[row]);
      const std::int64_t length = slices.duration[row].value;
      if (weights.part[task] != SliceId::kNone && length <= weights.ticks[task]) continue;
      weights.ticks[task] = length;
      weights.part[task] = SliceId{row};
    }
  }
  return weights;
}

}  // namespace

StaticPath static_path(const Trace& trace, const trace::ChipRun& chip, Slack slack) {
  const TaskGraph graph = task_graph(trace);
  const Weights weights = weights_of(trace, chip, graph.nodes());
  LongestPath longest =
      longest_path({.weight = weights.ticks, .first = graph.first, .successors = graph.successors}, slack);
  StaticPath path{.length = Ticks{longest.length},
                  .tasks_on_cycles = longest.on_cycles,
                  .has_dependencies = !graph.successors.empty()};
  PathFunctions functions(trace);
  for (const std::uint32_t node : longest.nodes) {
    if (node >= graph.tasks) continue;
    path.tasks.push_back(TaskId{node});
    const SliceId part = weights.part[node];
    const StringId function =
        part == SliceId::kNone ? trace.tasks().name[node] : trace.slices().name[index(part)];
    functions.add(function, Ticks{weights.ticks[node]}, {});
  }
  path.functions = std::move(functions).by_compute();
  if (slack == Slack::kYes) {
    path.slack.reserve(graph.tasks);
    for (std::uint32_t task = 0; task < graph.tasks; ++task) path.slack.push_back(Ticks{longest.slack[task]});
  }
  return path;
}

}  // namespace accelscope::analysis::chip
