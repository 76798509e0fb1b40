// The reference's figures of small runs drawn by hand, mistakes included.
#include <gtest/gtest.h>

#include "compat/reference_critical_path.h"
#include "compat/reference_overhead.h"
#include "compat/reference_statistics.h"
#include "support/chip_sketch.h"

namespace accelscope::compat {
namespace {

using tests::ChipSketch;
using trace::TaskId;

// Two vector cores. The second task waits from the end of the first (t=100) to its dispatch (t=150), while
// both cores idle; it is submitted only at t=140, which the reference does not look at.
trace::Trace late_submission() {
  ChipSketch chip(0, 2);
  const TaskId first = chip.task(0, "ADD", "AIV");
  const TaskId second = chip.task(1, "MUL", "AIV");
  chip.edge(first, second);
  chip.submit(first, 0, 5);
  chip.submit(second, 130, 140);
  chip.phase(0, trace::phase::kDispatch, 5, 15, 1);
  chip.run(0, first, {.dispatch = 10, .receive = 15, .start = 20, .end = 100, .finish = 110});
  chip.phase(0, trace::phase::kComplete, 105, 115, 2);
  chip.phase(0, trace::phase::kRelease, 115, 120, 2);
  chip.phase(0, trace::phase::kDispatch, 145, 155, 3);
  chip.run(1, second, {.dispatch = 150, .receive = 155, .start = 160, .end = 200, .finish = 220});
  chip.phase(0, trace::phase::kComplete, 215, 225, 4);
  return chip.finish();
}

TEST(ReferenceModel, CallsATaskReadyBeforeItIsSubmitted) {
  const trace::Trace trace = late_submission();
  const ReferenceOverhead overhead = reference_overhead(reference_run(trace));
  EXPECT_DOUBLE_EQ(overhead.verdict.window, 0.18);
  // 100 to 150, of which 140 to 150 would be right. Core 1 ran something, so it counts as idle before.
  EXPECT_NEAR(overhead.verdict.engine[kVectorEngine], 0.05, 1e-12);
  EXPECT_NEAR(overhead.verdict.all, 0.05, 1e-12);
  EXPECT_FALSE(overhead.verdict.has_engine[kCubeEngine]);
  EXPECT_EQ(overhead.path.hops, 1U);
  EXPECT_NEAR(overhead.path.scheduler, 0.06 + 0.01, 1e-12);
  EXPECT_NEAR(overhead.path.compute, 0.08 + 0.04, 1e-12);
}

TEST(ReferenceModel, TakesReleaseForIdling) {
  const trace::Trace trace = late_submission();
  const LoopBudget loops = reference_overhead(reference_run(trace)).loops;
  ASSERT_EQ(loops.threads.size(), 1U);
  EXPECT_NEAR(loops.threads[0].total, 0.22, 1e-12);
  EXPECT_EQ(loops.threads[0].tasks, 2U);
  EXPECT_EQ(loops.threads[0].loops, 4U);
  EXPECT_NEAR(loops.idle, 0.22 - 0.04, 1e-12);
  EXPECT_EQ(loops.fanout.max, 1U);
}

TEST(ReferenceModel, NeverCallsATaskWithoutProducersReady) {
  ChipSketch chip(0, 1);
  const TaskId only = chip.task(0, "ADD", "AIV");
  chip.submit(only, 0, 5);
  chip.run(0, only, {.dispatch = 1000, .receive = 1010, .start = 1020, .end = 1100, .finish = 1110});
  const trace::Trace trace = chip.finish();
  const ReferenceOverhead overhead = reference_overhead(reference_run(trace));
  EXPECT_EQ(overhead.verdict.engine[kVectorEngine], 0);
  EXPECT_NE(reference_overhead_text(overhead).find("COMPUTE/DEPENDENCY-BOUND"), std::string::npos);
}

TEST(ReferenceModel, CountsASwitchWhenTheNextTaskWasThereAlready) {
  ChipSketch chip(1, 0);
  const TaskId first = chip.task(0, "ADD", "AIC");
  const TaskId second = chip.task(1, "MUL", "AIC");
  chip.run(0, first, {.dispatch = 0, .receive = 10, .start = 20, .end = 100, .finish = 110});
  chip.run(0, second, {.dispatch = 90, .receive = 105, .start = 108, .end = 200, .finish = 210});
  const trace::Trace trace = chip.finish();
  const ReferenceOverhead overhead = reference_overhead(reference_run(trace));
  const EngineSwitches& switches = overhead.switches[kCubeEngine];
  EXPECT_EQ(switches.events, 1U);
  EXPECT_NEAR(switches.total, 0.008, 1e-12);
  EXPECT_EQ(switches.during_overhead, 0);
  // The head is no longer than the gap.
  ASSERT_EQ(overhead.head.sorted.size(), 2U);
  EXPECT_NEAR(overhead.head.sorted[0], 0.008, 1e-12);
  EXPECT_NEAR(overhead.head.sorted[1], 0.02, 1e-12);
}

TEST(ReferenceModel, CountsTheSecondVectorCoreUnderTheFirst) {
  ChipSketch chip(0, 2);
  chip.builder.add_fact("function 1", trace::Value::of_string(chip.builder.intern("ADD")));
  chip.builder.add_fact("function 2", trace::Value::of_string(chip.builder.intern("MUL")));
  const TaskId both = chip.task(0, "ADD+MUL", "AIV");
  chip.run(0, both, {.dispatch = 0, .receive = 10, .start = 20, .end = 100, .finish = 110}, "ADD");
  chip.run(1, both, {.dispatch = 0, .receive = 10, .start = 20, .end = 120, .finish = 130}, "MUL");
  const trace::Trace trace = chip.finish();
  const ReferenceStatistics statistics = reference_statistics(reference_run(trace));
  ASSERT_EQ(statistics.functions.size(), 1U);
  EXPECT_EQ(statistics.functions[0].name, "ADD");
  EXPECT_EQ(statistics.functions[0].count, 2U);
  EXPECT_NEAR(statistics.functions[0].exec, 0.18, 1e-12);
}

TEST(ReferenceModel, HasASpanButNoLatencyAtLevelOne) {
  ChipSketch chip(1, 0, 0, 1);
  const TaskId task = chip.task(0, "task", "unknown");
  chip.run(0, task, {.receive = 1000, .start = 2000, .end = 5000});
  const trace::Trace trace = chip.finish();
  const std::string text = reference_statistics_text(reference_statistics(reference_run(trace)));
  EXPECT_NE(text.find("AICore Observed Span: 4.00 us"), std::string::npos) << text;
  EXPECT_EQ(text.find("Total Test Time"), std::string::npos);
}

TEST(ReferenceModel, WalksThePathThroughDataAndCores) {
  ChipSketch chip(0, 2);
  const TaskId first = chip.task(0, "ADD", "AIV");
  const TaskId other = chip.task(1, "MUL", "AIV");
  const TaskId last = chip.task(2, "SUB", "AIV");
  chip.edge(first, last);
  chip.run(0, first, {.dispatch = 0, .receive = 10, .start = 20, .end = 50, .finish = 60});
  chip.run(1, other, {.dispatch = 0, .receive = 10, .start = 30, .end = 90, .finish = 95});
  chip.run(1, last, {.dispatch = 80, .receive = 92, .start = 95, .end = 100, .finish = 110});
  const trace::Trace trace = chip.finish();
  const ReferenceCriticalPath path = reference_critical_path(reference_run(trace));
  EXPECT_EQ(path.tasks, 3U);
  EXPECT_EQ(path.edges, 1U);
  EXPECT_EQ(path.makespan.value, 80);
  EXPECT_EQ(path.static_length.value, 60);
  EXPECT_EQ(path.static_tasks, 1U);
  // The core was the last to be free, not the data; nothing came before on either.
  ASSERT_EQ(path.steps.size(), 2U);
  EXPECT_EQ(path.steps[0].kind, Stall::kFrontGap);
  EXPECT_EQ(path.steps[0].stall.value, 10);
  EXPECT_EQ(path.steps[0].compute.value, 60);
  EXPECT_EQ(path.steps[1].kind, Stall::kCoreWait);
  EXPECT_EQ(path.steps[1].stall.value, 5);
  EXPECT_EQ(path.steps[1].compute.value, 5);
}

TEST(ReferenceModel, DropsADependencyThatTheScheduleViolates) {
  ChipSketch chip(0, 2);
  const TaskId first = chip.task(0, "ADD", "AIV");
  const TaskId hasty = chip.task(1, "MUL", "AIV");
  chip.edge(first, hasty);
  chip.run(0, first, {.dispatch = 0, .receive = 10, .start = 20, .end = 53, .finish = 60});
  chip.run(1, hasty, {.dispatch = 0, .receive = 10, .start = 50, .end = 90, .finish = 95});
  const trace::Trace trace = chip.finish();
  EXPECT_EQ(reference_critical_path(reference_run(trace)).edges, 0U);
}

TEST(ReferenceModel, SurvivesACycleAndARunOfNothing) {
  ChipSketch chip(0, 1);
  const TaskId first = chip.task(0, "ADD", "AIV");
  const TaskId second = chip.task(1, "MUL", "AIV");
  chip.edge(first, second);
  chip.edge(second, first);
  chip.run(0, first, {.dispatch = 0, .receive = 10, .start = 20, .end = 50, .finish = 60});
  chip.run(0, second, {.dispatch = 0, .receive = 60, .start = 70, .end = 90, .finish = 95});
  const trace::Trace cyclic = chip.finish();
  EXPECT_LE(reference_overhead(reference_run(cyclic)).path.hops, 3U);
  const trace::Trace empty = ChipSketch(1, 1).finish();
  const ReferenceRun run = reference_run(empty);
  EXPECT_FALSE(reference_overhead_text(reference_overhead(run)).empty());
  EXPECT_FALSE(reference_statistics_text(reference_statistics(run)).empty());
  EXPECT_EQ(reference_critical_path(run).steps.size(), 0U);
}

}  // namespace
}  // namespace accelscope::compat
