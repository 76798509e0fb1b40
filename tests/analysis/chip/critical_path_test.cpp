#include "analysis/chip/critical_path.h"

#include <gtest/gtest.h>

#include "support/chip_simulation.h"
#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using trace::SliceId;
using trace::TaskId;
using trace::Trace;

StaticPath static_of(const Trace& trace) {
  return static_path(trace, trace::chip_run(trace), Slack::kYes);
}

ObservedPath observed_of(const Trace& trace, const PathOptions& options = {}) {
  const trace::ChipRun chip = trace::chip_run(trace);
  return observed_path(trace, chip, task_times(trace, chip), options);
}

// Every step begins where the one before ended, and all of it is the window.
void expect_tiles(const ObservedPath& path) {
  Ticks at = path.window.from;
  Ticks by_function = {};
  for (const PathStep& step : path.steps) {
    EXPECT_EQ(step.stall_from, at);
    EXPECT_LE(step.stall_from, step.start);
    EXPECT_LE(step.start, step.end);
    EXPECT_EQ(step.stall.total(), step.start - step.stall_from);
    at = step.end;
  }
  EXPECT_EQ(at, path.window.to);
  for (const FunctionOnPath& function : path.functions) by_function += function.compute + function.stall;
  EXPECT_EQ(by_function, path.window.length());
  EXPECT_EQ(path.compute + path.stall.total(), path.window.length());
  EXPECT_EQ(path.front_gap + path.data_wait + path.core_wait, path.stall.total());
}

TEST(StaticPath, PassesThroughTasksWithoutWeightAndViolatedEdges) {
  ChipSketch chip(0, 2);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId barrier = chip.task(1, "barrier", "dummy");
  const TaskId b = chip.task(2, "B", "AIV");
  const TaskId long_one = chip.task(3, "C", "AIV");
  chip.edge(a, barrier);
  chip.edge(barrier, b);
  chip.run(0, a, {.start = 0, .end = 10});
  chip.run(1, b, {.start = 5, .end = 15});  // began before its producer had ended: the edge still counts
  chip.run(0, long_one, {.start = 10, .end = 28});
  const Trace trace = chip.finish();
  const StaticPath path = static_of(trace);
  EXPECT_EQ(path.length, Ticks{20});
  EXPECT_EQ(path.tasks, (std::vector<TaskId>{a, barrier, b}));
  EXPECT_EQ(path.slack[index(long_one)], Ticks{2});
  EXPECT_EQ(path.functions.size(), 3U);
  EXPECT_TRUE(path.has_dependencies);
}

TEST(StaticPath, ATaskWeighsAsMuchAsItsLongestPart) {
  ChipSketch chip(0, 1);
  const TaskId spread = chip.task(0, "A", "AIV", 3);
  chip.run(0, spread, {.start = 0, .end = 10});
  chip.run(0, spread, {.start = 10, .end = 22});
  chip.run(0, spread, {.start = 100, .end = 105});
  EXPECT_EQ(static_of(chip.finish()).length, Ticks{12});
}

TEST(StaticPath, NodesOfAGraphWaitForWhatTheGraphWaitsFor) {
  ChipSketch chip(0, 2);
  const TaskId before = chip.task(0, "A", "AIV");
  const TaskId graph = chip.task(1, "G", "graph");
  const TaskId node = chip.builder.add_task({.external_id = (1ULL << 32U) + 1024,
                                             .name = chip.builder.intern("N"),
                                             .kind = chip.builder.intern("AIV"),
                                             .parent = graph});
  const TaskId after = chip.task(2, "B", "AIV");
  chip.edge(before, graph);
  chip.edge(graph, after);
  chip.run(0, before, {.start = 0, .end = 10});
  chip.run(1, node, {.start = 10, .end = 40});
  chip.run(0, after, {.start = 40, .end = 45});
  const Trace trace = chip.finish();
  const StaticPath path = static_of(trace);
  EXPECT_EQ(path.length, Ticks{45});
  EXPECT_EQ(path.tasks, (std::vector<TaskId>{before, node, graph, after}));
  const ObservedPath observed = observed_of(trace);
  expect_tiles(observed);
  EXPECT_EQ(observed.compute, Ticks{45});
  EXPECT_EQ(observed.steps.size(), 3U);
}

