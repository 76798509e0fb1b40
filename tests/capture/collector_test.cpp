#include "capture/collector.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

namespace accelscope::capture {
namespace {

using recorder::BufferHeader;
using recorder::EdgeReason;
using recorder::EdgeRecord;
using recorder::Policy;
using recorder::RecordKind;

struct CountingPlatform {
  std::uint64_t time = 0;
  std::uint64_t now() { return ++time; }
  void relax() { std::this_thread::yield(); }
};
using Writer = recorder::RecordWriter<EdgeRecord, CountingPlatform>;

PoolSpec edges(std::vector<std::uint32_t> producers, std::uint32_t records = 8) {
  return {.kind = RecordKind::kEdge,
          .record_bytes = sizeof(EdgeRecord),
          .records_per_buffer = records,
          .buffers_per_lane = 3,
          .producers = std::move(producers)};
}

// What arrived, by producer.
struct Arrived {
  std::map<std::uint32_t, std::vector<std::uint64_t>> numbers;
  std::chrono::microseconds slow{0};

  TakeRecords take() {
    return [this](const BufferHeader& header, std::span<const std::byte> bytes) {
      if (slow.count() > 0) std::this_thread::sleep_for(slow);
      for (std::uint32_t i = 0; i < header.count; ++i) {
        EdgeRecord record;
        std::memcpy(&record, bytes.data() + i * sizeof record, sizeof record);
        numbers[header.producer].push_back(record.producer);
      }
    };
  }
};

// A producer that makes records 0, 1, 2, ...
void produce(const Collector& collector, std::uint32_t producer, std::uint64_t records, Policy policy,
             bool flush = true) {
  const auto parts = collector.writer_parts(RecordKind::kEdge, producer);
  ASSERT_TRUE(parts);
  CountingPlatform platform;
  Writer writer(*parts->lane, *parts->gate, parts->buffers,
                {.producer = producer, .generation = 1, .policy = policy, .wait_limit = ~std::uint64_t{0}},
                platform);
  for (std::uint64_t number = 0; number < records; ++number)
    writer.slot() = {.producer = number, .consumer = producer, .reason = EdgeReason::kFanout, .argument = 0};
  if (flush) writer.flush();
}

void expect_all(const Arrived& arrived, std::uint32_t producer, std::uint64_t records) {
  const std::vector<std::uint64_t>& numbers = arrived.numbers.at(producer);
  ASSERT_EQ(numbers.size(), records);
  for (std::uint64_t i = 0; i < records; ++i) ASSERT_EQ(numbers[i], i);
}

TEST(Collector, CollectsEverythingOfAllProducers) {
  for (const auto& memory : {device::mapped_memory(), device::copied_memory()}) {
    Arrived arrived;
    const auto collector = Collector::make(*memory, {edges({3, 5, 9})}, {}, arrived.take());
    ASSERT_TRUE(collector);
    (*collector)->start();
    std::vector<std::thread> threads;
    for (const std::uint32_t producer : {3U, 5U, 9U})
      threads.emplace_back(
          [&, producer] { produce(**collector, producer, 100 * producer + 1, Policy::kBlock); });
    for (std::thread& thread : threads) thread.join();
    for (const LaneReport& lane : (*collector)->stop()) {
      EXPECT_TRUE(lane.flushed());
      EXPECT_TRUE(lane.adds_up());
      EXPECT_EQ(lane.collected, 100 * lane.producer + 1);
      EXPECT_EQ(lane.refused_buffers, 0U);
      expect_all(arrived, lane.producer, lane.collected);
    }
  }
}

TEST(Collector, AFeatureThatNobodyRecordsTakesNoMemory) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  {
    const auto none = Collector::make(*memory, {edges({})}, {}, arrived.take());
    ASSERT_TRUE(none);
    EXPECT_EQ(memory->allocated_bytes(), sizeof(recorder::Gate<>));
    EXPECT_FALSE((*none)->writer_parts(RecordKind::kEdge, 0));
  }
  EXPECT_EQ(memory->allocated_bytes(), 0U);
  const auto two = Collector::make(*memory, {edges({0, 1}, 100)}, {}, arrived.take());
  ASSERT_TRUE(two);
  EXPECT_EQ(memory->allocated_bytes(),
            sizeof(recorder::Gate<>) + 2 * sizeof(recorder::Lane<>) + 6 * (64 + 100 * 24 + 32));
}

TEST(Collector, DropsAreInTheAccount) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  arrived.slow = std::chrono::microseconds(200);
  const auto collector = Collector::make(*memory, {edges({0})}, {}, arrived.take());
  ASSERT_TRUE(collector);
  (*collector)->start();
  std::thread producer([&] { produce(**collector, 0, 5000, Policy::kDrop); });
  producer.join();
  const std::vector<LaneReport> lanes = (*collector)->stop();
  EXPECT_TRUE(lanes[0].adds_up());
  EXPECT_EQ(lanes[0].account.produced, 5000U);
  EXPECT_GT(lanes[0].account.all_dropped(), 0U);
  EXPECT_EQ(lanes[0].collected, arrived.numbers[0].size());
  for (std::size_t i = 1; i < arrived.numbers[0].size(); ++i)
    ASSERT_LT(arrived.numbers[0][i - 1], arrived.numbers[0][i]);
}

