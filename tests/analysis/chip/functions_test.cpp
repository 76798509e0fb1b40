#include "analysis/chip/functions.h"

#include <gtest/gtest.h>

#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using trace::TaskId;
using trace::Trace;

FunctionTimes times_of(const Trace& trace) {
  return function_times(trace, trace::chip_run(trace));
}

TEST(FunctionTimes, SumsAreExactAndTheBusiestComesFirst) {
  ChipSketch chip(1, 1);
  const TaskId add = chip.task(0, "ADD", "AIV");
  const TaskId mix = chip.task(1, "MIX", "MIX");
  chip.run(1, add, {.dispatch = 0, .receive = 3, .start = 5, .end = 15, .finish = 18});
  chip.run(1, add, {.dispatch = 10, .receive = 16, .start = 20, .end = 40, .finish = 41});
  chip.run(0, mix, {.dispatch = 0, .receive = 1, .start = 2, .end = 52, .finish = 60});
  chip.run(1, mix, {.dispatch = 42, .receive = 43, .start = 44, .end = 64, .finish = 66});
  const Trace trace = chip.finish();
  const FunctionTimes times = times_of(trace);
  ASSERT_EQ(times.functions.size(), 2U);
  const FunctionTime& first = times.functions[0];
  EXPECT_EQ(trace.text(first.function), "MIX");
  EXPECT_EQ(first.engines, (std::vector<std::string_view>{"AIC", "AIV"}));
  EXPECT_EQ(first.exec.total, Ticks{70});
  EXPECT_DOUBLE_EQ(first.exec_share, 0.7);
  const FunctionTime& second = times.functions[1];
  EXPECT_EQ(second.count, 2U);
  EXPECT_EQ(second.exec.total, Ticks{30});
  EXPECT_DOUBLE_EQ(second.exec.p50, 15);
  EXPECT_EQ(second.latency.total, Ticks{18 + 31});
  EXPECT_EQ(second.head.total, Ticks{5 + 10});
  EXPECT_EQ(second.head.max, Ticks{10});
  EXPECT_EQ(second.tail.total, Ticks{3 + 1});
  EXPECT_EQ(second.propagation.total, Ticks{3 + 6});
  EXPECT_EQ(second.local_setup.total, Ticks{2 + 4});
  EXPECT_EQ(times.total.count, 4U);
  EXPECT_EQ(times.total.exec.total, Ticks{100});
  EXPECT_EQ(times.total.exec.max, Ticks{50});
}

TEST(FunctionTimes, AHeadIsIdleOnlyWhereItsCoreHasNothingElseToDo) {
  ChipSketch chip(0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  const TaskId early = chip.task(1, "A", "AIV", 1, trace::TaskFlag::kEarlyDispatch);
  chip.run(0, a, {.dispatch = 0, .start = 4, .end = 20, .finish = 21});
  chip.run(0, a, {.dispatch = 5, .start = 22, .end = 30, .finish = 31});
  chip.run(0, a, {.dispatch = 40, .start = 47, .end = 50, .finish = 51});
  chip.run(0, early, {.dispatch = 60, .start = 90, .end = 99, .finish = 99});
  const FunctionTimes times = times_of(chip.finish());
  EXPECT_EQ(times.functions[0].head.total, Ticks{4 + 17 + 7 + 30});
  EXPECT_EQ(times.functions[0].idle_head.total, Ticks{4 + 2 + 7});
  EXPECT_EQ(times.functions[0].idle_head.n, 3U);
  EXPECT_EQ(times.total.idle_head.total, Ticks{13});
}

TEST(FunctionTimes, WhatWasNotRecordedIsAbsent) {
  ChipSketch chip(0, 1, 0, 1);
  const TaskId a = chip.task(0, "A", "AIV");
  chip.run(0, a, {.start = 5, .end = 15});
  chip.run(0, a, {.receive = 16, .start = 18, .end = 20});
  const FunctionTimes times = times_of(chip.finish());
  ASSERT_EQ(times.functions.size(), 1U);
  EXPECT_EQ(times.functions[0].exec.n, 2U);
  EXPECT_EQ(times.functions[0].head.n, 0U);
  EXPECT_EQ(times.functions[0].idle_head.n, 0U);
  EXPECT_EQ(times.functions[0].latency.n, 0U);
  EXPECT_EQ(times.functions[0].tail.n, 0U);
  EXPECT_EQ(times.functions[0].propagation.n, 0U);
  EXPECT_EQ(times.functions[0].local_setup.n, 1U);
}

TEST(FunctionTimes, EqualsAreOrderedByName) {
  ChipSketch chip(0, 1);
  chip.run(0, chip.task(0, "B", "AIV"), {.start = 5, .end = 15});
  chip.run(0, chip.task(1, "A", "AIV"), {.start = 15, .end = 25});
  const Trace trace = chip.finish();
  const FunctionTimes times = times_of(trace);
  EXPECT_EQ(trace.text(times.functions[0].function), "A");
  EXPECT_TRUE(times_of(ChipSketch(1, 1).finish()).functions.empty());
}

}  // namespace
}  // namespace accelscope::analysis::chip
