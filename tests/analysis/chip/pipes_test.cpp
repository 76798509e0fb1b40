// What the pipes did, by hand; and what must hold of any run.
#include "analysis/chip/pipes.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "analysis/chip/pipe_verdict.h"
#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using trace::SliceId;
using trace::TaskId;
using trace::Trace;

PipeTimes pipe_times_of(const Trace& trace) {
  return pipe_times(trace, trace::chip_run(trace));
}

Ticks sum(const PipeUse& use) {
  return std::accumulate(use.in_mask.begin(), use.in_mask.end(), Ticks{});
}

unsigned mask(std::initializer_list<std::size_t> pipes) {
  unsigned result = 0;
  for (const std::size_t pipe : pipes) result |= 1U << pipe;
  return result;
}

TEST(PipeTimes, DivideThePartByWhatIsBusy) {
  ChipSketch chip(1, 0);
  const TaskId gemm = chip.task(1, "GEMM", "AIC");
  const SliceId part = chip.run(0, gemm, {.start = 100, .end = 200});
  chip.pipe(0, kSu, 105, 110, part);
  chip.pipe(0, kMte2, 110, 150, part);
  chip.pipe(0, kCube, 140, 180, part);
  chip.pipe(0, kMte2, 160, 170, part);
  const Trace trace = chip.finish();
  const PipeTimes times = pipe_times_of(trace);
  ASSERT_TRUE(times.recorded);
  ASSERT_EQ(times.functions.size(), 1U);
  EXPECT_EQ(times.full, 1U);
  const PipeUse& use = times.functions[0].use;
  EXPECT_EQ(use.duration, Ticks{100});
  EXPECT_EQ(sum(use), use.duration);
  EXPECT_EQ(use.in_mask[0], Ticks{5 + 20});
  EXPECT_EQ(use.in_mask[mask({kSu})], Ticks{5});
  EXPECT_EQ(use.in_mask[mask({kMte2})], Ticks{30});
  EXPECT_EQ(use.in_mask[mask({kMte2, kCube})], Ticks{10 + 10});
  EXPECT_EQ(use.in_mask[mask({kCube})], Ticks{10 + 10});
  EXPECT_EQ(use.busy(kMte2), Ticks{50});
  EXPECT_EQ(use.busy(kCube), Ticks{40});
  EXPECT_DOUBLE_EQ(use.overlap(kMte2, kCube), 0.4);
  EXPECT_DOUBLE_EQ(use.overlap(kCube, kMte2), 0.5);
  EXPECT_EQ(use.busiest(), kMte2);
  EXPECT_EQ(use.bubbles(), Ticks{30});
  const TickStats& bubbles = times.functions[0].bubbles;
  EXPECT_EQ(bubbles.n, 2U) << "100 to 110, SU included, and 180 to 200";
  EXPECT_EQ(bubbles.total, Ticks{30});
  EXPECT_DOUBLE_EQ(bubbles.p50, 15);
  EXPECT_EQ(bubbles.max, Ticks{20});
  ASSERT_EQ(times.longest.size(), 1U);
  EXPECT_EQ(times.longest[0].busy[kMte2], Ticks{50});
  EXPECT_EQ(times.longest[0].bubbles, Ticks{30});
  EXPECT_EQ(times.longest[0].longest_bubble, Ticks{20});
}

TEST(PipeTimes, WhatLiesBeyondThePartIsOutsideAndWhatIsNobodysCountsNowhere) {
  ChipSketch chip(1, 0);
  const TaskId gemm = chip.task(1, "GEMM", "AIC");
  const SliceId part = chip.run(0, gemm, {.start = 100, .end = 200});
  chip.pipe(0, kMte2, 90, 120, part);
  chip.pipe(0, kFixp, 190, 230, part);
  chip.pipe(0, kVec, 20, 60);
  const PipeTimes times = pipe_times_of(chip.finish());
  const PipeUse& use = times.functions[0].use;
  EXPECT_EQ(sum(use), Ticks{100});
  EXPECT_EQ(use.busy(kMte2), Ticks{20});
  EXPECT_EQ(use.busy(kFixp), Ticks{10});
  EXPECT_EQ(use.busy(kVec), Ticks{0});
  EXPECT_EQ(use.outside, Ticks{10 + 30});
  EXPECT_EQ(times.functions[0].bubbles.n, 1U);
  EXPECT_EQ(times.functions[0].bubbles.total, Ticks{70});
}

