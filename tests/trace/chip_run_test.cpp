#include "trace/chip_run.h"

#include <gtest/gtest.h>

#include "support/chip_sketch.h"

namespace accelscope::trace {
namespace {

using tests::ChipSketch;

TEST(ChipRun, FindsCoresSchedulersAndOrchestrators) {
  ChipSketch sketch(1, 2, 2, 3);
  const Trace trace = sketch.finish();
  ASSERT_TRUE(is_chip_run(trace));
  const ChipRun chip = chip_run(trace);
  ASSERT_EQ(chip.cores.size(), 3U);
  EXPECT_EQ(chip.cores[0].engine, "AIC");
  EXPECT_EQ(chip.cores[2].engine, "AIV");
  EXPECT_EQ(chip.cores[1].number, 1);
  EXPECT_EQ(chip.cores[1].scheduler, chip.schedulers[1]);
  EXPECT_EQ(chip.schedulers.size(), 2U);
  EXPECT_EQ(chip.orchestrators.size(), 1U);
  EXPECT_EQ(chip.level, 3);
  EXPECT_FALSE(chip.orchestrated_on_host);
  EXPECT_TRUE(chip.clocks_compare);
}

TEST(ChipRun, OtherTracesAreNone) {
  tests::OneTrackSketch sketch;
  sketch.add("slice", 0, 1);
  EXPECT_FALSE(is_chip_run(sketch.finish()));
}

TEST(ChipRun, GivesEveryMomentOfADispatchThatWasRecorded) {
  ChipSketch sketch(0, 2);
  const TaskId task = sketch.task(7, "ADD", "AIV", 3);
  sketch.run(1, task, {.dispatch = 3, .receive = 4, .start = 5, .end = 9, .finish = 12});
  sketch.run(0, task, {.start = 1, .end = 2});
  sketch.run(1, task, {.dispatch = 8, .start = 20, .end = 30}, "MUL");
  const Trace trace = sketch.finish();
  const ChipRun chip = chip_run(trace);
  const std::vector<Dispatch> first = dispatches_of(trace, chip.cores[0].track);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_FALSE(is_known(first[0].dispatch));
  EXPECT_FALSE(is_known(first[0].receive));
  EXPECT_FALSE(is_known(first[0].finish));
  const std::vector<Dispatch> second = dispatches_of(trace, chip.cores[1].track);
  ASSERT_EQ(second.size(), 2U);
  EXPECT_EQ(second[0].dispatch, Ticks{3});
  EXPECT_EQ(second[0].receive, Ticks{4});
  EXPECT_EQ(second[0].start, Ticks{5});
  EXPECT_EQ(second[0].end, Ticks{9});
  EXPECT_EQ(second[0].finish, Ticks{12});
  EXPECT_EQ(second[1].dispatch, Ticks{8});
  EXPECT_FALSE(is_known(second[1].finish));
  EXPECT_EQ(trace.text(second[1].function), "MUL");
}

// More than one block of the walk and more than one chunk of the columns, with slices that are no dispatches.
TEST(ChipRun, AWalkGivesEveryDispatchOfACoreOnceAndInOrder) {
  constexpr std::int64_t kCount = 70'000;
  ChipSketch sketch(0, 2);
  const TaskId task = sketch.task(7, "ADD", "AIV", 3);
  for (std::int64_t i = 0; i < kCount; ++i) {
    const std::int64_t at = 10 * i;
    tests::SketchedTimes moments{.start = at + 3, .end = at + 5};
    if (i % 3 != 0) moments.dispatch = at;
    if (i % 5 != 0) moments.finish = at + 9;
    sketch.run(1, task, moments);
  }
  const Trace trace = sketch.finish();
  const ChipRun chip = chip_run(trace);
  std::int64_t i = 0;
  for (const Dispatch& dispatch : DispatchWalk(trace, chip.cores[1].track)) {
    ASSERT_EQ(dispatch.start, Ticks{10 * i + 3});
    ASSERT_EQ(dispatch.dispatch, i % 3 != 0 ? Ticks{10 * i} : kUnknownTime);
    ASSERT_EQ(dispatch.finish, i % 5 != 0 ? Ticks{10 * i + 9} : kUnknownTime);
    ++i;
  }
  EXPECT_EQ(i, kCount);
  EXPECT_EQ(dispatches_of(trace, chip.cores[1].track).size(), static_cast<std::size_t>(kCount));
  DispatchWalk nothing(trace, chip.cores[0].track);
  EXPECT_TRUE(nothing.next_block().empty());
}

TEST(ChipRun, AHostOrchestratorNeedsAMeasuredRelation) {
  const auto with_uncertainty = [](Ticks uncertainty) {
    ChipSketch sketch(0, 1);
    const ClockId host = sketch.add_clock("host", base::Frequency::nanoseconds());
    sketch.builder.track(sketch.orchestrator).clock = host;
    sketch.builder.add_clock_relation({.from = host,
                                       .to = sketch.clock,
                                       .samples = {},
                                       .knots = {{Ticks{0}, Ticks{10}}, {Ticks{5}, Ticks{15}}},
                                       .uncertainty = uncertainty});
    return chip_run(sketch.finish());
  };
  EXPECT_TRUE(with_uncertainty(Ticks{3}).clocks_compare);
  EXPECT_TRUE(with_uncertainty(Ticks{3}).orchestrated_on_host);
  EXPECT_FALSE(with_uncertainty(Ticks::max()).clocks_compare);
}

TEST(ChipRun, NamesTasksByRingAndPosition) {
  EXPECT_EQ(task_label(5), "t5");
  EXPECT_EQ(task_label((1ULL << 32U) | 7U), "r1t7");
}

}  // namespace
}  // namespace accelscope::trace
