#include "capture/flight_recorder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "capture/producers.h"

namespace accelscope::capture {
namespace {

using recorder::BufferHeader;
using recorder::CoreTaskRecord;
using recorder::DropReason;
using recorder::Policy;
using recorder::RecordKind;
using tests::Arrived;

constexpr std::uint32_t kRecords = 4;

// A buffer of edges of a producer, made as a writer would.
struct Buffer {
  BufferHeader header = {};
  std::vector<tests::EdgeRecord> records;

  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(records)); }
};

Buffer buffer_of(std::uint32_t producer, std::uint32_t number, std::uint32_t dropped_before = 0,
                 std::uint64_t first = 0) {
  Buffer buffer;
  first = first == 0 ? std::uint64_t{number} * kRecords : first;
  for (std::uint64_t i = 0; i < kRecords; ++i)
    buffer.records.push_back(tests::patterned(producer, first + i));
  buffer.header = {.magic = recorder::kBufferMagic,
                   .kind = RecordKind::kEdge,
                   .record_bytes = sizeof(tests::EdgeRecord),
                   .producer = producer,
                   .buffer_number = number,
                   .generation = 1,
                   .first_record = first,
                   .count = kRecords,
                   .dropped_before = dropped_before,
                   .paused_from = 0,
                   .paused_to = 0};
  return buffer;
}

void take(FlightRecorder& flight, const Buffer& buffer) {
  ASSERT_TRUE(flight.take(buffer.header, buffer.bytes()));
}

std::uint64_t dropped_for(const LaneReport& lane, DropReason reason) {
  return lane.dropped[static_cast<std::size_t>(reason)];
}

// How many bytes so many of these buffers are counted for.
base::Bytes bytes_of_buffers(std::uint32_t count) {
  FlightRecorder flight({});
  for (std::uint32_t i = 0; i < count; ++i) take(flight, buffer_of(0, i));
  return flight.kept_bytes();
}

TEST(FlightRecorder, KeepsTheLastBytesOfAllProducers) {
  FlightRecorder flight({.bytes = bytes_of_buffers(3)});
  for (std::uint32_t number = 0; number < 5; ++number)
    for (const std::uint32_t producer : {7U, 8U}) take(flight, buffer_of(producer, number));
  EXPECT_LE(flight.kept_bytes().value, bytes_of_buffers(3).value);
  Arrived arrived;
  const FlightSave saved = flight.save(arrived.take());
  EXPECT_FALSE(saved.error);
  EXPECT_EQ(arrived.phantoms, 0U);
  EXPECT_EQ(arrived.numbers[7], (std::vector<std::uint64_t>{16, 17, 18, 19}));
  EXPECT_EQ(arrived.numbers[8], (std::vector<std::uint64_t>{12, 13, 14, 15, 16, 17, 18, 19}));
  ASSERT_EQ(saved.lanes.size(), 2U);
  EXPECT_EQ(saved.lanes[0].collected, 4U);
  EXPECT_EQ(dropped_for(saved.lanes[0], DropReason::kOverwritten), 16U);
  for (const LaneReport& lane : saved.lanes) {
    EXPECT_EQ(lane.produced, 20U);
    EXPECT_TRUE(lane.adds_up());
  }
}

TEST(FlightRecorder, SavesAsOftenAsAsked) {
  FlightRecorder flight({.bytes = bytes_of_buffers(2)});
  for (std::uint32_t number = 0; number < 6; ++number) {
    take(flight, buffer_of(1, number));
    Arrived arrived;
    const FlightSave saved = flight.save(arrived.take());
    ASSERT_EQ(saved.lanes.size(), 1U);
    EXPECT_EQ(saved.lanes[0].produced, (number + 1) * kRecords);
    EXPECT_EQ(saved.lanes[0].collected, std::min(number + 1, 2U) * kRecords);
    EXPECT_TRUE(saved.lanes[0].adds_up());
  }
}

TEST(FlightRecorder, WhatProducersDroppedStaysInTheAccount) {
  FlightRecorder flight({});
  take(flight, buffer_of(0, 0));
  take(flight, buffer_of(0, 1, 10, 14));
  Arrived arrived;
  const FlightSave saved = flight.save(arrived.take());
  EXPECT_EQ(saved.lanes[0].produced, 18U);
  EXPECT_EQ(dropped_for(saved.lanes[0], DropReason::kNoBuffer), 10U);
  EXPECT_TRUE(saved.lanes[0].adds_up());
}

