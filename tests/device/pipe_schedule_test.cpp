#include "device/pipe_schedule.h"

#include <gtest/gtest.h>

#include <numeric>

#include "device/pipe_patterns.h"

namespace accelscope::device {
namespace {

using base::Cycles;
using formats::perfmon::bit_of;
using formats::perfmon::kPipes;

std::int64_t busy(const PipeSchedule& schedule, Pipe pipe) {
  return busy_of(schedule)[static_cast<std::size_t>(pipe)];
}

base::Result<PipeSchedule> read_schedule(std::string_view text) {
  return read_pipe_schedule(base::MappedFile::from_memory("kernel.pipes", text));
}

TEST(PipeSchedule, BecomesChangesAndMarksInTheOrderOfTime) {
  const PipeSchedule schedule{.length = 100,
                              .phases = {{Pipe::kVec, 20, 60}, {Pipe::kMte2, 0, 20}, {Pipe::kMte2, 20, 30}},
                              .marks = {{Pipe::kVec, 7, 20}, {Pipe::kSu, 1, 5}, {Pipe::kVec, 9, 100}}};
  ASSERT_TRUE(check(schedule));
  const PipeMask mte2 = bit_of(Pipe::kMte2);
  const PipeMask vec = bit_of(Pipe::kVec);
  const PipeMask both = mte2 | vec;
  const std::vector<PipeEvent> expected{
      {0, mte2}, {5, mte2, true, Pipe::kSu, 1}, {20, both}, {20, both, true, Pipe::kVec, 7}, {30, vec},
      {60, 0},   {100, 0, true, Pipe::kVec, 9}};
  EXPECT_EQ(events_of(schedule), expected);
  EXPECT_EQ(busy(schedule, Pipe::kMte2), 30);
}

TEST(PipeSchedule, OverlapsOfAPipeCountOnce) {
  const PipeSchedule schedule{.length = 10, .phases = {{Pipe::kVec, 0, 6}, {Pipe::kVec, 4, 8}}};
  EXPECT_EQ(busy(schedule, Pipe::kVec), 8);
  EXPECT_EQ(events_of(schedule).size(), 2U);
}

TEST(PipeSchedule, ScalesToTheTick) {
  PipeSchedule schedule{.length = 7};
  for (std::int64_t i = 0; i < 7; ++i)
    schedule.phases.push_back({i % 2 == 0 ? Pipe::kVec : Pipe::kMte2, i, i + 1});
  for (const std::int64_t length : {0L, 1L, 3L, 7L, 10L, 999'999'999'989L}) {
    const PipeSchedule call = scaled(schedule, Cycles{length});
    EXPECT_EQ(call.length, length);
    EXPECT_EQ(busy(call, Pipe::kVec) + busy(call, Pipe::kMte2), length);
    EXPECT_TRUE(length == 0 || check(call));
  }
  EXPECT_EQ(scaled(schedule, Cycles{7}), schedule);
}

TEST(PipeSchedule, FollowsUponAnother) {
  const PipeSchedule both = sequence(
      scalar_schedule(5), {.length = 10, .phases = {{Pipe::kVec, 1, 9}}, .marks = {{Pipe::kVec, 3, 1}}});
  EXPECT_EQ(both.length, 15);
  EXPECT_EQ(busy(both, Pipe::kSu), 5);
  EXPECT_EQ(both.phases.back(), (PipePhase{Pipe::kVec, 6, 14}));
  EXPECT_EQ(both.marks.back().at, 6);
}

TEST(PipeSchedule, IsReadAsItIsWritten) {
  PipeSchedule schedule = gemm_schedule({});
  schedule.marks = {{Pipe::kCube, 4095, 3}};
  base::MemoryOutput out;
  write_pipe_schedule(schedule, out);
  const auto again = read_schedule(out.bytes());
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(*again, schedule);
  EXPECT_EQ(read_schedule("# a kernel\r\n\nlength 4 # cycles\n  phase\tVEC 0 4\n").value().phases.size(), 1U);
}

TEST(PipeSchedule, MistakesAreNamedWithTheirLine) {
  const auto message = [](std::string_view text) { return read_schedule(text).error().to_string(); };
  EXPECT_EQ(message("length 4\nphase VECTOR 0 4\n"),
            "kernel.pipes:2: there is no pipe `VECTOR`; there are SU, VEC, CUBE, MTE1, MTE2, MTE3, FIXP");
  EXPECT_EQ(message("length 4\nlength 5\n"), "kernel.pipes:2: `length` is given twice");
  EXPECT_EQ(message("length 0\n"), "kernel.pipes:1: `length` must be above zero");
  EXPECT_EQ(message("length 4 5\n"), "kernel.pipes:1: `length` wants one integer");
  EXPECT_EQ(message("phase VEC 1\n"), "kernel.pipes:1: `phase` wants a pipe, a begin and an end");
  EXPECT_EQ(message("mark VEC 1 2 3\n"), "kernel.pipes:1: `mark` wants a pipe, an id and a time");
  EXPECT_EQ(message("mark VEC 4096 2\n"), "kernel.pipes:1: id 4096 is not from 0 to 4095");
  EXPECT_EQ(message("bubble VEC 1 2\n"), "kernel.pipes:1: `bubble` is none of `length`, `phase` and `mark`");
  EXPECT_EQ(message(""), "kernel.pipes: a schedule of length 0: from 1 to 1099511627776 is possible");
  EXPECT_EQ(message("length 4\nphase VEC 2 5\n"),
            "kernel.pipes: the phase of VEC from 2 to 5 is none within 0 to 4");
  EXPECT_EQ(message("length 4\nmark VEC 0 5\n"), "kernel.pipes: mark 0 at 5 is not within 0 to 4");
}

TEST(PipePatterns, DoubleBuffersOverlapWhatSingleOnesDoOneByOne) {
  const GemmTiles tiles{.tiles = 16};
  GemmTiles single_tiles = tiles;
  single_tiles.buffers = 1;
  const PipeSchedule twice = gemm_schedule(tiles);
  const PipeSchedule once = gemm_schedule(single_tiles);
  ASSERT_TRUE(check(twice) && check(once));
  EXPECT_EQ(busy_of(twice), busy_of(once)) << "the same work";
  EXPECT_EQ(busy(twice, Pipe::kCube), 16 * tiles.multiply);
  EXPECT_EQ(busy(twice, Pipe::kMte2), 16 * tiles.load);
  EXPECT_LT(twice.length, once.length);
  // The slowest stage sets the pace, the rest is the way in and out.
  EXPECT_EQ(twice.length,
            tiles.scalar + tiles.load + tiles.move + 16 * tiles.multiply + tiles.take_out + tiles.store);
}

TEST(PipePatterns, APipeWorksOnOneTileAtATime) {
  for (const std::uint32_t buffers : {1U, 2U, 3U}) {
    const PipeSchedule schedule = vector_schedule({.tiles = 9, .buffers = buffers});
    const auto summed = busy_of(schedule);
    std::array<std::int64_t, kPipes> phases = {};
    for (const PipePhase& phase : schedule.phases)
      phases[static_cast<std::size_t>(phase.pipe)] += phase.end - phase.begin;
    EXPECT_EQ(summed, phases) << "no two phases of a pipe overlap";
  }
}

}  // namespace
}  // namespace accelscope::device
