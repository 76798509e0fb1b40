// What a collector does when its sink, its threads or its producers fail: the run goes on, what was taken
// before is kept, the account adds up, and the report says what happened.
#include <gtest/gtest.h>

#include "accelscope/recorder/recorders.h"
#include "capture/collector.h"
#include "capture/producers.h"

namespace accelscope::capture {
namespace {

using recorder::DropReason;
using recorder::LaneState;
using recorder::Policy;
using recorder::RecordKind;
using tests::Arrived;
using tests::edges;
using tests::End;
using tests::FaultyMemory;
using tests::has_remark;
using tests::produce;
using tests::remark;
using namespace std::chrono_literals;

std::uint64_t dropped(const LaneReport& lane, DropReason reason) {
  return lane.dropped[static_cast<std::size_t>(reason)];
}

// Runs two producers to their end.
CollectorReport run(device::DeviceMemory& memory, Arrived& arrived, std::uint64_t records, Policy policy,
                    CollectorOptions options = {}) {
  const auto collector = Collector::make(memory, {edges({0, 1})}, options, arrived.take());
  EXPECT_TRUE((*collector)->start());
  std::thread first([&] { produce(**collector, 0, records, policy); });
  std::thread second([&] { produce(**collector, 1, records, policy); });
  first.join();
  second.join();
  return (*collector)->stop();
}

void expect_prefixes(const CollectorReport& report, const Arrived& arrived) {
  EXPECT_EQ(arrived.phantoms, 0U);
  for (const LaneReport& lane : report.lanes) {
    EXPECT_TRUE(lane.adds_up()) << name_of(lane);
    const auto found = arrived.numbers.find(lane.producer);
    EXPECT_EQ(found == arrived.numbers.end() ? 0 : found->second.size(), lane.collected);
  }
}

// The managing thread dies with its first look, and the memory fails once more at the end.
TEST(CollectorFaults, WhatIsLeftIsFinishedDespiteAnotherFault) {
  FaultyMemory memory(device::mapped_memory());
  memory.load_at = 0;
  memory.read_at = 0;
  Arrived arrived;
  const CollectorReport report = run(memory, arrived, 100, Policy::kBlock);
  EXPECT_TRUE(report.manager_died);
  EXPECT_TRUE(report.collector_died);
  expect_prefixes(report, arrived);
}

TEST(CollectorFaults, AFullDiskStopsNobody) {
  for (const bool by_exception : {false, true}) {
    const auto memory = device::mapped_memory();
    Arrived arrived;
    arrived.fail_at = 7;
    arrived.by_exception = by_exception;
    const CollectorReport report = run(*memory, arrived, 1000, Policy::kBlock);
    EXPECT_TRUE(report.sink_failed);
    ASSERT_TRUE(report.error);
    EXPECT_EQ(report.error->message, by_exception ? "the sink: disk on fire" : "No space left on device");
    EXPECT_EQ(arrived.calls, 8U) << "a sink that has failed is not called again";
    expect_prefixes(report, arrived);
    std::uint64_t collected = 0;
    for (const LaneReport& lane : report.lanes) {
      EXPECT_EQ(lane.produced, 1000U);
      EXPECT_EQ(dropped(lane, DropReason::kSinkFailed), 1000 - lane.collected);
      collected += lane.collected;
    }
    EXPECT_EQ(collected, 7U * 8U) << "what was written before is kept";
    EXPECT_NE(remark(report, "collector.sink_failed").find(report.error->message), std::string::npos);
  }
}

TEST(CollectorFaults, ACollectingThreadThatEndsIsReplaced) {
  FaultyMemory memory(device::copied_memory());
  memory.read_at = 5;
  Arrived arrived;
  const CollectorReport report = run(memory, arrived, 1000, Policy::kBlock);
  EXPECT_TRUE(report.collector_died);
  EXPECT_FALSE(report.sink_failed);
  ASSERT_TRUE(report.error);
  EXPECT_EQ(report.error->message, "the collecting thread: bus error");
  expect_prefixes(report, arrived);
  for (const LaneReport& lane : report.lanes) EXPECT_EQ(lane.produced, 1000U);
  EXPECT_EQ(report.lanes[0].collected + report.lanes[1].collected, 5U * 8U);
  EXPECT_NE(remark(report, "collector.thread_ended").find("collecting"), std::string::npos);
}

TEST(CollectorFaults, AManagingThreadThatEndsLetsProducersGo) {
  FaultyMemory memory(device::mapped_memory());
  memory.load_at = 200;
  Arrived arrived;
  const CollectorReport report = run(memory, arrived, 20000, Policy::kBlock);
  EXPECT_TRUE(report.manager_died);
  expect_prefixes(report, arrived);
  for (const LaneReport& lane : report.lanes) {
    EXPECT_EQ(lane.produced, 20000U);
    EXPECT_TRUE(lane.flushed());
    EXPECT_GT(lane.collected, 0U) << "what had been handed over is collected in the end";
    EXPECT_GT(dropped(lane, DropReason::kStopped) + dropped(lane, DropReason::kNoBuffer), 0U);
  }
  EXPECT_NE(remark(report, "collector.thread_ended").find("managing"), std::string::npos);
}

TEST(CollectorFaults, AProducerThatNeverFlushesIsNamed) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  const auto collector =
      Collector::make(*memory, {edges({4, 5})}, {.limits = {.flush = 20ms}}, arrived.take());
  ASSERT_TRUE(collector && (*collector)->start());
  produce(**collector, 4, 13, Policy::kDrop, End::kNoFlush);
  produce(**collector, 5, 5, Policy::kDrop);
  const CollectorReport report = (*collector)->stop();
  EXPECT_TRUE(report.flush_limit_fired);
  EXPECT_EQ(report.lanes[0].unfinished_records, 8U);
  EXPECT_TRUE(report.adds_up()) << "what was handed over";
  EXPECT_EQ(
      remark(report, "collector.not_flushed"),
      "Producer 4 (edge) did not flush within 20.00 ms of the end. It had handed over 8 records in 1 "
      "buffers, which are kept; it stopped in the middle of a buffer, and up to 8 records in it are lost.");
  EXPECT_EQ(report.remarks.size(), 1U);
}

// It goes on for as long as the collector is there, and longer.
TEST(CollectorFaults, AProducerThatGoesOnDoesNotHoldUpTheEnd) {
  for (const Policy policy : {Policy::kDrop, Policy::kBlock}) {
    const auto memory = device::mapped_memory();
    Arrived arrived;
    const auto collector = Collector::make(*memory, {edges({0})}, {.limits = {.flush = 5ms}}, arrived.take());
    ASSERT_TRUE(collector && (*collector)->start());
    std::atomic<bool> enough = false;
    std::thread producer([&] {
      const auto parts = (*collector)->writer_parts(RecordKind::kEdge, 0);
      tests::CountingPlatform platform;
      tests::EdgeWriter writer(*parts->lane, *parts->gate, parts->buffers,
                               {.generation = 1, .policy = policy, .wait_limit = ~std::uint64_t{0}},
                               platform);
      for (std::uint64_t number = 0; !enough.load(std::memory_order_relaxed); ++number)
        writer.put(tests::patterned(0, number));
    });
    while ((*collector)->writer_parts(RecordKind::kEdge, 0)->lane->state.load() != LaneState::kRecording)
      std::this_thread::yield();
    const CollectorReport report = (*collector)->stop();
    enough.store(true, std::memory_order_relaxed);
    producer.join();
    const LaneReport& lane = report.lanes[0];
    EXPECT_FALSE(lane.flushed());
    EXPECT_TRUE(has_remark(report, "collector.not_flushed"));
    EXPECT_EQ(arrived.phantoms, 0U);
    EXPECT_EQ(arrived.numbers[0].size(), lane.collected);
    EXPECT_LE(lane.collected + lane.all_dropped(), lane.produced);
    EXPECT_EQ(lane.collected + lane.all_dropped() + lane.missing(), lane.produced);
  }
}

// Whenever the manager looks, there is another full buffer.
TEST(CollectorFaults, AProducerThatIsAlwaysFasterDoesNotHoldUpTheEnd) {
  FaultyMemory memory(device::mapped_memory());
  Arrived arrived;
  const auto collector = Collector::make(memory, {edges({0})}, {.limits = {.flush = 5ms}}, arrived.take());
  ASSERT_TRUE(collector);
  const auto parts = (*collector)->writer_parts(RecordKind::kEdge, 0);
  tests::CountingPlatform platform;
  tests::EdgeWriter writer(*parts->lane, *parts->gate, parts->buffers,
                           {.generation = 1, .policy = Policy::kDrop}, platform);
  std::uint64_t number = 0;
  std::uint32_t left = 0;
  std::uint32_t supplied_after_the_end = 0;
  memory.on_load = [&] {
    if (parts->gate->stopped.load() != 0) supplied_after_the_end += parts->lane->free.size() - left;
    for (int i = 0; i < 8; ++i) writer.put(tests::patterned(0, number++));
    left = parts->lane->free.size();
    std::this_thread::sleep_for(300us);  // in which the one before it is collected
  };
  ASSERT_TRUE((*collector)->start());
  const CollectorReport report = (*collector)->stop();
  EXPECT_TRUE(has_remark(report, "collector.not_flushed"));
  EXPECT_LE(supplied_after_the_end, 6U) << "what was under way, and no more";
  expect_prefixes(report, arrived);
}

TEST(CollectorFaults, ASinkThatIsTooSlowAtTheEndIsNotWaitedFor) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  arrived.slow = 50ms;
  const CollectorReport report =
      run(*memory, arrived, 48, Policy::kDrop, {.limits = {.drain = std::chrono::milliseconds(0)}});
  EXPECT_TRUE(report.drain_limit_fired);
  EXPECT_TRUE(has_remark(report, "collector.drain_limit"));
  expect_prefixes(report, arrived);
  EXPECT_GT(dropped(report.lanes[0], DropReason::kStopped) + dropped(report.lanes[1], DropReason::kStopped),
            0U);
}