TEST(StaticPath, ACycleIsCountedAndLeftOut) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  const TaskId c = chip.task(2, "C", "AIV");
  chip.edge(a, b);
  chip.edge(b, a);
  chip.edge(b, c);
  chip.run(0, a, {.start = 0, .end = 10});
  chip.run(0, b, {.start = 10, .end = 20});
  chip.run(0, c, {.start = 20, .end = 25});
  const Trace trace = chip.finish();
  const StaticPath path = static_of(trace);
  EXPECT_EQ(path.tasks_on_cycles, 2U);
  EXPECT_EQ(path.length, Ticks{5});
  expect_tiles(observed_of(trace));
}

TEST(ObservedPath, SaysWhatEachStepWaitedFor) {
  ChipSketch chip(0, 2);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  const TaskId c = chip.task(2, "C", "AIV");
  const TaskId side = chip.task(3, "D", "AIV");
  chip.edge(a, b);
  chip.submit(a, 0, 5);
  chip.submit(b, 5, 10);
  chip.submit(c, 10, 15);
  chip.submit(side, 15, 20);
  chip.run(0, a, {.dispatch = 8, .receive = 9, .start = 10, .end = 30, .finish = 33});
  chip.run(1, side, {.dispatch = 22, .receive = 23, .start = 24, .end = 28, .finish = 29});
  chip.run(1, b, {.dispatch = 36, .receive = 37, .start = 40, .end = 60, .finish = 61});
  chip.run(1, c, {.dispatch = 50, .receive = 61, .start = 63, .end = 70, .finish = 75});
  const Trace trace = chip.finish();
  const ObservedPath path = observed_of(trace);
  expect_tiles(path);
  ASSERT_EQ(path.steps.size(), 3U);
  EXPECT_EQ(path.steps[0].task, a);
  EXPECT_EQ(path.steps[0].wait, WaitKind::kFrontGap);
  EXPECT_EQ(path.steps[0].stall.submission, Ticks{5});
  EXPECT_EQ(path.steps[0].stall.scheduling, Ticks{5});
  EXPECT_EQ(path.steps[1].task, b);
  EXPECT_EQ(path.steps[1].wait, WaitKind::kDataWait);
  EXPECT_EQ(path.steps[1].stall.scheduling, Ticks{10});
  EXPECT_EQ(path.steps[2].task, c);
  EXPECT_EQ(path.steps[2].wait, WaitKind::kCoreWait);
  EXPECT_EQ(path.steps[2].stall.core, Ticks{3});  // the core had it in hand before it was free
  EXPECT_EQ(path.compute, Ticks{47});
  EXPECT_EQ(path.window.to, Ticks{70});
  EXPECT_EQ(path.makespan_from_first_start(), Ticks{60});
  EXPECT_EQ(path.front_gap_from_first_start(), Ticks{0});
  EXPECT_EQ(trace.text(path.functions[0].function), "A");
}

TEST(ObservedPath, WorkThatWasNotSubmittedYetIsNotTheSchedulersFault) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  chip.edge(a, b);
  chip.submit(a, 0, 1);
  chip.submit(b, 1, 100);
  chip.run(0, a, {.dispatch = 2, .start = 3, .end = 10, .finish = 11});
  chip.run(0, b, {.dispatch = 101, .start = 102, .end = 110, .finish = 111});
  const ObservedPath path = observed_of(chip.finish());
  expect_tiles(path);
  EXPECT_EQ(path.steps[1].stall.submission, Ticks{90});
  EXPECT_EQ(path.steps[1].stall.scheduling, Ticks{2});
}

TEST(ObservedPath, PassesThroughDummies) {
  ChipSketch chip(0, 2);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId barrier = chip.task(1, "barrier", "dummy");
  const TaskId b = chip.task(2, "B", "AIV");
  chip.edge(a, barrier);
  chip.edge(barrier, b);
  for (const TaskId task : {a, barrier, b}) chip.submit(task, 0, 1);
  chip.run(0, a, {.dispatch = 2, .start = 3, .end = 10, .finish = 12});
  chip.control(0, "dummy_task", barrier, 14);
  chip.run(1, b, {.dispatch = 17, .start = 18, .end = 20, .finish = 21});
  const ObservedPath path = observed_of(chip.finish());
  expect_tiles(path);
  ASSERT_EQ(path.steps.size(), 3U);
  EXPECT_EQ(path.steps[1].task, barrier);
  EXPECT_EQ(path.steps[1].slice, SliceId::kNone);
  EXPECT_EQ(path.steps[1].compute(), Ticks{0});
  EXPECT_EQ(path.steps[1].stall.scheduling, Ticks{4});
  EXPECT_EQ(path.steps[2].stall.scheduling, Ticks{4});
}

