#include "capture/collector.h"

#include <gtest/gtest.h>

#include <random>

#include "capture/producers.h"

namespace accelscope::capture {
namespace {

using recorder::DropReason;
using recorder::Policy;
using recorder::RecordKind;
using tests::Arrived;
using tests::edges;
using tests::End;
using tests::produce;

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
    ASSERT_TRUE((*collector)->start());
    std::vector<std::thread> threads;
    for (const std::uint32_t producer : {3U, 5U, 9U})
      threads.emplace_back(
          [&, producer] { produce(**collector, producer, 100 * producer + 1, Policy::kBlock); });
    for (std::thread& thread : threads) thread.join();
    for (const LaneReport& lane : (*collector)->stop().lanes) {
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
    EXPECT_EQ(memory->allocated_bytes(), 0U);
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
  ASSERT_TRUE((*collector)->start());
  std::thread producer([&] { produce(**collector, 0, 5000, Policy::kDrop); });
  producer.join();
  const std::vector<LaneReport> lanes = (*collector)->stop().lanes;
  EXPECT_TRUE(lanes[0].adds_up());
  EXPECT_EQ(lanes[0].produced, 5000U);
  EXPECT_GT(lanes[0].all_dropped(), 0U);
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
  ASSERT_TRUE((*collector)->start());
  std::thread first([&] { produce(**collector, 0, 800, Policy::kBlock); });
  std::thread second([&] { produce(**collector, 1, 800, Policy::kBlock); });
  first.join();
  second.join();
  std::uint64_t paused = 0;
  for (const LaneReport& lane : (*collector)->stop().lanes) {
    EXPECT_TRUE(lane.adds_up());
    EXPECT_EQ(lane.all_dropped(), 0U);
    expect_all(arrived, lane.producer, 800);
    paused += lane.paused_ticks;
  }
  EXPECT_GT(paused, 0U) << "the pauses are on record";
}

TEST(Collector, AProducerThatNeverFlushesKeepsWhatItHandedOver) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  const auto collector = Collector::make(
      *memory, {edges({0, 1})}, {.limits = {.flush = std::chrono::milliseconds(20)}}, arrived.take());
  ASSERT_TRUE(collector);
  ASSERT_TRUE((*collector)->start());
  produce(**collector, 0, 13, Policy::kDrop, End::kNoFlush);
  produce(**collector, 1, 5, Policy::kDrop);
  const std::vector<LaneReport> lanes = (*collector)->stop().lanes;
  EXPECT_FALSE(lanes[0].flushed());
  EXPECT_EQ(lanes[0].collected, 8U) << "the buffer that was full";
  EXPECT_TRUE(lanes[1].flushed() && lanes[1].adds_up());
}

TEST(Collector, RefusesBuffersOfAnotherRun) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  const auto collector = Collector::make(*memory, {edges({0})}, {.generation = 2}, arrived.take());
  ASSERT_TRUE(collector);
  ASSERT_TRUE((*collector)->start());
  produce(**collector, 0, 20, Policy::kDrop);  // of generation 1
  const std::vector<LaneReport> lanes = (*collector)->stop().lanes;
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
    ASSERT_TRUE((*collector)->start());
    std::vector<std::thread> threads;
    std::vector<std::uint64_t> wanted;
    for (std::uint32_t producer = 0; producer < 4; ++producer) wanted.push_back(random() % 700);
    for (std::uint32_t producer = 0; producer < 4; ++producer)
      threads.emplace_back([&, producer] { produce(**collector, producer, wanted[producer], policy); });
    for (std::thread& thread : threads) thread.join();
    for (const LaneReport& lane : (*collector)->stop().lanes) {
      EXPECT_TRUE(lane.flushed() && lane.adds_up());
      EXPECT_EQ(lane.produced, wanted[lane.producer]);
      EXPECT_EQ(lane.refused_buffers, 0U);
      const std::vector<std::uint64_t>& numbers = arrived.numbers[lane.producer];
      EXPECT_EQ(numbers.size(), lane.collected);
      for (std::size_t i = 1; i < numbers.size(); ++i) ASSERT_LT(numbers[i - 1], numbers[i]);
    }
  }
}

}  // namespace
}  // namespace accelscope::capture
