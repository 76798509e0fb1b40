// What a measurement of the recorder's cost holds; never how long anything took.
#include "experiments/overhead.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/synthetic_task.h"

namespace accelscope::experiments {
namespace {

using capture::FileRecording;
using capture::RunPolicy;
using recorder::RecordKind;

std::unique_ptr<FileRecording> recording_at(device::DeviceMemory& memory, int level) {
  auto recording = FileRecording::begin(memory, {.path = "/dev/null",
                                                 .replace = true,
                                                 .facts = {.dfx_flags = dfx_flags_of_level(level),
                                                           .clock = base::Frequency::nanoseconds(),
                                                           .generation = 1,
                                                           .cores = {formats::capture::CoreType::kVector},
                                                           .scheduler_threads = 1,
                                                           .orchestrators = 1}});
  EXPECT_TRUE(recording) << recording.error().to_string();
  return recording ? *std::move(recording) : nullptr;
}

TEST(SyntheticTasks, LeaveWhatTheirLevelSays) {
  constexpr std::uint32_t kTasks = 1500;
  for (int level = 0; level <= kMaxChipSwimlaneLevel; ++level) {
    SCOPED_TRACE(level);
    const auto memory = device::mapped_memory();
    const auto recording = recording_at(*memory, level);
    ASSERT_NE(recording, nullptr);
    {
      MadeUpClock clock(1000);
      SyntheticTasks tasks(recording.get(), recording->dfx_flags(), clock);
      tasks.run(kTasks);
    }
    const capture::RecordingEnd end = recording->end();
    EXPECT_TRUE(end.file);
    EXPECT_TRUE(end.report.adds_up());
    std::uint64_t collected = 0;
    for (const capture::LaneReport& lane : end.report.lanes) {
      EXPECT_TRUE(lane.produced == 0 || lane.produced == kTasks) << capture::name_of(lane.kind);
      collected += lane.collected;
    }
    EXPECT_EQ(collected, std::uint64_t{kTasks} * shape_of_task(level).records);
  }
}

// Counts how often it is asked for the time.
struct CountingClock {
  std::uint64_t now() { return ++reads; }
  static void relax() {}
  static void work() {}
  std::uint64_t reads = 0;
};

TEST(SyntheticTasks, ReadTheClockAsOftenAsTheirLevelSays) {
  for (int level = 0; level <= kMaxChipSwimlaneLevel; ++level) {
    const auto memory = device::mapped_memory();
    const auto recording = recording_at(*memory, level);
    ASSERT_NE(recording, nullptr);
    CountingClock clock;
    {
      SyntheticTasks tasks(recording.get(), recording->dfx_flags(), clock);
      tasks.run(100);  // fewer than a buffer holds, so that nobody waits
    }
    EXPECT_EQ(clock.reads, 100 * shape_of_task(level).reads) << level;
  }
}

TEST(MadeUpClock, VariesAroundTheLengthAndIsTheSameEveryTime) {
  MadeUpClock first(1000);
  MadeUpClock second(1000);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t start = first.now();
    EXPECT_EQ(second.now(), start);
    first.work();
    second.work();
    const std::uint64_t end = first.now();
    EXPECT_EQ(second.now(), end);
    EXPECT_GE(end - start, 750U);
    EXPECT_LE(end - start, 1250U + 120);
  }
}

TEST(Overhead, HasEveryLevelAndPolicy) {
  std::chrono::milliseconds last{-1};
  const auto measured = measure_overhead(
      {.time = std::chrono::milliseconds(1), .progress = [&](std::chrono::milliseconds done) {
         EXPECT_GE(done, last);
         last = done;
       }});
  ASSERT_TRUE(measured) << measured.error().to_string();
  EXPECT_GE(last.count(), 0);
  EXPECT_GE(measured->rounds, 3U);
  EXPECT_TRUE(measured->counter.known());
  EXPECT_GT(measured->read.ns, 0);
  ASSERT_EQ(measured->costs.size(), 9U);
  for (std::size_t i = 0; i < measured->costs.size(); ++i) {
    const PolicyCost& cost = measured->costs[i];
    EXPECT_EQ(cost.level, static_cast<int>(i / 3) + 1);
    EXPECT_EQ(cost.policy, static_cast<RunPolicy>(i % 3));
    EXPECT_GT(cost.task.ns, 0);
    EXPECT_GT(cost.flooded.ns, 0);
    EXPECT_TRUE(std::isfinite(cost.task.spread) && cost.task.spread >= 0);
    EXPECT_TRUE(cost.lost >= 0 && cost.lost <= 1) << cost.lost;
    if (cost.policy == RunPolicy::kBlock) {
      EXPECT_EQ(cost.lost, 0);
    }
  }
}

TEST(Overhead, SaysHowManyBytesEveryLevelTakes) {
  const auto measured = measure_overhead({.time = std::chrono::milliseconds(1)});
  ASSERT_TRUE(measured) << measured.error().to_string();
  ASSERT_EQ(measured->bytes.size(), 4U);
  EXPECT_EQ(measured->bytes[0].buffers, 0U);
  EXPECT_EQ(measured->bytes[0].on_disk, 0);
  // Records of 32, 24 + 24 and 32 + 32 bytes, and their share of a header of 64.
  const double expected[] = {0, 32, 80, 144};
  for (std::size_t level = 0; level < measured->bytes.size(); ++level) {
    const LevelBytes& bytes = measured->bytes[level];
    EXPECT_EQ(bytes.level, static_cast<int>(level));
    EXPECT_GE(bytes.in_memory, expected[level]);
    EXPECT_LE(bytes.in_memory, expected[level] + 0.2);
    EXPECT_LE(bytes.on_disk, 16.0 * bytes.records);
    if (level == 0) continue;
    EXPECT_GT(bytes.on_disk, measured->bytes[level - 1].on_disk);
    EXPECT_GT(bytes.buffers, measured->bytes[level - 1].buffers);
  }
}

}  // namespace
}  // namespace accelscope::experiments
