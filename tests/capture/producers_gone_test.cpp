// Producers that are gone before they flushed, because they ended, or because their process was killed: what
// they had recorded is there, and nothing else.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <thread>

#include "capture/producers.h"

namespace accelscope::capture {
namespace {

using device::Sharing;
using recorder::LaneState;
using recorder::Policy;
using recorder::RecordKind;
using tests::Arrived;
using tests::edges;
using tests::patterned;

std::vector<std::uint64_t> first_numbers(std::uint64_t count) {
  std::vector<std::uint64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

std::unique_ptr<Collector> collector_of(device::DeviceMemory& memory, std::vector<std::uint32_t> producers,
                                        Arrived& arrived) {
  auto collector = Collector::make(memory, {edges(std::move(producers))}, {}, arrived.take());
  EXPECT_TRUE(collector);
  return collector ? std::move(*collector) : nullptr;
}

// The only producer's writer, used by the test's own thread.
struct OneWriter {
  explicit OneWriter(const Collector& collector)
      : parts(*collector.writer_parts(RecordKind::kEdge, 0)),
        writer(*parts.lane, *parts.gate, parts.buffers, {.generation = 1, .policy = Policy::kDrop},
               platform) {}
  WriterParts parts;
  tests::CountingPlatform platform;
  tests::EdgeWriter writer;
};

TEST(ProducersGone, EveryRecordArrives) {
  for (const auto& make_memory : {device::mapped_memory, device::copied_memory})
    for (const std::uint64_t records : {0U, 1U, 7U, 8U, 9U, 100U}) {
      const auto memory = make_memory(Sharing::kThisProcess);
      Arrived arrived;
      const auto collector = collector_of(*memory, {0, 1}, arrived);
      ASSERT_TRUE(collector->start());
      std::thread([&] {
        tests::produce(*collector, 0, records, Policy::kBlock, tests::End::kNoFlush);
      }).join();
      tests::produce(*collector, 1, 20, Policy::kBlock);
      const CollectorReport report = collector->stop(Producers::kGone);
      EXPECT_EQ(arrived.numbers[0], first_numbers(records));
      EXPECT_EQ(arrived.numbers[1], first_numbers(20));
      EXPECT_EQ(arrived.phantoms, 0U);
      EXPECT_EQ(report.lanes[0].produced, records);
      EXPECT_TRUE(report.adds_up());
      EXPECT_TRUE(report.remarks.empty() || report.remarks[0].id == "collector.paused");
    }
}

TEST(ProducersGone, AlsoWhenNobodyCollectedBefore) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  const auto collector = collector_of(*memory, {0}, arrived);
  collector->poll();
  tests::produce(*collector, 0, 21, Policy::kDrop, tests::End::kNoFlush);
  const CollectorReport report = collector->stop(Producers::kGone);
  EXPECT_EQ(arrived.numbers[0], first_numbers(21));
  EXPECT_TRUE(report.adds_up());
}

TEST(ProducersGone, WhatWasHalfWrittenIsNotTaken) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  const auto collector = collector_of(*memory, {0}, arrived);
  collector->poll();
  OneWriter one(*collector);
  for (std::uint64_t number = 0; number < 11; ++number) one.writer.put(patterned(0, number));
  one.writer.slot().producer = 99;
  const CollectorReport report = collector->stop(Producers::kGone);
  EXPECT_EQ(arrived.numbers[0], first_numbers(11));
  EXPECT_EQ(arrived.phantoms, 0U);
  EXPECT_EQ(report.lanes[0].produced, 11U);
  EXPECT_TRUE(report.adds_up());
}

TEST(ProducersGone, ABufferOfEarlierUseHoldsNothingNew) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  const auto collector = collector_of(*memory, {0}, arrived);
  collector->poll();
  OneWriter one(*collector);
  for (std::uint64_t number = 0; number < 24; ++number) one.writer.put(patterned(0, number));
  collector->poll();  // two of three buffers come back, and one of them is taken again
  std::uint32_t taken = 0;
  ASSERT_TRUE(one.parts.lane->free.pop(taken));
  one.parts.lane->ready.push(2);  // the one that was being filled: handed over, before its end was noted
  const CollectorReport report = collector->stop(Producers::kGone);
  EXPECT_EQ(arrived.numbers[0], first_numbers(24));
  EXPECT_EQ(arrived.phantoms, 0U);
  EXPECT_EQ(report.lanes[0].refused_buffers, 0U);
  EXPECT_TRUE(report.adds_up());
}

TEST(ProducersGone, ADamagedHeaderIsSaid) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  const auto collector = collector_of(*memory, {0}, arrived);
  collector->poll();
  OneWriter one(*collector);
  one.writer.put(patterned(0, 0));
  one.parts.buffers.at(0)->magic = 0x12345678;
  const CollectorReport report = collector->stop(Producers::kGone);
  EXPECT_EQ(report.lanes[0].refused_buffers, 1U);
  EXPECT_TRUE(arrived.numbers[0].empty());
}

TEST(ProducersGone, DropsAreCountedToTheLast) {
  const auto memory = device::mapped_memory();
  Arrived arrived;
  const auto collector = collector_of(*memory, {0}, arrived);
  OneWriter one(*collector);  // nobody collects: three buffers of 8, and then there is no room
  for (std::uint64_t number = 0; number < 30; ++number) one.writer.put(patterned(0, number));
  const CollectorReport report = collector->stop(Producers::kGone);
  EXPECT_EQ(report.lanes[0].produced, 30U);
  EXPECT_EQ(report.lanes[0].all_dropped(), 6U);
}

// A device in a process of its own, killed at any moment.
TEST(ProducersGone, AKilledProcessLosesNothing) {
  constexpr std::uint32_t kProducers = 3;
  std::mt19937 random(7);
  std::uint64_t all = 0;
  for (int round = 0; round < 40; ++round) {
    const auto memory = round % 2 == 0 ? device::mapped_memory(Sharing::kForkedOnes)
                                       : device::copied_memory(Sharing::kForkedOnes);
    Arrived arrived;
    const auto collector = collector_of(*memory, {0, 1, 2}, arrived);
    const pid_t device = ::fork();
    ASSERT_GE(device, 0);
    if (device == 0) {
      std::vector<std::thread> threads;
      for (std::uint32_t producer = 0; producer < kProducers; ++producer)
        threads.emplace_back(
            [&, producer] { tests::produce(*collector, producer, ~std::uint64_t{0}, Policy::kBlock); });
      for (std::thread& thread : threads) thread.join();
      ::_exit(0);
    }
    ASSERT_TRUE(collector->start());
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 4000));
    ::kill(device, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(device, &status, 0), device);
    const CollectorReport report = collector->stop(Producers::kGone);
    EXPECT_TRUE(report.adds_up());
    EXPECT_EQ(arrived.phantoms, 0U);
    for (std::uint32_t producer = 0; producer < kProducers; ++producer) {
      const LaneReport& lane = report.lanes[producer];
      EXPECT_EQ(lane.refused_buffers, 0U);
      EXPECT_EQ(arrived.numbers[producer], first_numbers(lane.collected)) << "each, once, in order";
      all += lane.collected;
    }
  }
  EXPECT_GT(all, 0U);
}

}  // namespace
}  // namespace accelscope::capture