TEST(CollectorFaults, AFreezeHasALimit) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  arrived.slow = 3ms;
  const CollectorReport report =
      run(*memory, arrived, 100, Policy::kBlock, {.limits = {.freeze = std::chrono::milliseconds(1)}});
  EXPECT_GT(report.freezes, 0U);
  EXPECT_GT(report.freeze_limits_fired, 0U);
  EXPECT_GT(report.frozen.count(), 0);
  EXPECT_TRUE(has_remark(report, "collector.freeze_limit"));
  EXPECT_TRUE(has_remark(report, "collector.paused"));
  expect_prefixes(report, arrived);
}

TEST(CollectorFaults, AWaitHasALimit) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  arrived.slow = 5ms;
  const auto collector = Collector::make(*memory, {edges({0})}, {}, arrived.take());
  ASSERT_TRUE(collector && (*collector)->start());
  produce(**collector, 0, 200, Policy::kBlock, End::kFlush, 1);
  const CollectorReport report = (*collector)->stop();
  EXPECT_GT(report.lanes[0].timeouts, 0U);
  EXPECT_GT(dropped(report.lanes[0], DropReason::kTimeLimit), 0U);
  EXPECT_TRUE(has_remark(report, "collector.wait_limit"));
  EXPECT_TRUE(has_remark(report, "collector.dropped"));
  expect_prefixes(report, arrived);
}

