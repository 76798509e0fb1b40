// The dependencies of a run: whether a file of them is of this run, its edges, and whether they go in a
// circle.
//
// Pure but for what they add to the builder; one thread.
//
//   if (belongs_to_run(graph, tasks, builder.quality())) add_edges(graph, tasks, builder);
#pragma once

#include <span>

#include "formats/chip_run/run_tasks.h"

namespace accelscope::formats::chip_run {

// Ids are small numbers that every run has, so the ids in common say little by themselves. A graph is of
// another run when it does not know at least half of the tasks that ran, or says that they run on other
// engines; or when fewer than half of its tasks were submitted, where submits were recorded.
bool belongs_to_run(const deps::Dependencies& graph, const RunTasks& tasks, trace::QualityTable& quality);

// Edges to tasks that nobody knows are counted in Quality.
void add_edges(const deps::Dependencies& graph, const RunTasks& tasks, trace::TraceBuilder& builder);
// A task on a circle of dependencies, and how many tasks cannot be ordered because of such circles.
struct Circle {
  std::uint32_t task = 0;
  std::uint32_t unordered = 0;
};
struct Edges {
  std::vector<trace::TaskId> from = {};
  std::vector<trace::TaskId> to = {};
};
std::optional<Circle> find_circle(const Edges& edges, std::uint32_t task_count);

// The edges that a recording lists with their producers, each once. Only reads, so another thread may do it
// while the trace is being made.
struct Fanout {
  Edges edges = {};
  std::uint64_t unknown = 0;        // that name tasks nobody knows
  std::uint64_t to_themselves = 0;  // of a task that waits for itself; left out
};
Fanout resolve_fanout(std::span<const chip_swimlane::FanoutEdge> edges, const RunTasks& tasks);
void add_edges(const Fanout& fanout, trace::TraceBuilder& builder);

}  // namespace accelscope::formats::chip_run
