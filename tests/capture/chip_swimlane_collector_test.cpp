#include "capture/chip_swimlane_collector.h"

#include <gtest/gtest.h>

#include <map>

#include "capture/recorded_chip.h"

namespace accelscope::capture {
namespace {

using recorder::DropReason;
using recorder::RecordKind;
using tests::run_chip;

// How many records of each kind came.
struct Counts {
  std::map<RecordKind, std::uint64_t> records;
  TakeRecords take() {
    return [this](const recorder::BufferHeader& header, std::span<const std::byte>) {
      records[header.kind] += header.count;
      return base::Status();
    };
  }
};

ChipSwimlaneOptions options_for(std::uint64_t flags, RunPolicy policy = RunPolicy::kBlock) {
  return {.dfx_flags = flags,
          .producers = {.cores = 2, .scheduler_threads = 1, .orchestrators = 1},
          .clock = base::Frequency::mhz(1),
          .policy = policy};
}

TEST(ChipSwimlaneCollector, LevelsContainWhatTheyShouldAndNothingMore) {
  for (int level = 0; level <= kMaxChipSwimlaneLevel; ++level) {
    const auto memory = device::mapped_memory();
    Counts counts;
    const auto collector =
        ChipSwimlaneCollector::make(*memory, options_for(dfx_flags_of_level(level)), counts.take());
    ASSERT_TRUE(collector && (*collector)->start());
    run_chip(**collector, 100);
    const CollectorReport report = (*collector)->stop();
    EXPECT_TRUE(report.adds_up());
    EXPECT_TRUE(report.remarks.empty());
    EXPECT_EQ(counts.records, tests::records_of_level(level, 100)) << "level " << level;
    EXPECT_EQ(memory->allocated_bytes() == 0, level == 0);
  }
}

TEST(ChipSwimlaneCollector, LimitsAreInTicksOfTheDevice) {
  const auto memory = device::mapped_memory();
  ChipSwimlaneOptions options = options_for(kDfxCoreTiming, RunPolicy::kDrop);
  options.clock = base::Frequency::mhz(50);
  options.wait_limit = std::chrono::milliseconds(3);
  options.generation = 9;
  Counts counts;
  const auto collector = ChipSwimlaneCollector::make(*memory, options, counts.take());
  ASSERT_TRUE(collector);
  const auto parts = (*collector)->producer(RecordKind::kCoreTask, 1);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->config.wait_limit, 150'000U);
  EXPECT_EQ(parts->config.producer, 1U);
  EXPECT_EQ(parts->config.generation, 9U);
  EXPECT_EQ(parts->config.policy, recorder::Policy::kDrop);
  EXPECT_EQ(parts->buffers.records, 1024U);
  EXPECT_FALSE((*collector)->producer(RecordKind::kCoreTask, 2));
  EXPECT_FALSE((*collector)->producer(RecordKind::kSchedulerPhase, 0));
}

TEST(ChipSwimlaneCollector, OverwriteKeepsTheLastAndSavesOnDemand) {
  const auto memory = device::mapped_memory();
  ChipSwimlaneOptions options = options_for(kDfxCoreTiming, RunPolicy::kOverwrite);
  options.buffers = {{RecordKind::kCoreTask, {.records = 16, .per_lane = 8}}};
  options.keep_bytes = base::Bytes{10'000};
  Counts counts;
  const auto collector = ChipSwimlaneCollector::make(*memory, options, counts.take());
  ASSERT_TRUE(collector && (*collector)->start());
  run_chip(**collector, 20'000, std::chrono::microseconds(100));
  Counts in_between;
  const auto saved = (*collector)->save(in_between.take());
  ASSERT_TRUE(saved);
  for (const LaneReport& lane : saved->lanes) EXPECT_TRUE(lane.adds_up());
  EXPECT_TRUE(counts.records.empty()) << "the sink gets what is kept in the end";
  const CollectorReport report = (*collector)->stop();
  EXPECT_TRUE(report.adds_up());
  const LaneReport& lane = report.lanes[1];
  EXPECT_EQ(lane.produced, 20'000U);
  EXPECT_EQ(lane.collected, counts.records[RecordKind::kCoreTask]);
  EXPECT_GT(lane.collected, 0U);
  EXPECT_LT(lane.collected, 10'000U / sizeof(recorder::CoreTaskRecord));
  EXPECT_GT(lane.dropped[static_cast<std::size_t>(DropReason::kOverwritten)], 0U);
  EXPECT_TRUE(tests::has_remark(report, "collector.dropped"));
}

TEST(ChipSwimlaneCollector, AFullDiskAtTheEndOfAFlightIsSaid) {
  const auto memory = device::mapped_memory();
  const auto collector = ChipSwimlaneCollector::make(
      *memory, options_for(kDfxCoreTiming, RunPolicy::kOverwrite),
      [](const auto&, auto) -> base::Status { return base::fail(base::ErrorCode::kWriteFailed, "full"); });
  ASSERT_TRUE(collector && (*collector)->start());
  run_chip(**collector, 100);
  const CollectorReport report = (*collector)->stop();
  EXPECT_TRUE(report.sink_failed && report.adds_up());
  EXPECT_TRUE(tests::has_remark(report, "collector.sink_failed"));
}

TEST(ChipSwimlaneCollector, RefusesWhatMakesNoSense) {
  const auto memory = device::mapped_memory();
  const auto message_of = [&](const ChipSwimlaneOptions& options) {
    const auto made = ChipSwimlaneCollector::make(*memory, options, {});
    return made ? std::string() : made.error().message;
  };
  EXPECT_EQ(message_of(options_for(kDfxPmu)), "");
  EXPECT_NE(message_of(options_for(std::uint64_t{1} << 40U)).find("0x10000000000"), std::string::npos);
  ChipSwimlaneOptions options = options_for(kDfxPmu);
  options.clock = base::Frequency::unknown();
  EXPECT_NE(message_of(options), "");
  options = options_for(kDfxPmu);
  options.producers = {};
  EXPECT_NE(message_of(options), "");
  options = options_for(kDfxPmu);
  options.wait_limit = std::chrono::milliseconds(0);
  EXPECT_NE(message_of(options), "");
  options = options_for(kDfxPmu, RunPolicy::kOverwrite);
  options.keep_bytes = base::Bytes{0};
  EXPECT_NE(message_of(options), "");
  options = options_for(kDfxPmu);
  options.watermarks.low = 9;
  EXPECT_NE(message_of(options), "");
  EXPECT_EQ(memory->allocated_bytes(), 0U);
  const auto dropping = ChipSwimlaneCollector::make(*memory, options_for(kDfxPmu, RunPolicy::kDrop), {});
  ASSERT_TRUE(dropping);
  EXPECT_FALSE((*dropping)->save({}));
}

TEST(RunPolicy, HasNames) {
  for (const RunPolicy policy : {RunPolicy::kBlock, RunPolicy::kDrop, RunPolicy::kOverwrite})
    EXPECT_EQ(run_policy(name_of(policy)), policy);
  EXPECT_EQ(name_of(RunPolicy::kOverwrite), "overwrite");
  EXPECT_FALSE(run_policy("hope"));
}

}  // namespace
}  // namespace accelscope::capture