TEST(ObservedPath, AMixBlockWaitsForAllItsCores) {
  ChipSketch chip(1, 1);
  const TaskId other = chip.task(0, "V", "AIV");
  const TaskId mix = chip.task(1, "M+N", "MIX");
  chip.run(1, other, {.dispatch = 0, .start = 1, .end = 50, .finish = 51});
  chip.run(0, mix, {.dispatch = 52, .start = 53, .end = 90, .finish = 91}, "M");
  chip.run(1, mix, {.dispatch = 52, .start = 53, .end = 60, .finish = 61}, "N");
  const Trace trace = chip.finish();
  const ObservedPath path = observed_of(trace);
  expect_tiles(path);
  ASSERT_EQ(path.steps.size(), 2U);
  EXPECT_EQ(path.steps[0].task, other);
  EXPECT_EQ(trace.text(path.steps[1].function), "M");
  EXPECT_EQ(path.steps[1].wait, WaitKind::kCoreWait);
  EXPECT_EQ(path.compute, Ticks{49 + 37});
}

TEST(ObservedPath, WorksWithNothingButStartsAndEnds) {
  ChipSketch chip(0, 2, 0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  const TaskId c = chip.task(2, "C", "AIV");
  chip.run(0, a, {.start = 5, .end = 9});
  chip.run(1, b, {.start = 7, .end = 9});
  chip.run(1, c, {.start = 12, .end = 20});
  const ObservedPath path = observed_of(chip.finish());
  expect_tiles(path);
  EXPECT_EQ(path.window.from, Ticks{5});
  EXPECT_EQ(path.core_wait, Ticks{3});
  EXPECT_EQ(path.front_gap, Ticks{2});
  EXPECT_EQ(path.stall.unknown, Ticks{5});
  EXPECT_EQ(path.front_gap_from_first_start(), Ticks{2});
}

TEST(ObservedPath, NoEdgesMayMeanThatNoneWereRecorded) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  chip.submit(a, 0, 10);
  chip.run(0, a, {.dispatch = 30, .start = 32, .end = 40});
  const Trace trace = chip.finish();
  const Stall careful = observed_of(trace).stall;
  EXPECT_EQ(careful.submission, Ticks{10});
  EXPECT_EQ(careful.unknown, Ticks{20});
  EXPECT_EQ(careful.scheduling, Ticks{2});
  EXPECT_EQ(observed_of(trace, {.no_edges_means_independent = true}).stall.scheduling, Ticks{22});
}

TEST(ObservedPath, EndsAndTilesOnImpossibleTimes) {
  ChipSketch chip(0, 2);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  const TaskId c = chip.task(2, "C", "AIV");
  chip.edge(a, b);
  chip.edge(b, c);
  chip.edge(c, a);
  chip.run(0, a, {.dispatch = 30, .start = 10, .end = 30});
  chip.run(0, b, {.dispatch = 5, .start = 10, .end = 50});  // overlaps on its core
  chip.run(1, c, {.dispatch = 90, .start = 10, .end = 10});
  const Trace trace = chip.finish();
  expect_tiles(observed_of(trace));
}

TEST(ObservedPath, NothingRan) {
  const ObservedPath path = observed_of(ChipSketch(1, 1).finish());
  EXPECT_TRUE(path.steps.empty());
  EXPECT_EQ(path.window.length(), Ticks{0});
}

TEST(ObservedPath, TilesSimulatedRunsAndIsNeverShorterThanTheStaticPath) {
  tests::SimulatedWork work;
  for (std::size_t i = 0; i < 300; ++i)
    work.push_back({.name = i % 3 == 0 ? "A" : "B",
                    .on_cube = i % 5 == 0,
                    .length = static_cast<std::int64_t>(20 + i * 37 % 90),
                    .producers = i < 7 ? std::vector<std::size_t>{} : std::vector<std::size_t>{i - 7, i - 3},
                    .parts = i % 11 == 0 ? 3U : 1U});
  for (const int threads : {1, 3}) {
    const tests::SimulatedRun run =
        tests::simulate_chip(work, {.cubes = 2, .vectors = 5, .threads = threads, .dispatch_cost = 9});
    const ObservedPath path = observed_of(run.trace);
    expect_tiles(path);
    EXPECT_EQ(path.window.length(), Ticks{run.makespan});
    EXPECT_EQ(path.stall.unknown, Ticks{0});
    EXPECT_LE(static_of(run.trace).length, path.window.length());
  }
}

}  // namespace
}  // namespace accelscope::analysis::chip
