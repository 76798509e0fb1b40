// Whether the report's verdict agrees with what was made slow.
#include <gtest/gtest.h>

#include "analysis/chip/bottleneck.h"
#include "runtime/recorded_run.h"

namespace accelscope::runtime {
namespace {

using analysis::chip::Limit;

Limit verdict_on(const Graph& graph, const device::Chip& chip, const device::Costs& costs = {}) {
  const RecordedRun run =
      record_run(graph, chip, {.dfx_flags = dfx_flags_of_level(3) | kDfxDependencyCapture}, costs);
  EXPECT_FALSE(run.outcome.fault);
  const trace::ChipRun facts = trace::chip_run(run.trace());
  const analysis::chip::TaskTimes times = analysis::chip::task_times(run.trace(), facts);
  return bottleneck(run.trace(), facts, times, observed_path(run.trace(), facts, times)).verdict;
}

Graph independent(int tasks, double nanoseconds) {
  GraphBuilder build("independent");
  for (int i = 0; i < tasks; ++i) build.vector("wait").scalar(nanoseconds);
  return build.finish();
}

TEST(BottleneckOfRuns, IsComputingWhereThereIsMuchToDoForFewCores) {
  EXPECT_EQ(verdict_on(independent(200, 50'000), small_chip(2)), Limit::kCompute);
}

TEST(BottleneckOfRuns, IsSubmissionWhereTheOrchestratorIsSlow) {
  device::Costs costs;
  costs.submit_task = {30'000'000};
  EXPECT_EQ(verdict_on(independent(100, 20'000), small_chip(4), costs), Limit::kSubmission);
}

TEST(BottleneckOfRuns, IsSchedulingWhereDispatchIsSlow) {
  device::Costs costs;
  costs.dispatch_task = {20'000'000};
  EXPECT_EQ(verdict_on(independent(100, 5'000), small_chip(4), costs), Limit::kScheduling);
}

// Beside a chain that takes long there is work for the other cores, but it depends on the chain.
TEST(BottleneckOfRuns, IsDependenciesWhereTheGraphIsAChain) {
  GraphBuilder build("chain");
  const auto x = build.buffer("x", DataType::kFloat32, 1);
  const auto y = build.buffer("y", DataType::kFloat32, 100);
  for (std::uint32_t i = 0; i < 50; ++i) {
    build.vector("wait").inout(row(x, 1)).scalar(100'000);
    build.vector("wait").in(row(x, 1)).out(row(y, 1, i)).scalar(1'000);
  }
  EXPECT_EQ(verdict_on(build.finish(), small_chip(4)), Limit::kDependencies);
}

}  // namespace
}  // namespace accelscope::runtime
