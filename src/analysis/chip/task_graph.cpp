#include "analysis/chip/task_graph.h"

#include <limits>

namespace accelscope::analysis::chip {
namespace {

using trace::TaskId;
using trace::Trace;

constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

// Per task the node that stands for its beginning, where it is a graph; empty when there are no graphs.
struct Beginnings {
  std::vector<std::uint32_t> of = {};
  std::uint32_t nodes = 0;
};

Beginnings beginnings(const Trace& trace) {
  const trace::Column<TaskId>& parent = trace.tasks().parent;
  Beginnings result{.nodes = trace.tasks().size()};
  for (std::uint32_t task = 0; task < parent.size(); ++task) {
    if (parent[task] == TaskId::kNone) continue;
    if (result.of.empty()) result.of.assign(parent.size(), kNoNode);
    std::uint32_t& beginning = result.of[index(parent[task])];
    if (beginning == kNoNode) beginning = result.nodes++;
  }
  return result;
}

template <class Visit>
void for_each_edge(const Trace& trace, const Beginnings& beginning, Visit visit) {
  const trace::TaskEdgeTable& edges = trace.task_edges();
  const trace::Column<TaskId>& parent = trace.tasks().parent;
  const bool has_graphs = !beginning.of.empty();
  for (std::uint32_t edge = 0; edge < edges.size(); ++edge) {
    const TaskId from = edges.from[edge];
    const TaskId to = edges.to[edge];
    // A graph and its own node are tied below.
    if (has_graphs && (parent[index(to)] == from || parent[index(from)] == to)) continue;
    visit(index(from), index(to));
    if (has_graphs && beginning.of[index(to)] != kNoNode) visit(index(from), beginning.of[index(to)]);
  }
  if (!has_graphs) return;
  for (std::uint32_t task = 0; task < parent.size(); ++task) {
    if (parent[task] == TaskId::kNone) continue;
    const std::uint32_t begun = beginning.of[index(parent[task])];
    visit(begun, task);
    visit(task, index(parent[task]));
    if (beginning.of[task] != kNoNode) visit(begun, beginning.of[task]);
  }
}

}  // namespace

TaskGraph task_graph(const Trace& trace) {
  const Beginnings beginning = beginnings(trace);
  TaskGraph graph{.tasks = trace.tasks().size()};
  graph.first.assign(beginning.nodes + std::size_t{1}, 0);
  for_each_edge(trace, beginning, [&](std::uint32_t from, std::uint32_t) { ++graph.first[from + 1]; });
  for (std::uint32_t node = 0; node < beginning.nodes; ++node) graph.first[node + 1] += graph.first[node];
  graph.successors.resize(graph.first.back());
  std::vector<std::uint32_t> next(graph.first.begin(), graph.first.end() - 1);
  for_each_edge(trace, beginning,
                [&](std::uint32_t from, std::uint32_t to) { graph.successors[next[from]++] = to; });
  return graph;
}

}  // namespace accelscope::analysis::chip