TEST(PipeTimes, PartsWithoutAllOfTheirDataAreCountedByReasonAndNotElse) {
  ChipSketch chip(1, 1);
  const TaskId a = chip.task(1, "A", "AIC");
  const SliceId whole = chip.run(0, a, {.start = 0, .end = 10});
  const SliceId cut = chip.run(0, a, {.start = 20, .end = 30});
  chip.run(0, a, {.start = 40, .end = 50});
  chip.run(0, a, {.start = 60, .end = 70});
  chip.run(1, a, {.start = 0, .end = 10});
  chip.pipe(0, kCube, 0, 4, whole);
  chip.pipe(0, kCube, 20, 25, cut);
  chip.pipe_gap(0, 25, 50, "overwritten");
  chip.pipe_gap(0, 60, 70, "unit");
  const Trace trace = chip.finish();
  const PipeTimes times = pipe_times_of(trace);
  EXPECT_EQ(times.full, 1U);
  EXPECT_EQ(times.partial, 1U);
  EXPECT_EQ(times.without, 2U);
  EXPECT_EQ(times.not_asked, 1U) << "the pipes of the other core were not recorded";
  ASSERT_EQ(times.missing.size(), 2U);
  EXPECT_EQ(trace.text(times.missing[0].cause), "overwritten");
  EXPECT_EQ(times.missing[0].partial, 1U);
  EXPECT_EQ(times.missing[0].without, 1U);
  EXPECT_EQ(times.missing[1].without, 1U);
  EXPECT_EQ(times.functions[0].use.duration, Ticks{10});
  EXPECT_EQ(times.functions[0].use.busy(kCube), Ticks{4});
}

TEST(PipeTimes, ARunWithoutPipesHasNone) {
  ChipSketch chip(1, 0);
  chip.run(0, chip.task(1, "A", "AIC"), {.start = 0, .end = 10});
  const PipeTimes times = pipe_times_of(chip.finish());
  EXPECT_FALSE(times.recorded);
  EXPECT_EQ(times.full, 0U);
}

TEST(PipeTimes, OnePipeThatTakesOverFromAnotherLeavesNoBubble) {
  ChipSketch chip(1, 0);
  const SliceId part = chip.run(0, chip.task(1, "A", "AIC"), {.start = 0, .end = 30});
  chip.pipe(0, kCube, 10, 20, part);
  chip.pipe(0, kMte2, 0, 10, part);
  chip.pipe(0, kFixp, 20, 30, part);
  const PipeTimes times = pipe_times_of(chip.finish());
  EXPECT_EQ(times.functions[0].bubbles.n, 0U);
  EXPECT_EQ(times.functions[0].use.bubbles(), Ticks{0});
}

// Against a count of every single tick.
TEST(PipeTimes, AreThoseOfEverySingleTick) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    ChipSketch chip(1, 0);
    const TaskId a = chip.task(1, "A", "AIC");
    std::array<Ticks, kPipeMasks> expected = {};
    Ticks outside = {};
    Ticks bubble_ticks = {};
    std::int64_t at = 10;
    for (int i = 0; i < 5; ++i) {
      const std::int64_t start = at;
      const std::int64_t end = start + 20 + static_cast<std::int64_t>(random() % 60);
      const SliceId part = chip.run(0, a, {.start = start, .end = end});
      std::vector<unsigned> ticks(static_cast<std::size_t>(end - start));
      for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
        std::int64_t from = start - 5 + static_cast<std::int64_t>(random() % 10);
        while (from < end) {
          const std::int64_t to = from + static_cast<std::int64_t>(random() % 15);
          chip.pipe(0, pipe, from, to, part);
          for (std::int64_t tick = from; tick < to; ++tick) {
            if (tick < start || tick >= end)
              outside += Ticks{1};
            else
              ticks[static_cast<std::size_t>(tick - start)] |= 1U << pipe;
          }
          from = to + 1 + static_cast<std::int64_t>(random() % 15);
        }
      }
      for (const unsigned tick : ticks) {
        expected[tick] += Ticks{1};
        if ((tick & ~1U) == 0) bubble_ticks += Ticks{1};
      }
      at = end + 30;
    }
    const PipeTimes times = pipe_times_of(chip.finish());
    ASSERT_EQ(times.full, 5U);
    const FunctionPipes& function = times.functions[0];
    EXPECT_EQ(function.use.in_mask, expected);
    EXPECT_EQ(function.use.outside, outside);
    EXPECT_EQ(function.use.bubbles(), bubble_ticks);
    EXPECT_EQ(function.bubbles.total, bubble_ticks);
    EXPECT_EQ(sum(function.use), function.use.duration);
    for (const PartPipes& part : times.longest)
      for (const Ticks busy : part.busy) EXPECT_LE(busy, part.duration);
  }
}

