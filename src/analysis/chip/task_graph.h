// The dependencies of a run as plain arrays, with the graphs that were submitted as one task unfolded: nodes
// of such a graph wait for what the graph waits for, and the graph has ended when its nodes have.
//
// A graph gets a second node, its beginning, numbered behind the tasks, so that a thousand producers and a
// thousand nodes need two thousand edges and not a million. Pure functions of a read-only trace; the answer
// owns its arrays.
//
//   const TaskGraph graph = task_graph(trace);
//   for (const std::uint32_t node : graph.successors_of(index(task))) use(node);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace accelscope::analysis::chip {

struct TaskGraph {
  std::uint32_t tasks = 0;                // nodes below this are tasks of the trace
  std::vector<std::uint32_t> first = {};  // one more than there are nodes
  std::vector<std::uint32_t> successors = {};

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(first.size() - 1); }
  std::span<const std::uint32_t> successors_of(std::uint32_t node) const {
    return std::span(successors).subspan(first[node], first[node + 1] - first[node]);
  }
};

TaskGraph task_graph(const trace::Trace& trace);

}  // namespace accelscope::analysis::chip
