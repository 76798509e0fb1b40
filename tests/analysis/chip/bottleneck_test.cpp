#include "analysis/chip/bottleneck.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/chip_simulation.h"
#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using tests::SimulatedWork;
using trace::TaskId;
using trace::Trace;

Bottleneck bottleneck_of(const Trace& trace, const PathOptions& options = {}) {
  const trace::ChipRun chip = trace::chip_run(trace);
  const TaskTimes times = task_times(trace, chip);
  const Bottleneck result =
      bottleneck(trace, chip, times, observed_path(trace, chip, times, options), options);
  const Ticks sum = std::accumulate(result.ticks.begin(), result.ticks.end(), Ticks{});
  EXPECT_EQ(sum, result.window.length());
  EXPECT_EQ(result.window.from, times.window.from);
  EXPECT_EQ(result.window.to, times.window.to);
  return result;
}

SimulatedWork independent(std::size_t tasks, std::int64_t length) {
  return SimulatedWork(tasks, {.name = "A", .length = length});
}

SimulatedWork chain(std::size_t tasks, std::int64_t length) {
  SimulatedWork work = independent(tasks, length);
  for (std::size_t i = 1; i < tasks; ++i) work[i].producers = {i - 1};
  return work;
}

// The reference takes a task for ready as soon as its producers are done (section 8.1 item 12 of the facts),
// and so blames the scheduler for what nobody had asked for.
TEST(Bottleneck, WorkThatWasNotSubmittedIsNotReady) {
  ChipSketch chip(0, 2);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  chip.edge(a, b);
  chip.submit(a, 0, 2);
  chip.submit(b, 2, 90);
  chip.run(0, a, {.dispatch = 3, .start = 4, .end = 10, .finish = 11});
  chip.run(1, b, {.dispatch = 92, .start = 94, .end = 98, .finish = 100});
  const Bottleneck result = bottleneck_of(chip.finish());
  EXPECT_EQ(result.verdict, Limit::kSubmission);
  // Not asked for: before 2, and from the start of A, which was not what B waited for, to 90.
  EXPECT_EQ(result.of(Limit::kSubmission), Ticks{2 + 86});
  EXPECT_EQ(result.of(Limit::kScheduling), Ticks{2 + 4 + 2});
  EXPECT_EQ(result.of(Limit::kCompute), Ticks{4});
  EXPECT_FALSE(result.mixed);
}

// The reference never takes a task without producers for ready, and finds no scheduler cost while twelve of
// them wait in a queue beside idle cores.
TEST(Bottleneck, TasksWithoutProducersWaitForTheScheduler) {
  ChipSketch chip(0, 2);
  for (int i = 0; i < 4; ++i) {
    const TaskId task = chip.task(static_cast<std::uint64_t>(i), "A", "AIV");
    chip.submit(task, i, i + 1);
    chip.run(i % 2, task,
             {.dispatch = 20 * i + 19, .start = 20 * i + 20, .end = 20 * i + 25, .finish = 20 * i + 26});
  }
  chip.queue_depth(1, {0, 4, 0});
  chip.queue_depth(79, {0, 0, 0});
  const Trace trace = chip.finish();
  const Bottleneck result = bottleneck_of(trace);
  EXPECT_EQ(result.verdict, Limit::kScheduling);
  EXPECT_GT(result.share(Limit::kScheduling), 0.8);
  EXPECT_TRUE(result.evidence.queue_depths);
  EXPECT_TRUE(result.evidence.submissions);
  EXPECT_FALSE(result.evidence.dependencies);
  EXPECT_EQ(result.of(Limit::kUnknown), Ticks{0});
}

TEST(Bottleneck, AReadyTaskThatFindsEveryCoreBusyIsCompute) {
  ChipSketch chip(1, 1);
  const TaskId vector = chip.task(0, "V", "AIV");
  const TaskId mix = chip.task(1, "M+N", "MIX");
  chip.submit(vector, 0, 1);
  chip.submit(mix, 1, 2);
  chip.run(1, vector, {.dispatch = 2, .start = 3, .end = 80, .finish = 81});
  chip.run(0, mix, {.dispatch = 82, .start = 83, .end = 100, .finish = 100}, "M");
  chip.run(1, mix, {.dispatch = 82, .start = 83, .end = 90, .finish = 91}, "N");
  const Bottleneck result = bottleneck_of(chip.finish(), {.no_edges_means_independent = true});
  EXPECT_EQ(result.verdict, Limit::kCompute);
  EXPECT_EQ(result.of(Limit::kCompute), Ticks{77 + 17});
  EXPECT_EQ(result.of(Limit::kDependencies), Ticks{0});
}

TEST(Bottleneck, CheapSchedulerAndEnoughWorkIsCompute) {
  const tests::SimulatedRun run = tests::simulate_chip(independent(200, 100), {.vectors = 4});
  const Bottleneck result = bottleneck_of(run.trace, {.no_edges_means_independent = true});
  EXPECT_EQ(result.verdict, Limit::kCompute);
  EXPECT_GT(result.share(Limit::kCompute), 0.9);
}