// A clock that jumps back at its fifth look, and then goes on.
struct JumpingPlatform {
  std::uint64_t looks = 0;
  std::uint64_t now() { return ++looks < 5 ? 1000 + looks : looks; }
  void relax() {}
};

TEST(CollectorFaults, AClockThatGoesBackwardsIsSaid) {
  const auto memory = device::mapped_memory();
  const auto collector = Collector::make(
      *memory,
      {{.kind = RecordKind::kCoreTask, .record_bytes = sizeof(recorder::CoreTaskRecord), .producers = {2}}},
      {}, [](const auto&, auto) { return base::Status(); });
  ASSERT_TRUE(collector && (*collector)->start());
  const auto parts = (*collector)->writer_parts(RecordKind::kCoreTask, 2);
  JumpingPlatform platform;
  recorder::CoreTaskRecorder<JumpingPlatform>::Writer writer(*parts->lane, *parts->gate, parts->buffers,
                                                             {.producer = 2, .generation = 1}, platform);
  recorder::CoreTaskRecorder recorder(kDfxCoreTiming, &writer, platform);
  for (std::uint32_t task = 0; task < 4; ++task) {
    recorder.on_receive();
    recorder.on_start();
    recorder.on_end(task, task + 1, 0);
  }
  writer.flush();
  const CollectorReport report = (*collector)->stop();
  EXPECT_EQ(report.lanes[0].clock_backwards, 1U);
  EXPECT_EQ(remark(report, "collector.clock_backwards"), "Producer 2 (core task): the clock went backwards.");
}

