#include "analysis/chip/observer_cost.h"

#include <gtest/gtest.h>

#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using trace::TaskId;
using trace::Trace;

ObserverCost cost_of(const Trace& trace) {
  const trace::ChipRun chip = trace::chip_run(trace);
  return observer_cost(trace, chip, task_times(trace, chip));
}

TEST(ObserverCost, IsPerPartAndPerSubmission) {
  ChipSketch chip(0, 2);
  const TaskId a = chip.task(0, "A", "AIV");
  chip.submit(a, 0, 1096);
  chip.run(0, a, {.dispatch = 1100, .start = 2000, .end = 3000, .finish = 3100});
  chip.run(0, a, {.dispatch = 1100, .start = 4000, .end = 7000, .finish = 8000});
  chip.run(1, a, {.dispatch = 1100, .start = 2000, .end = 3000, .finish = 3100});
  const ObserverCost cost = cost_of(chip.finish());
  EXPECT_EQ(cost.level, 4);
  EXPECT_EQ(cost.parts, 3U);
  EXPECT_EQ(cost.core_time, Ticks{2400});
  EXPECT_DOUBLE_EQ(cost.core_share, 0.15);
  EXPECT_DOUBLE_EQ(cost.worst_core_share, 0.2);
  ASSERT_TRUE(cost.orchestrator);
  EXPECT_EQ(cost.orchestrator->window, base::Nanoseconds{1096});
  EXPECT_EQ(cost.orchestrator->cost_high, base::Nanoseconds{96});  // 9.6 % on top of what it was
  EXPECT_LT(cost.orchestrator->cost_low, cost.orchestrator->cost_high);
  EXPECT_FALSE(cost.basis.empty());
}

TEST(ObserverCost, BelowLevelFourOnlyTheCoresPay) {
  ChipSketch chip(0, 1, 0, 1);
  chip.run(0, chip.task(0, "A", "AIV"), {.start = 0, .end = 8000});
  const ObserverCost cost = cost_of(chip.finish());
  EXPECT_FALSE(cost.orchestrator);
  EXPECT_DOUBLE_EQ(cost.core_share, 0.1);
  EXPECT_EQ(cost_of(ChipSketch(0, 0).finish()).parts, 0U);
}

}  // namespace
}  // namespace accelscope::analysis::chip