TEST(FlightRecorder, ASaveThatFailsChangesNothing) {
  FlightRecorder flight({});
  for (std::uint32_t number = 0; number < 3; ++number) take(flight, buffer_of(0, number));
  Arrived broken;
  broken.fail_at = 1;
  const FlightSave failed = flight.save(broken.take());
  ASSERT_TRUE(failed.error);
  EXPECT_EQ(failed.lanes[0].collected, kRecords);
  EXPECT_EQ(dropped_for(failed.lanes[0], DropReason::kSinkFailed), 2 * kRecords);
  EXPECT_TRUE(failed.lanes[0].adds_up());
  Arrived arrived;
  EXPECT_EQ(flight.save(arrived.take()).lanes[0].collected, 3 * kRecords);
}

Buffer timed(std::uint32_t producer, std::uint32_t number, std::uint64_t end,
             std::vector<CoreTaskRecord>& records) {
  records = {
      {.start = end - 10, .task = 0, .duration = 5, .receive_to_start = 0, .sequence = 0, .function = 0},
      {.start = end - 3, .task = 0, .duration = 3, .receive_to_start = 0, .sequence = 0, .function = 0}};
  Buffer buffer = buffer_of(producer, number, 0, std::uint64_t{number} * 2);
  buffer.header.kind = RecordKind::kCoreTask;
  buffer.header.record_bytes = sizeof(CoreTaskRecord);
  buffer.header.count = 2;
  return buffer;
}

TEST(FlightRecorder, KeepsTheLastTicks) {
  FlightRecorder flight({.ticks = base::Ticks{100}});
  std::vector<CoreTaskRecord> records;
  for (std::uint32_t number = 0; number < 10; ++number) {
    const Buffer buffer = timed(0, number, 1000 + 50 * number, records);
    ASSERT_TRUE(flight.take(buffer.header, std::as_bytes(std::span(records))));
  }
  std::vector<std::uint32_t> numbers;
  const FlightSave saved = flight.save([&](const BufferHeader& header, auto) {
    numbers.push_back(header.buffer_number);
    return base::Status();
  });
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{7, 8, 9})) << "1450, 1400 and 1350";
  EXPECT_EQ(dropped_for(saved.lanes[0], DropReason::kOverwritten), 14U);
  // Records without times are as old as what came with them.
  take(flight, buffer_of(3, 0));
  const Buffer later = timed(0, 10, 5000, records);
  ASSERT_TRUE(flight.take(later.header, std::as_bytes(std::span(records))));
  const FlightSave last = flight.save([](const auto&, auto) { return base::Status(); });
  EXPECT_EQ(last.lanes[0].collected, 2U);
  EXPECT_EQ(last.lanes[1].collected, 0U);
  EXPECT_EQ(dropped_for(last.lanes[1], DropReason::kOverwritten), kRecords);
}

TEST(FlightRecorder, TheNewestBufferIsKeptInAnyCase) {
  FlightRecorder flight({.bytes = base::Bytes{1}});
  for (std::uint32_t number = 0; number < 3; ++number) take(flight, buffer_of(0, number));
  Arrived arrived;
  EXPECT_EQ(flight.save(arrived.take()).lanes[0].collected, kRecords);
}

// Several threads save while a run is under way: every save is a whole and ordered piece of it.
TEST(FlightRecorder, AnyThreadSavesAtAnyTime) {
  const auto memory = device::mapped_memory();
  FlightRecorder flight({.bytes = base::Bytes{20'000}});
  const auto collector = Collector::make(*memory, {tests::edges({0, 1})}, {}, flight.sink());
  ASSERT_TRUE(collector && (*collector)->start());
  std::atomic<bool> over = false;
  std::vector<std::thread> savers;
  std::atomic<std::uint64_t> saves = 0;
  for (int i = 0; i < 2; ++i)
    savers.emplace_back([&] {
      do {  // once at least, however soon the producers are done
        Arrived arrived;
        for (const LaneReport& lane : flight.save(arrived.take()).lanes) {
          EXPECT_TRUE(lane.adds_up());
          EXPECT_EQ(arrived.numbers[lane.producer].size(), lane.collected);
        }
        EXPECT_EQ(arrived.phantoms, 0U);
        ++saves;
      } while (!over.load());
    });
  std::thread first([&] { tests::produce(**collector, 0, 20'000, Policy::kDrop); });
  std::thread second([&] { tests::produce(**collector, 1, 20'000, Policy::kDrop); });
  first.join();
  second.join();
  CollectorReport report = (*collector)->stop();
  over = true;
  for (std::thread& saver : savers) saver.join();
  EXPECT_GT(saves.load(), 0U);
  Arrived arrived;
  settle(report, flight.save(arrived.take()));
  for (const LaneReport& lane : report.lanes) {
    EXPECT_EQ(lane.produced, 20'000U);
    EXPECT_TRUE(lane.adds_up());
    EXPECT_EQ(arrived.numbers[lane.producer].size(), lane.collected);
  }
  EXPECT_LE(flight.kept_bytes().value, 20'000);
}

}  // namespace
}  // namespace accelscope::capture