TEST(CollectorFaults, ADamagedLaneHarmsNobodyElse) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  const auto collector =
      Collector::make(*memory, {edges({0, 1, 2})}, {.limits = {.flush = 20ms}}, arrived.take());
  ASSERT_TRUE(collector && (*collector)->start());
  // A buffer that is another's, one that does not exist, one that is still in the free queue; then a tail
  // that is beyond the end.
  const auto first = (*collector)->writer_parts(RecordKind::kEdge, 0);
  for (const std::uint32_t buffer : {5U, 4'000'000'000U}) first->lane->ready.push(buffer);
  const auto second = (*collector)->writer_parts(RecordKind::kEdge, 1);
  second->lane->state.store(recorder::LaneState::kRecording);
  reinterpret_cast<std::atomic<std::uint32_t>*>(reinterpret_cast<std::byte*>(&second->lane->ready) + 64)
      ->store(77);
  produce(**collector, 2, 100, Policy::kBlock);
  const CollectorReport report = (*collector)->stop();
  EXPECT_EQ(report.lanes[0].collected, 0U);
  EXPECT_EQ(report.lanes[0].refused_buffers, 2U);
  EXPECT_EQ(report.lanes[1].refused_buffers, 1U);
  EXPECT_EQ(report.lanes[2].collected, 100U);
  EXPECT_TRUE(has_remark(report, "collector.refused_buffer"));
  EXPECT_EQ(arrived.phantoms, 0U);
}

TEST(CollectorFaults, RecordsWithoutAReasonAreMissing) {
  LaneReport lane{.kind = RecordKind::kEdge,
                  .producer = 3,
                  .state = recorder::LaneState::kFlushed,
                  .produced = 10,
                  .collected = 6,
                  .dropped = {1, 0, 0, 0, 0}};
  EXPECT_EQ(lane.missing(), 3U);
  EXPECT_FALSE(lane.adds_up());
  CollectorReport report{.lanes = {lane}};
  report.remarks = remarks_on(report, {});
  EXPECT_EQ(remark(report, "collector.missing"),
            "Producer 3 (edge) says that it made 10 records, but 6 were collected and 1 dropped.");
  EXPECT_EQ(remark(report, "collector.dropped"),
            "Records (edge) of 1 producers are not in the recording: no empty buffer.");
}

TEST(CollectorFaults, ARunWithoutTroubleHasNoRemarks) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  const auto collector = Collector::make(*memory, {edges({0, 1})}, {}, arrived.take());
  ASSERT_TRUE(collector && (*collector)->start());
  produce(**collector, 0, 20, Policy::kDrop);
  const CollectorReport report = (*collector)->stop();
  EXPECT_TRUE(report.remarks.empty());
  EXPECT_FALSE(report.error);
  EXPECT_TRUE(report.lanes[1].flushed()) << "never begun";
  EXPECT_GE(report.lanes[0].most_in_flight, 1U);
}

}  // namespace
}  // namespace accelscope::capture
