#include "formats/chip_run/task_graph.h"

#include "formats/chip_run/helpers.h"

namespace accelscope::formats::chip_run {
namespace {

using deps::Reason;
using trace::Trace;

deps::Task cube_task(std::uint64_t id) {
  return {.id = id, .kernels = {0, -1, -1}};
}

// `count` tasks that ran on a cube core, submitted or not.
chip_swimlane::Capture capture_of_tasks(std::uint64_t count, bool submitted) {
  auto capture = empty_capture(1, 1, submitted ? 4 : 2);
  for (std::uint64_t task = 0; task < count; ++task) {
    const auto time = static_cast<std::int64_t>(10 * task);
    run(capture, 0, {.task = task, .start = time, .end = time + 5});
    if (submitted) submit(capture, task, time, time + 1);
  }
  return capture;
}

TEST(TaskGraph, EdgesAreDistinctPairsWithTheirReasons) {
  Siblings siblings;
  siblings.deps =
      graph_of({cube_task(0), cube_task(1), cube_task(2)},
               {{0, 1, Reason::kCreator | Reason::kTensorMap}, {1, 2, Reason::kExplicit}, {2, 50}});
  const Trace trace = trace_of(capture_of_tasks(3, true), siblings);
  ASSERT_EQ(trace.task_edges().size(), 2U);
  EXPECT_EQ(trace.text(trace.task_edges().kind[0]), "creator+tensormap");
  EXPECT_EQ(trace.text(trace.task_edges().kind[1]), "explicit");
  EXPECT_EQ(trace.tasks().external_id[index(trace.task_edges().to[1])], 2U);
  EXPECT_EQ(quality_of(trace, "chip_run.edge_of_unknown_task")->count, 1U);
  EXPECT_EQ(quality_of(trace, "chip_run.cyclic_dependencies"), nullptr);
}

TEST(TaskGraph, FanoutIsOrderedAndEachEdgeOnce) {
  auto capture = capture_of_tasks(5, false);
  capture.fanout = {{3, 4}, {0, 2}, {0, 1}, {3, 4}, {0, 2}, {1, 50}, {2, 4}, {0, 2}, {2, 2}};
  const Trace trace = trace_of(std::move(capture), {});
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  const auto id = [&](trace::TaskId task) { return trace.tasks().external_id[index(task)]; };
  for (std::uint32_t i = 0; i < trace.task_edges().size(); ++i)
    edges.emplace_back(id(trace.task_edges().from[i]), id(trace.task_edges().to[i]));
  EXPECT_EQ(edges, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 1}, {0, 2}, {2, 4}, {3, 4}}));
  EXPECT_EQ(quality_of(trace, "chip_run.edge_of_unknown_task")->count, 1U);
  EXPECT_EQ(quality_of(trace, "chip_run.edge_to_itself")->count, 1U);
}

TEST(TaskGraph, TasksThatOnlyTheGraphKnowsAreTasks) {
  Siblings siblings;
  siblings.deps = graph_of({cube_task(0), cube_task(1), cube_task(7)}, {{1, 7, Reason::kExplicit}});
  const Trace trace = trace_of(capture_of_tasks(2, true), siblings);
  EXPECT_EQ(trace.tasks().size(), 3U);
  EXPECT_EQ(kind_of_task(trace, 7), "AIC");
  EXPECT_EQ(trace.task_edges().size(), 1U);
}

TEST(TaskGraph, AGraphWithFewTasksInCommonIsOfAnotherRun) {
  Siblings siblings;
  siblings.deps = graph_of({cube_task(0), cube_task(100)}, {{0, 100, Reason::kExplicit}});
  const Trace trace = trace_of(capture_of_tasks(4, false), siblings);
  EXPECT_EQ(quality_of(trace, "chip_run.deps_of_another_run")->severity, trace::Severity::kWarning);
  EXPECT_EQ(trace.task_edges().size(), 0U);
  EXPECT_EQ(trace.tasks().size(), 4U);
  EXPECT_EQ(name_of_task(trace, 0), "task");
}

TEST(TaskGraph, AGraphWithHalfOfTheTasksIsUsedAndTheRestIsCounted) {
  Siblings siblings;
  siblings.deps = graph_of({cube_task(0), cube_task(1)});
  const Trace trace = trace_of(capture_of_tasks(4, false), siblings);
  EXPECT_EQ(quality_of(trace, "chip_run.deps_of_another_run"), nullptr);
  EXPECT_EQ(quality_of(trace, "chip_run.task_not_in_deps")->count, 2U);
}

// Every run has tasks 0, 1, 2, ...: what tells runs apart is where they ran and how many were submitted.
TEST(TaskGraph, AGraphThatNamesOtherEnginesIsOfAnotherRun) {
  Siblings siblings;
  siblings.deps = graph_of({{.id = 0, .kernels = {-1, 3, -1}}, {.id = 1, .kernels = {-1, 3, 4}}});
  const Trace trace = trace_of(capture_of_tasks(2, false), siblings);
  EXPECT_NE(quality_of(trace, "chip_run.deps_of_another_run"), nullptr);
}

TEST(TaskGraph, AGraphOfFarMoreTasksThanWereSubmittedIsOfAnotherRun) {
  Siblings siblings;
  std::vector<deps::Task> tasks;
  for (std::uint64_t id = 0; id < 50; ++id) tasks.push_back(cube_task(id));
  siblings.deps = graph_of(tasks);
  EXPECT_NE(quality_of(trace_of(capture_of_tasks(5, true), siblings), "chip_run.deps_of_another_run"),
            nullptr);
  EXPECT_EQ(quality_of(trace_of(capture_of_tasks(5, false), siblings), "chip_run.deps_of_another_run"),
            nullptr)
      << "without submits, tasks that did not run may have been dummies";
}

TEST(TaskGraph, CirclesAreNamedAndKept) {
  Siblings siblings;
  siblings.deps =
      graph_of({cube_task(0), cube_task(1), cube_task(2), cube_task(3)}, {{0, 1}, {1, 2}, {2, 1}, {2, 3}});
  const Trace trace = trace_of(capture_of_tasks(4, true), siblings);
  EXPECT_EQ(trace.task_edges().size(), 4U);
  const trace::QualityRow* row = quality_of(trace, "chip_run.cyclic_dependencies");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->severity, trace::Severity::kError);
  EXPECT_EQ(row->count, 3U) << "t3 only waits for the circle";
  EXPECT_TRUE(row->sentence.find("task t1") != std::string::npos ||
              row->sentence.find("task t2") != std::string::npos)
      << row->sentence;
}

TEST(TaskGraph, FindsNoCircleWhereThereIsNone) {
  EXPECT_FALSE(find_circle({}, 3));
  const auto circle_of = [](const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs,
                            std::uint32_t tasks) {
    Edges edges;
    for (const auto& [from, to] : pairs) {
      edges.from.push_back(trace::TaskId{from});
      edges.to.push_back(trace::TaskId{to});
    }
    return find_circle(edges, tasks);
  };
  EXPECT_FALSE(circle_of({{0, 1}, {0, 2}, {1, 2}}, 3));
  EXPECT_FALSE(circle_of({{2, 1}, {1, 0}, {2, 0}}, 3)) << "against the numbers, and still no circle";
  EXPECT_TRUE(circle_of({{0, 1}, {1, 2}, {2, 0}}, 3));
  const auto self = circle_of({{0, 1}, {1, 1}}, 2);
  ASSERT_TRUE(self);
  EXPECT_EQ(self->task, 1U);
  EXPECT_EQ(self->unordered, 1U);
}

}  // namespace
}  // namespace accelscope::formats::chip_run
