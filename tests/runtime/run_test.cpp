#include "runtime/run.h"

#include <gtest/gtest.h>

#include <vector>

#include "runtime/runs.h"

namespace accelscope::runtime {
namespace {

// Every test of results holds on both platforms.
class Runs : public testing::TestWithParam<Platform> {
 protected:
  RunOptions options() const { return {.platform = GetParam()}; }
};

TEST_P(Runs, ASingleTask) {
  GraphBuilder build("single");
  const auto x = build.buffer("x", DataType::kFloat32, 4, constant_content(3));
  build.vector("add_one").inout(row(x, 4));
  const RunOutcome outcome = run_small(build.finish(), small_chip(), options());
  ASSERT_FALSE(outcome.fault) << outcome.fault->text;
  EXPECT_EQ(outcome.submitted, 1U);
  EXPECT_EQ(outcome.dispatches, 1U);
  EXPECT_EQ(outcome.edges, 0U);
  EXPECT_EQ(floats(outcome.buffers[x]), std::vector<float>(4, 4));
}

TEST_P(Runs, AnEmptyGraph) {
  const RunOutcome outcome = run_small(GraphBuilder("empty").finish(), small_chip(), options());
  EXPECT_FALSE(outcome.fault);
  EXPECT_EQ(outcome.submitted, 0U);
}

TEST_P(Runs, AChainInOrder) {
  GraphBuilder build("chain");
  const auto x = build.buffer("x", DataType::kFloat32, 1, constant_content(1));
  for (int i = 0; i < 10; ++i) {
    build.vector("add_one").inout(row(x, 1));
    build.cube("double").inout(row(x, 1));
  }
  const RunOutcome outcome = run_small(build.finish(), small_chip(4, 2), options());
  ASSERT_FALSE(outcome.fault) << outcome.fault->text;
  // x -> 2 (x + 1), ten times.
  EXPECT_EQ(floats(outcome.buffers[x])[0], 3070.0F);
  EXPECT_EQ(outcome.edges, 19U);
}

TEST_P(Runs, ADiamondOverMadeBuffers) {
  GraphBuilder build("diamond");
  const auto x = build.buffer("x", DataType::kFloat32, 8, constant_content(1));
  const auto a = build.buffer("a", DataType::kFloat32, 8);
  const auto b = build.buffer("b", DataType::kFloat32, 8);
  const auto y = build.buffer("y", DataType::kFloat32, 16);
  build.begin_scope("here");
  build.vector("add_one").in(row(x, 8)).make(row(a, 8));
  build.cube("double").in(row(x, 8)).make(row(b, 8));
  build.vector("add_one").in(row(a, 8)).out(row(y, 8));
  build.vector("add_one").in(row(b, 8)).out(row(y, 8, 8));
  build.end_scope();
  const RunOutcome outcome = run_small(build.finish(), small_chip(), options());
  ASSERT_FALSE(outcome.fault) << outcome.fault->text;
  EXPECT_EQ(floats(outcome.buffers[y])[0], 3.0F);
  EXPECT_EQ(floats(outcome.buffers[y])[8], 3.0F);
  EXPECT_EQ(outcome.edges, 2U);
}

TEST_P(Runs, BlocksOfAnSpmdTask) {
  for (const bool together : {false, true}) {
    GraphBuilder build("spmd");
    const auto x = build.buffer("x", DataType::kFloat32, 100, constant_content(1));
    TaskBuilder task = build.vector("add_one").inout(row(x, 100)).blocks(8);
    if (together) task.sync_start();
    build.cube("double").inout(row(x, 100)).blocks(7);
    const RunOutcome outcome = run_small(build.finish(), small_chip(5, 2), options());
    ASSERT_FALSE(outcome.fault) << outcome.fault->text;
    EXPECT_EQ(outcome.dispatches, 15U);
    EXPECT_EQ(floats(outcome.buffers[x]), std::vector<float>(100, 4));
  }
}

TEST_P(Runs, MoreBlocksThanCores) {
  GraphBuilder build("spmd");
  const auto x = build.buffer("x", DataType::kFloat32, 1000, constant_content(1));
  build.vector("add_one").inout(row(x, 1000)).blocks(100);
  build.vector("add_one").inout(row(x, 1000)).blocks(1);
  const RunOutcome outcome = run_small(build.finish(), small_chip(2, 2), options());
  ASSERT_FALSE(outcome.fault) << outcome.fault->text;
  EXPECT_EQ(outcome.dispatches, 101U);
  EXPECT_EQ(floats(outcome.buffers[x]), std::vector<float>(1000, 3));
}

TEST_P(Runs, AMixTaskOnOneCluster) {
  GraphBuilder build("mix");
  const auto x = build.buffer("x", DataType::kFloat32, 1, constant_content(5));
  const auto y = build.buffer("y", DataType::kFloat32, 1, constant_content(7));
  Function cube{.name = "twice", .kernel = "double", .arguments = {0, 1}};
  Function vector{.name = "more", .kernel = "add_one", .arguments = {1, 1}};
  const auto twice = build.function(cube);
  const auto more = build.function(vector);
  for (int i = 0; i < 3; ++i) build.task({twice, more, kNoKernel}).inout(row(x, 1)).inout(row(y, 1));
  const RunOutcome outcome = run_small(build.finish(), small_chip(3, 2), options());
  ASSERT_FALSE(outcome.fault) << outcome.fault->text;
  EXPECT_EQ(outcome.dispatches, 6U);
  EXPECT_EQ(floats(outcome.buffers[x])[0], 40.0F);
  EXPECT_EQ(floats(outcome.buffers[y])[0], 10.0F);
}

TEST_P(Runs, DummiesAllocationsAndExplicitDependencies) {
  GraphBuilder build("others");
  const auto made = build.buffer("made", DataType::kFloat32, 1);
  const auto x = build.buffer("x", DataType::kFloat32, 1, constant_content(5));
  build.begin_scope("manual", true);
  build.alloc().make(row(made, 1));
  const auto first = build.vector("add_one").in(row(x, 1)).out(row(made, 1)).number();
  const auto gate = build.dummy().after(first).number();
  build.vector("add_one").in(row(made, 1)).out(row(x, 1)).after(gate);
  build.end_scope();
  const RunOutcome outcome = run_small(build.finish(), small_chip(), options());
  ASSERT_FALSE(outcome.fault) << outcome.fault->text;
  EXPECT_EQ(outcome.submitted, 4U);
  EXPECT_EQ(outcome.dispatches, 2U);
  EXPECT_EQ(floats(outcome.buffers[x])[0], 7.0F);
}

TEST_P(Runs, PredicatesAreReadWhenTheTaskIsReady) {
  GraphBuilder build("predicates");
  const auto flag = build.buffer("flag", DataType::kInt32, 1);
  const auto x = build.buffer("x", DataType::kFloat32, 1, constant_content(1));
  build.cube("double").inout(row(x, 1)).when(row(flag, 1));        // not yet
  build.cube("double").inout(row(x, 1)).when(row(flag, 1), true);  // zero: runs
  build.vector("raise").inout(row(flag, 1));
  build.cube("double").inout(row(x, 1)).when(row(flag, 1));        // set by now
  build.cube("double").inout(row(x, 1)).when(row(flag, 1), true);  // no more
  const RunOutcome outcome = run_small(build.finish(), small_chip(), options());
  ASSERT_FALSE(outcome.fault) << outcome.fault->text;
  EXPECT_EQ(outcome.dispatches, 3U);
  EXPECT_EQ(floats(outcome.buffers[x])[0], 4.0F);
}

TEST_P(Runs, EarlyDispatchedTasksWaitForTheirProducers) {
  GraphBuilder build("early");
  const auto x = build.buffer("x", DataType::kFloat32, 1, constant_content(1));
  for (int i = 0; i < 5; ++i) {
    build.vector("add_one").inout(row(x, 1)).scalar(20'000).early();
    build.cube("double").inout(row(x, 1)).scalar(20'000).early();
  }
  const RunOutcome outcome = run_small(build.finish(), small_chip(2, 2), options());
  ASSERT_FALSE(outcome.fault) << outcome.fault->text;
  EXPECT_EQ(floats(outcome.buffers[x])[0], 94.0F);
}

TEST_P(Runs, BackPressureHoldsTheOrchestratorBack) {
  RunOptions small = options();
  for (RingSizes& ring : small.rings) ring = {.task_window = 4, .heap_bytes = 1024, .dependency_pool = 4};
  small.tensor_map_entries = 8;
  GraphBuilder build("narrow");
  const auto x = build.buffer("x", DataType::kFloat32, 128);
  for (int i = 0; i < 50; ++i) {
    const auto made = build.buffer("t" + std::to_string(i), DataType::kFloat32, 128);
    build.begin_scope("round");
    build.vector("add_one").in(row(x, 128)).make(row(made, 128));
    build.vector("add_one").in(row(made, 128)).inout(row(x, 128));
    build.end_scope();
  }
  const Graph graph = build.finish();
  const RunOutcome outcome = run_small(graph, small_chip(2, 2), small);
  ASSERT_FALSE(outcome.fault) << outcome.fault->text;
  EXPECT_EQ(outcome.submitted, 100U);
  EXPECT_EQ(floats(outcome.buffers[x]), std::vector<float>(128, 100));
}

TEST_P(Runs, ADeadlockNamesTheTasksThatWait) {
  RunOptions small = options();
  small.rings[1].task_window = 4;
  GraphBuilder build("deadlock");
  const auto x = build.buffer("x", DataType::kFloat32, 4);
  build.begin_scope("long");
  for (int i = 0; i < 6; ++i) build.vector("add_one").inout(row(x, 4));
  build.end_scope();
  const RunOutcome outcome = run_small(build.finish(), small_chip(), small);
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->kind, RunFault::Kind::kDeadlock);
  EXPECT_EQ(outcome.fault->tasks, (std::vector<std::uint32_t>{4, 0, 1, 2, 3}));
  EXPECT_NE(outcome.fault->text.find("task 4 (add_one) waits for 1 slots of the task window of ring 1"),
            std::string::npos)
      << outcome.fault->text;
  EXPECT_EQ(floats(outcome.buffers[x])[0], 4.0F);  // what could run, ran
}

// Producers that are retired take no room in the dependency pool.
TEST_P(Runs, ATaskWaitsForMoreTasksThanThePoolHas) {
  RunOptions small = options();
  small.rings[0].dependency_pool = 8;
  GraphBuilder build("join");
  const auto x = build.buffer("x", DataType::kFloat32, 200);
  for (std::uint32_t i = 0; i < 200; ++i) build.vector("add_one").inout(row(x, 1, i));
  build.cube("double").inout(row(x, 200));
  const RunOutcome outcome = run_small(build.finish(), small_chip(4, 2), small);
  ASSERT_FALSE(outcome.fault) << outcome.fault->text;
  EXPECT_EQ(outcome.edges, 200U);
  EXPECT_EQ(floats(outcome.buffers[x]), std::vector<float>(200, 2));
}

TEST_P(Runs, WhatCanNeverFitIsNamed) {
  RunOptions small = options();
  small.rings[0].heap_bytes = 1024;
  GraphBuilder build("large");
  const auto made = build.buffer("made", DataType::kFloat32, 1000);
  build.alloc().make(row(made, 1000));
  const RunOutcome outcome = run_small(build.finish(), small_chip(), small);
  ASSERT_TRUE(outcome.fault);
  EXPECT_NE(outcome.fault->text.find("needs 4032 bytes of the heap of ring 0, which has 1024 in all"),
            std::string::npos)
      << outcome.fault->text;
}

TEST_P(Runs, AKernelThatFailsStopsTheRunAndIsNamed) {
  for (const char* kernel : {"fail", "throw"}) {
    GraphBuilder build("faults");
    const auto x = build.buffer("x", DataType::kFloat32, 4);
    build.vector("add_one").inout(row(x, 4));
    build.vector(kernel).inout(row(x, 4));
    build.vector("add_one").inout(row(x, 4));
    const RunOutcome outcome = run_small(build.finish(), small_chip(), options());
    ASSERT_TRUE(outcome.fault);
    EXPECT_EQ(outcome.fault->kind, RunFault::Kind::kKernel);
    EXPECT_EQ(outcome.fault->tasks, std::vector<std::uint32_t>{1});
    EXPECT_EQ(floats(outcome.buffers[x])[0], 1.0F);
  }
}

std::string platform_test_name(const testing::TestParamInfo<Platform>& info) {
  return info.param == Platform::kVirtual ? "Virtual" : "Threads";
}
INSTANTIATE_TEST_SUITE_P(Platforms, Runs, testing::Values(Platform::kVirtual, Platform::kThreads),
                         platform_test_name);

}  // namespace
}  // namespace accelscope::runtime
