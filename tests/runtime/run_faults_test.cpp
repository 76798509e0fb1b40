#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "runtime/recorded_run.h"

namespace accelscope::runtime {
namespace {

// Kernels that do not return until they may.
std::atomic<bool> may_return = false;
std::atomic<bool> has_begun = false;

const KernelRegistry& kernels_that_hang() {
  static const KernelRegistry& registry = *new KernelRegistry([] {
    static const accelscope_kernel kernels[] = {
        {.name = "hang",
         .engine = ACCELSCOPE_ENGINE_VECTOR,
         .run =
             [](const accelscope_kernel_call*) {
               has_begun = true;
               while (!may_return) std::this_thread::sleep_for(std::chrono::milliseconds(1));
               return 0;
             },
         .check = nullptr,
         .work = nullptr},
        {.name = "nothing",
         .engine = ACCELSCOPE_ENGINE_VECTOR,
         .run = [](const accelscope_kernel_call*) { return 0; },
         .check = nullptr,
         .work = nullptr},
    };
    static const accelscope_kernel_table table = {ACCELSCOPE_KERNEL_ABI, 2, kernels};
    KernelRegistry made;
    EXPECT_TRUE(made.add(table, "tests"));
    return made;
  }());
  return registry;
}

Graph graph_that_hangs() {
  GraphBuilder build("hangs");
  const auto x = build.buffer("x", DataType::kFloat32, 1);
  build.vector("nothing").inout(row(x, 1));
  build.vector("hang").inout(row(x, 1));
  build.vector("nothing").inout(row(x, 1));
  return build.finish();
}

TEST(RunFaults, AKernelThatNeverReturnsIsNamedAndTheProfileKept) {
  may_return = false;
  const tests::TemporaryFolder folder;
  RunOptions options{.platform = Platform::kThreads, .dfx_flags = dfx_flags_of_level(3)};
  options.recording.path = folder.file("run.astrace");
  options.recording.options.limits.flush = std::chrono::milliseconds(100);
  options.no_progress_limit = std::chrono::milliseconds(100);
  options.leave_after = std::chrono::milliseconds(100);
  // For good, beyond the end of main(), too: a thread is left behind.
  static const Graph& graph = *new Graph(graph_that_hangs());
  const auto outcome = run(graph, kernels_that_hang(), small_chip(), {}, options);
  may_return = true;
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  ASSERT_TRUE(outcome->fault);
  EXPECT_EQ(outcome->fault->kind, RunFault::Kind::kNoProgress);
  EXPECT_EQ(outcome->left_behind, 1U);
  EXPECT_EQ(outcome->fault->tasks, std::vector<std::uint32_t>{1});
  EXPECT_NE(outcome->fault->text.find("task 1 (hang) runs on core"), std::string::npos)
      << outcome->fault->text;

  const auto file = base::MappedFile::open(options.recording.path);
  ASSERT_TRUE(file);
  const auto rows = formats::chip_run::read_recorded_rows(*file);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->capture.counts.submits, 3U);
  EXPECT_EQ(rows->capture.counts.scheduler_rows, 1U);  // the first task, seen to the end
}

TEST(RunFaults, ARunThatIsInterruptedFinishesWhatRuns) {
  for (const Platform platform : {Platform::kVirtual, Platform::kThreads}) {
    const std::atomic<bool> stop = true;
    GraphBuilder build("long");
    const auto x = build.buffer("x", DataType::kFloat32, 1);
    for (int i = 0; i < 20'000; ++i) build.vector("add_one").inout(row(x, 1));
    RunOptions options{.platform = platform, .dfx_flags = dfx_flags_of_level(3)};
    options.stop = &stop;
    const RecordedRun recorded = record_run(build.finish(), small_chip(2, 2), options);
    ASSERT_TRUE(recorded.outcome.fault);
    EXPECT_EQ(recorded.outcome.fault->kind, RunFault::Kind::kInterrupted);
    EXPECT_LT(recorded.outcome.dispatches, 20'000U);
    expect_invariants(recorded.trace(), {"records"});
    EXPECT_EQ(floats(recorded.outcome.buffers[x])[0], static_cast<float>(recorded.outcome.dispatches));
  }
}

TEST(RunFaults, WhatCannotBeginIsAnError) {
  GraphBuilder build("together");
  build.vector("wait").blocks(5).sync_start();
  const Graph graph = build.finish();
  const auto too_small = run(graph, test_kernels(), small_chip(2), {}, {});
  ASSERT_FALSE(too_small);
  EXPECT_NE(too_small.error().message.find("wants 5 blocks to begin together"), std::string::npos);

  RunOptions odd;
  odd.rings[2].task_window = 100;
  EXPECT_FALSE(run(graph, test_kernels(), small_chip(4), {}, odd));
  EXPECT_FALSE(run(graph, test_kernels(), small_chip(0), {}, {}));
  EXPECT_FALSE(run(graph, KernelRegistry{}, small_chip(4), {}, {}));

  RunOptions nowhere{.dfx_flags = dfx_flags_of_level(1)};
  nowhere.recording.path = "/nowhere/at/all";
  EXPECT_FALSE(run(graph, test_kernels(), small_chip(4), {}, nowhere));
}

}  // namespace
}  // namespace accelscope::runtime
