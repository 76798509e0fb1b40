#include "analysis/chip/waits.h"

#include <gtest/gtest.h>

#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using trace::TaskId;
using trace::Trace;

Waits waits_of(const Trace& trace) {
  const trace::ChipRun chip = trace::chip_run(trace);
  return wait_times(trace, chip, task_times(trace, chip));
}

TEST(Waits, EveryStageOfALifeIsMeasured) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  chip.edge(a, b);
  chip.submit(a, 0, 2);
  chip.submit(b, 2, 5);
  chip.run(0, a, {.dispatch = 6, .receive = 8, .start = 9, .end = 20, .finish = 24});
  chip.phase(0, "complete", 23, 30);
  chip.phase(0, "resolve", 25, 27);
  chip.run(0, b, {.dispatch = 33, .receive = 35, .start = 38, .end = 42, .finish = 47});
  chip.phase(0, "complete", 46, 50);  // nobody waits for B: no resolve
  const Trace trace = chip.finish();
  const Waits waits = waits_of(trace);
  ASSERT_EQ(waits.functions.size(), 2U);
  EXPECT_EQ(trace.text(waits.functions[0].function), "A");
  const StageStats& b_waits = waits.functions[1].waits;
  EXPECT_EQ(b_waits[Stage::kSubmitToReady].total, Ticks{15});
  EXPECT_EQ(b_waits[Stage::kReadyToDispatch].total, Ticks{13});
  EXPECT_EQ(b_waits[Stage::kDispatchToReceive].total, Ticks{2});
  EXPECT_EQ(b_waits[Stage::kReceiveToStart].total, Ticks{3});
  EXPECT_EQ(b_waits[Stage::kStartToEnd].total, Ticks{4});
  EXPECT_EQ(b_waits[Stage::kEndToFinish].total, Ticks{5});
  EXPECT_EQ(b_waits[Stage::kFinishToResolve].total, Ticks{3});
  EXPECT_EQ(waits.functions[0].waits[Stage::kFinishToResolve].total, Ticks{3});
  EXPECT_EQ(waits.overall[Stage::kStartToEnd].n, 2U);
  EXPECT_EQ(waits.overall[Stage::kStartToEnd].total, Ticks{15});
}

TEST(Waits, AnEarlyDispatchIsCountedApart) {
  ChipSketch chip(0, 2);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV", 1, trace::TaskFlag::kEarlyDispatch);
  chip.edge(a, b);
  chip.submit(a, 0, 2);
  chip.submit(b, 2, 4);
  chip.run(0, a, {.dispatch = 6, .start = 9, .end = 20, .finish = 24});
  chip.run(1, b, {.dispatch = 8, .start = 22, .end = 30, .finish = 31});
  const Waits waits = waits_of(chip.finish());
  EXPECT_EQ(waits.overall[Stage::kReadyToDispatch].n, 1U);
  EXPECT_EQ(waits.overall[Stage::kReadyToDispatch].negative, 1U);
  EXPECT_EQ(waits.overall[Stage::kReadyToDispatch].total, Ticks{4});
}

TEST(Waits, OnlyTheLastPartOfATaskIsResolved) {
  ChipSketch chip(0, 2, 2);
  const TaskId a = chip.task(0, "A", "AIV", 2);
  chip.run(0, a, {.dispatch = 0, .start = 2, .end = 10, .finish = 12});
  chip.run(1, a, {.dispatch = 0, .start = 2, .end = 14, .finish = 16});
  chip.phase(0, "complete", 11, 13);
  chip.phase(1, "complete", 15, 20);
  chip.phase(1, "resolve", 15, 16);  // ends with the finish: it may be the one
  const Waits waits = waits_of(chip.finish());
  EXPECT_EQ(waits.overall[Stage::kFinishToResolve].n, 1U);
  EXPECT_EQ(waits.overall[Stage::kFinishToResolve].total, Ticks{0});
}

TEST(Waits, AStageWithoutBothEndsHasNoFigures) {
  ChipSketch chip(0, 1, 0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId b = chip.task(1, "B", "AIV");
  chip.edge(a, b);  // without submissions, the producers' end alone is not "ready"
  chip.run(0, a, {.receive = 1, .start = 2, .end = 10});
  chip.run(0, b, {.start = 12, .end = 13});
  const Waits waits = waits_of(chip.finish());
  EXPECT_EQ(waits.overall[Stage::kSubmitToReady].n, 0U);
  EXPECT_EQ(waits.overall[Stage::kReadyToDispatch].n, 0U);
  EXPECT_EQ(waits.overall[Stage::kReceiveToStart].n, 1U);
  EXPECT_EQ(waits.overall[Stage::kStartToEnd].n, 2U);
  EXPECT_EQ(waits.overall[Stage::kFinishToResolve].n, 0U);
  EXPECT_TRUE(waits_of(ChipSketch(1, 1).finish()).functions.empty());
}

TEST(Waits, StagesHaveNames) {
  EXPECT_EQ(to_string(Stage::kSubmitToReady), "submit to ready");
  EXPECT_EQ(to_string(Stage::kFinishToResolve), "finish to resolve");
}

}  // namespace
}  // namespace accelscope::analysis::chip
