#include "analysis/chip/loop_budget.h"

#include <gtest/gtest.h>

#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using trace::TaskId;
using trace::Trace;

LoopBudget budget_of(const Trace& trace) {
  const trace::ChipRun chip = trace::chip_run(trace);
  return loop_budget(trace, chip, task_times(trace, chip));
}

void expect_all_accounted(const ThreadBudget& thread) {
  Ticks sum = thread.idle;
  for (const PhaseTime& phase : thread.phases) sum += phase.self;
  EXPECT_EQ(sum, thread.window.length());
}

const PhaseTime& phase_of(const Trace& trace, const ThreadBudget& thread, std::string_view name) {
  for (const PhaseTime& phase : thread.phases)
    if (trace.text(phase.phase) == name) return phase;
  static const PhaseTime kNone;
  return kNone;
}

TEST(LoopBudget, InnerPhasesAreTakenOutOfTheirParents) {
  ChipSketch chip(0, 2, 2);
  const TaskId a = chip.task(0, "A", "AIV", 2);
  chip.run(0, a, {.dispatch = 5, .start = 6, .end = 10, .finish = 22});
  chip.run(1, a, {.dispatch = 5, .start = 6, .end = 10, .finish = 15});
  const trace::SliceId dispatch = chip.phase(0, "dispatch", 0, 10, 1, 2);
  chip.builder.add_slice_arg(dispatch, trace::arg::kPopHits, trace::Value::of_uint(1));
  chip.builder.add_slice_arg(dispatch, trace::arg::kPopMisses, trace::Value::of_uint(3));
  chip.phase(0, "drain_publish", 2, 5, 1, 2);
  chip.phase(0, "resolve", 20, 24, 4, 7);  // logged before the complete that it begins with
  chip.phase(0, "complete", 20, 30, 4, 2);
  chip.phase(0, "release", 34, 40, 5, 1);
  chip.control(0, trace::control::kDummyTask, chip.task(1, "Z", "dummy"), 32);
  const Trace trace = chip.finish();
  const LoopBudget budget = budget_of(trace);
  ASSERT_EQ(budget.threads.size(), 1U);  // the other thread recorded nothing
  const ThreadBudget& thread = budget.threads[0];
  expect_all_accounted(thread);
  EXPECT_EQ(thread.window.length(), Ticks{40});
  EXPECT_EQ(thread.idle, Ticks{14});
  EXPECT_DOUBLE_EQ(thread.idle_share(), 0.35);
  EXPECT_EQ(phase_of(trace, thread, "dispatch").self, Ticks{7});
  EXPECT_EQ(phase_of(trace, thread, "dispatch").total, Ticks{10});
  EXPECT_EQ(phase_of(trace, thread, "drain_publish").self, Ticks{3});
  EXPECT_EQ(phase_of(trace, thread, "complete").self, Ticks{6});
  EXPECT_EQ(phase_of(trace, thread, "resolve").self, Ticks{4});
  EXPECT_EQ(phase_of(trace, thread, "release").self, Ticks{6});
  EXPECT_EQ(thread.loops, 5U);
  EXPECT_EQ(thread.tasks, 1U);             // its last part finished here
  EXPECT_EQ(thread.parts_completed, 2U);   // not what resolve says
  EXPECT_EQ(thread.parts_dispatched, 2U);  // drain_publish is part of dispatch
  EXPECT_DOUBLE_EQ(thread.pop_hit_rate().value(), 0.25);
  EXPECT_DOUBLE_EQ(thread.ns_per_loop().value(), 8);
  EXPECT_DOUBLE_EQ(thread.ns_per_task().value(), 26);
  EXPECT_DOUBLE_EQ(thread.ns_per_part().value(), 13);
}

TEST(LoopBudget, RecordedIdleIsIdleAndUnknownKindsAreWork) {
  ChipSketch chip(0, 1);
  chip.phase(0, "idle", 0, 10);
  chip.phase(0, "scan", 10, 12);
  chip.phase(0, "novelty", 15, 20);
  const Trace trace = chip.finish();
  const ThreadBudget thread = budget_of(trace).threads.at(0);
  expect_all_accounted(thread);
  EXPECT_EQ(thread.idle, Ticks{13});
  EXPECT_EQ(thread.phases.size(), 2U);
  EXPECT_EQ(trace.text(thread.phases[0].phase), "novelty");
  EXPECT_FALSE(thread.pop_hit_rate());
  EXPECT_FALSE(thread.ns_per_task());
}

TEST(LoopBudget, PhasesThatOverlapStillSumToTheWindow) {
  ChipSketch chip(0, 1);
  chip.phase(0, "complete", 0, 10);
  chip.phase(0, "dispatch", 5, 15);
  chip.phase(0, "release", 6, 8);
  chip.phase(0, "dummy", 20, 20);
  chip.phase(0, "complete", 19, 40);
  chip.phase(0, "dispatch", 19, 25);
  const Trace trace = chip.finish();
  const ThreadBudget thread = budget_of(trace).threads.at(0);
  expect_all_accounted(thread);
  EXPECT_EQ(thread.idle, Ticks{4});
  EXPECT_EQ(phase_of(trace, thread, "complete").self, Ticks{5 + 15});
}

TEST(LoopBudget, NoPhasesNoBudget) {
  EXPECT_FALSE(budget_of(ChipSketch(1, 1).finish()).recorded());
}

}  // namespace
}  // namespace accelscope::analysis::chip