// The must-show of the issue: two runs that differ only in the cost of the scheduler.
TEST(Bottleneck, OnlyTheSchedulerDiffers) {
  SimulatedWork work = independent(200, 100);
  for (std::size_t i = 20; i < work.size(); ++i) work[i].producers = {i - 20};
  tests::SimulatedChip chip = {.vectors = 4};
  EXPECT_EQ(bottleneck_of(tests::simulate_chip(work, chip).trace).verdict, Limit::kCompute);
  chip.dispatch_cost = 60;
  const Bottleneck expensive = bottleneck_of(tests::simulate_chip(work, chip).trace);
  EXPECT_EQ(expensive.verdict, Limit::kScheduling);
  EXPECT_FALSE(expensive.mixed);
  EXPECT_EQ(expensive.of(Limit::kUnknown), Ticks{0});
}

TEST(Bottleneck, SlowSubmission) {
  // 60 of 100 ticks the core computes; yet computing faster would not help, since work comes every 100.
  const tests::SimulatedRun run =
      tests::simulate_chip(independent(50, 60), {.vectors = 1, .submit_cost = 100});
  EXPECT_EQ(bottleneck_of(run.trace, {.no_edges_means_independent = true}).verdict, Limit::kSubmission);
  const tests::SimulatedRun connected =
      tests::simulate_chip(chain(50, 60), {.vectors = 3, .submit_cost = 100});
  const Bottleneck result = bottleneck_of(connected.trace);
  EXPECT_EQ(result.verdict, Limit::kSubmission);
  EXPECT_GT(result.share(Limit::kSubmission), 0.9);
}

TEST(Bottleneck, AChainIsLimitedByItsDependencies) {
  for (const bool queues : {false, true}) {
    const tests::SimulatedRun run =
        tests::simulate_chip(chain(50, 100), {.vectors = 4, .record_queues = queues});
    const Bottleneck result = bottleneck_of(run.trace);
    EXPECT_EQ(result.verdict, Limit::kDependencies);
    EXPECT_GT(result.share(Limit::kDependencies), 0.9);
    EXPECT_EQ(result.evidence.queue_depths, queues);
    EXPECT_TRUE(result.evidence.dependencies);
  }
}

TEST(Bottleneck, AChainOnOneCoreIsCompute) {
  const tests::SimulatedRun run = tests::simulate_chip(chain(50, 100), {.vectors = 1});
  EXPECT_EQ(bottleneck_of(run.trace).verdict, Limit::kCompute);
}

TEST(Bottleneck, WhatWasNotRecordedIsUnknown) {
  tests::SimulatedChip chip = {
      .vectors = 4, .dispatch_cost = 60, .record_submits = false, .record_edges = false};
  const Bottleneck result = bottleneck_of(tests::simulate_chip(independent(100, 10), chip).trace);
  EXPECT_EQ(result.verdict, Limit::kUnknown);
  EXPECT_EQ(result.of(Limit::kSubmission), Ticks{0});
  EXPECT_EQ(result.of(Limit::kDependencies), Ticks{0});
  // The queues tell what submissions would: work was ready, and waited.
  chip.record_queues = true;
  const Bottleneck with_queues = bottleneck_of(tests::simulate_chip(independent(100, 10), chip).trace);
  EXPECT_EQ(with_queues.verdict, Limit::kScheduling);
  EXPECT_TRUE(with_queues.evidence.queue_depths);
}

TEST(Bottleneck, AnEmptyQueueWithDoneProducersMeansThatNobodyAsked) {
  const tests::SimulatedRun run = tests::simulate_chip(
      chain(20, 10), {.vectors = 2, .submit_cost = 100, .record_queues = true, .record_submits = false});
  const Bottleneck result = bottleneck_of(run.trace);
  EXPECT_EQ(result.verdict, Limit::kSubmission);
  EXPECT_FALSE(result.evidence.submissions);
}

TEST(Bottleneck, TwoThatAreCloseAreMixed) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  chip.submit(a, 0, 52);
  chip.run(0, a, {.dispatch = 52, .start = 52, .end = 100, .finish = 100});
  const Bottleneck result = bottleneck_of(chip.finish());
  EXPECT_EQ(result.verdict, Limit::kSubmission);
  EXPECT_EQ(result.second, Limit::kCompute);
  EXPECT_TRUE(result.mixed);
}

TEST(Bottleneck, NothingRan) {
  const Bottleneck result = bottleneck_of(ChipSketch(1, 1).finish());
  EXPECT_EQ(result.verdict, Limit::kUnknown);
  EXPECT_FALSE(result.mixed);
}

}  // namespace
}  // namespace accelscope::analysis::chip
