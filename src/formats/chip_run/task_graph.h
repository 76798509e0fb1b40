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
// Those that an old recording lists with their producers.
void add_edges(std::span<const chip_swimlane::FanoutEdge> edges, const RunTasks& tasks,
               trace::TraceBuilder& builder);

// A task on a circle of dependencies, and how many tasks cannot be ordered because of such circles.
struct Circle {
  std::uint32_t task = 0;
  std::uint32_t unordered = 0;
};
struct Edges {
  std::vector<std::uint32_t> from = {};
  std::vector<std::uint32_t> to = {};
};
std::optional<Circle> find_circle(const Edges& edges, std::uint32_t task_count);

}  // namespace accelscope::formats::chip_run