TEST(PipeTimes, KeepTheLongestParts) {
  ChipSketch chip(1, 0);
  const TaskId a = chip.task(1, "A", "AIC");
  std::int64_t at = 0;
  for (int i = 0; i < 250; ++i) {
    const std::int64_t length = 1 + (i * 77) % 251;
    chip.run(0, a, {.start = at, .end = at + length});
    at += length + 1;
  }
  chip.record_pipes(0);
  const PipeTimes times = pipe_times_of(chip.finish());
  ASSERT_EQ(times.longest.size(), kMostParts);
  for (std::size_t i = 0; i + 1 < kMostParts; ++i)
    EXPECT_GE(times.longest[i].duration, times.longest[i + 1].duration);
  EXPECT_EQ(times.longest.front().duration, Ticks{251});
  EXPECT_EQ(times.full, 250U);
}

PipeUse use_of(Ticks duration, std::initializer_list<std::pair<unsigned, std::int64_t>> masks) {
  PipeUse use{.duration = duration};
  Ticks left = duration;
  for (const auto& [pipes, ticks] : masks) {
    use.in_mask[pipes] += Ticks{ticks};
    left = left - Ticks{ticks};
  }
  use.in_mask[0] += left;
  return use;
}

TEST(PipeVerdict, NamesWhatLimits) {
  const auto text = [](const PipeUse& use) { return verdicts_on(use, "2 a part").front().text; };
  EXPECT_EQ(text(use_of(Ticks{1000}, {{mask({kCube}), 500}, {mask({kCube, kMte2}), 430}})),
            "CUBE is busy 93.0 %: the kernel is bound by the cube; nothing to gain from overlap.");
  EXPECT_EQ(
      text(use_of(Ticks{1000}, {{mask({kMte2}), 713}, {mask({kCube, kMte2}), 97}, {mask({kCube}), 150}})),
      "MTE2 is busy 81.0 % and overlaps CUBE only 12.0 %: double-buffer the loads.");
  EXPECT_EQ(
      text(use_of(Ticks{1000}, {{mask({kVec}), 900}})),
      "VEC is busy 90.0 %: the kernel is bound by the vector unit; nothing to gain from overlap, only from "
      "fewer or wider vector instructions.");
  EXPECT_EQ(text(use_of(Ticks{1000}, {{mask({kMte3}), 880}, {mask({kMte3, kVec}), 20}})),
            "MTE3 is busy 90.0 %: the kernel is bound by the stores; store less, or fuse what reads it.");
  EXPECT_EQ(text(use_of(Ticks{1000}, {{mask({kFixp}), 500}, {mask({kCube}), 400}})),
            "FIXP is busy 50.0 % and overlaps CUBE only 0.0 %: double-buffer the results.");
  EXPECT_EQ(text(use_of(Ticks{1000}, {{mask({kVec}), 600}, {mask({kSu}), 100}})),
            "No pipe is busy 40.0 % of the time, in bubbles (2 a part); SU is busy in 25.0 % of them: "
            "synchronisation: the scalar unit waits, too, for flags, barriers or memory.");
  EXPECT_EQ(text(use_of(Ticks{1000}, {{mask({kVec}), 600}, {mask({kSu}), 300}})),
            "No pipe is busy 40.0 % of the time, in bubbles (2 a part); SU is busy in 75.0 % of them: scalar "
            "overhead: move address arithmetic out of loops, or give each instruction more work.");
  EXPECT_EQ(verdicts_on(use_of(Ticks{1000}, {{mask({kVec, kMte2}), 800}}), "").front().kind,
            PipeVerdict::Kind::kMixed);
  EXPECT_EQ(verdicts_on(use_of(Ticks{1000}, {{mask({kSu}), 800}}), "").front().kind,
            PipeVerdict::Kind::kIdle);
}

TEST(PipeVerdict, WhatCostsMostComesFirst) {
  // 300 of 1000 in bubbles, and 350 that could overlap.
  const std::vector<PipeVerdict> verdicts =
      verdicts_on(use_of(Ticks{1000}, {{mask({kMte2}), 350}, {mask({kCube}), 350}}), "");
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_EQ(verdicts[0].kind, PipeVerdict::Kind::kOverlap);
  EXPECT_DOUBLE_EQ(verdicts[0].cost, 0.35);
  EXPECT_EQ(verdicts[1].kind, PipeVerdict::Kind::kBubbles);
  EXPECT_DOUBLE_EQ(verdicts[1].cost, 0.3);
}

}  // namespace
}  // namespace accelscope::analysis::chip