TEST(Collector, ASlowHostStopsProducersAndLosesNothing) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  arrived.slow = std::chrono::microseconds(100);
  const auto collector = Collector::make(*memory, {edges({0, 1})}, {}, arrived.take());
  ASSERT_TRUE(collector);
  (*collector)->start();
  std::thread first([&] { produce(**collector, 0, 800, Policy::kBlock); });
  std::thread second([&] { produce(**collector, 1, 800, Policy::kBlock); });
  first.join();
  second.join();
  std::uint64_t paused = 0;
  for (const LaneReport& lane : (*collector)->stop()) {
    EXPECT_TRUE(lane.adds_up());
    EXPECT_EQ(lane.account.all_dropped(), 0U);
    expect_all(arrived, lane.producer, 800);
    paused += lane.paused_ticks;
  }
  EXPECT_GT(paused, 0U) << "the pauses are on record";
}

TEST(Collector, AProducerThatNeverFlushesKeepsWhatItHandedOver) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  const auto collector =
      Collector::make(*memory, {edges({0, 1})},
                      {.generation = 1, .flush_limit = std::chrono::milliseconds(20)}, arrived.take());
  ASSERT_TRUE(collector);
  (*collector)->start();
  produce(**collector, 0, 13, Policy::kDrop, false);
  produce(**collector, 1, 5, Policy::kDrop);
  const std::vector<LaneReport> lanes = (*collector)->stop();
  EXPECT_FALSE(lanes[0].flushed());
  EXPECT_EQ(lanes[0].collected, 8U) << "the buffer that was full";
  EXPECT_TRUE(lanes[1].flushed() && lanes[1].adds_up());
}

TEST(Collector, RefusesBuffersOfAnotherRun) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  const auto collector = Collector::make(*memory, {edges({0})}, {.generation = 2}, arrived.take());
  ASSERT_TRUE(collector);
  (*collector)->start();
  produce(**collector, 0, 20, Policy::kDrop);  // of generation 1
  const std::vector<LaneReport> lanes = (*collector)->stop();
  EXPECT_EQ(lanes[0].collected, 0U);
  EXPECT_GE(lanes[0].refused_buffers, 1U);
  EXPECT_TRUE(arrived.numbers.empty());
}

TEST(Collector, RefusesPoolsThatMakeNoSense) {
  const auto memory = device::mapped_memory();
  PoolSpec none = edges({0});
  none.records_per_buffer = 0;
  EXPECT_FALSE(Collector::make(*memory, {none}, {}, {}));
  PoolSpec many = edges({0});
  many.buffers_per_lane = 9;
  EXPECT_FALSE(Collector::make(*memory, {many}, {}, {}));
  std::vector<std::uint32_t> crowd(2000);
  for (std::uint32_t i = 0; i < crowd.size(); ++i) crowd[i] = i;
  const auto crowded = Collector::make(*memory, {edges(crowd)}, {}, {});
  ASSERT_FALSE(crowded);
  EXPECT_EQ(crowded.error().code, base::ErrorCode::kTooLarge);
  EXPECT_EQ(memory->allocated_bytes(), 0U);
}

// Hosts and producers of random speed: whatever happens, the account adds up.
TEST(Collector, AddsUpUnderRandomStalls) {
  std::mt19937 random(7);
  for (int round = 0; round < 12; ++round) {
    const auto memory = round % 2 == 0 ? device::mapped_memory() : device::copied_memory();
    const Policy policy = round % 3 == 0 ? Policy::kDrop : Policy::kBlock;
    Arrived arrived;
    arrived.slow = std::chrono::microseconds(random() % 40);
    const auto collector =
        Collector::make(*memory, {edges({0, 1, 2, 3}, 1 + random() % 16)}, {}, arrived.take());
    ASSERT_TRUE(collector);
    (*collector)->start();
    std::vector<std::thread> threads;
    std::vector<std::uint64_t> wanted;
    for (std::uint32_t producer = 0; producer < 4; ++producer) wanted.push_back(random() % 700);
    for (std::uint32_t producer = 0; producer < 4; ++producer)
      threads.emplace_back([&, producer] { produce(**collector, producer, wanted[producer], policy); });
    for (std::thread& thread : threads) thread.join();
    for (const LaneReport& lane : (*collector)->stop()) {
      EXPECT_TRUE(lane.flushed() && lane.adds_up());
      EXPECT_EQ(lane.account.produced, wanted[lane.producer]);
      EXPECT_EQ(lane.refused_buffers, 0U);
      const std::vector<std::uint64_t>& numbers = arrived.numbers[lane.producer];
      EXPECT_EQ(numbers.size(), lane.collected);
      for (std::size_t i = 1; i < numbers.size(); ++i) ASSERT_LT(numbers[i - 1], numbers[i]);
    }
  }
}

}  // namespace
}  // namespace accelscope::capture
