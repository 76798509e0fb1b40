#include "accelscope/recorder/record_writer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace accelscope::recorder {
namespace {

// Every look at the clock is a tick later.
struct CountingPlatform {
  uint64_t time = 0;
  uint64_t now() { return ++time; }
  void relax() {}
};

struct ThreadPlatform {
  uint64_t time = 0;
  uint64_t now() { return ++time; }
  void relax() { std::this_thread::yield(); }
};

constexpr uint32_t kRecords = 4;

// A lane with its buffers, and the host's end of it.
template <class Platform = CountingPlatform>
struct Bench {
  explicit Bench(uint32_t buffers, int poison = 0) {
    stride = buffer_bytes<CoreTaskRecord>(kRecords);
    memory.resize((stride * buffers) / sizeof(BufferHeader));
    std::memset(static_cast<void*>(memory.data()), poison, stride * buffers);
    for (uint32_t buffer = 0; buffer < buffers; ++buffer) EXPECT_TRUE(lane.free.push(buffer));
  }

  BufferArray array() { return {reinterpret_cast<unsigned char*>(memory.data()), stride, kRecords}; }
  auto writer(WriterConfig config = {}) {
    config.generation = 7;
    return std::make_unique<RecordWriter<CoreTaskRecord, Platform>>(lane, gate, array(), config, platform);
  }

  // The tasks of the next buffer, which goes back to the lane.
  std::vector<uint64_t> collect(BufferHeader* seen = nullptr) {
    uint32_t buffer = 0;
    if (!lane.ready.pop(buffer)) return {};
    const BufferHeader* header = array().at(buffer);
    if (seen != nullptr) *seen = *header;
    EXPECT_EQ(header->magic, kBufferMagic);
    EXPECT_EQ(header->kind, RecordKind::kCoreTask);
    EXPECT_EQ(header->record_bytes, 32U);
    EXPECT_EQ(header->generation, 7U);
    std::vector<uint64_t> tasks;
    for (uint32_t i = 0; i < header->count; ++i) tasks.push_back(records_of<CoreTaskRecord>(header)[i].task);
    EXPECT_TRUE(lane.free.push(buffer));
    return tasks;
  }

  uint64_t stride = 0;
  std::vector<BufferHeader> memory;
  Lane<> lane;
  Gate<> gate;
  Platform platform;
};

template <class Writer>
void record(Writer& writer, uint64_t task) {
  writer.put({.start = 10 * task,
              .task = task,
              .duration = 5,
              .receive_to_start = 1,
              .sequence = static_cast<uint32_t>(task),
              .function = kNoFunction});
}

TEST(RecordWriter, HandsOverFullBuffersAndTheLastOneAtTheEnd) {
  Bench bench(3);
  const auto writer = bench.writer({.producer = 42});
  EXPECT_EQ(bench.lane.state.load(), LaneState::kRecording);
  for (uint64_t task = 1; task <= 6; ++task) record(*writer, task);
  EXPECT_EQ(bench.lane.ready.size(), 1U) << "the second buffer is not full";
  writer->flush();
  EXPECT_EQ(bench.lane.state.load(), LaneState::kFlushed);
  BufferHeader header{};
  EXPECT_EQ(bench.collect(&header), (std::vector<uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(header.producer, 42U);
  EXPECT_EQ(header.buffer_number, 0U);
  EXPECT_EQ(header.first_record, 0U);
  EXPECT_EQ(bench.collect(&header), (std::vector<uint64_t>{5, 6}));
  EXPECT_EQ(header.buffer_number, 1U);
  EXPECT_EQ(header.first_record, 4U);
  EXPECT_EQ(header.dropped_before, 0U);
  EXPECT_EQ(header.paused_to, 0U);
  EXPECT_EQ(bench.lane.produced.load(), 6U);
}

TEST(RecordWriter, NothingRecordedHandsNothingOver) {
  Bench bench(2);
  bench.writer()->flush();
  EXPECT_EQ(bench.lane.ready.size(), 0U);
  EXPECT_EQ(bench.lane.free.size(), 2U);
  EXPECT_EQ(bench.lane.produced.load(), 0U);
}

TEST(RecordWriter, DropsAreCountedWhereTheyAre) {
  Bench bench(1);
  const auto writer = bench.writer({.policy = Policy::kDrop});
  for (uint64_t task = 1; task <= 7; ++task) record(*writer, task);  // 5, 6 and 7 have no place
  EXPECT_EQ(bench.collect(), (std::vector<uint64_t>{1, 2, 3, 4}));
  for (uint64_t task = 8; task <= 9; ++task) record(*writer, task);
  writer->flush();
  BufferHeader header{};
  EXPECT_EQ(bench.collect(&header), (std::vector<uint64_t>{8, 9}));
  EXPECT_EQ(header.first_record, 7U);
  EXPECT_EQ(header.dropped_before, 3U);
  EXPECT_EQ(bench.lane.produced.load(), 9U);
  EXPECT_EQ(bench.lane.dropped[static_cast<uint32_t>(DropReason::kNoBuffer)].load(), 3U);
}

TEST(RecordWriter, SeveralSlotsAtOnceEndWithTheBuffer) {
  Bench bench(2);
  const auto writer = bench.writer({.policy = Policy::kDrop});
  EXPECT_EQ(writer->records(), 0U);
  uint64_t task = 0;
  const auto take = [&](uint64_t wanted) {
    uint64_t count = 0;
    CoreTaskRecord* slots = writer->slots(wanted, count);
    for (uint64_t i = 0; i < count; ++i) slots[i].task = ++task;
    EXPECT_EQ(writer->records(), task);
    return count;
  };
  EXPECT_EQ(take(3), 3U);
  EXPECT_EQ(take(3), 1U) << "the buffer has four";
  EXPECT_EQ(take(1), 1U);
  EXPECT_EQ(take(100), 3U);
  EXPECT_FALSE(writer->dropped_last());
  EXPECT_EQ(take(100), 1U) << "there is no buffer";
  EXPECT_TRUE(writer->dropped_last());
  EXPECT_EQ(bench.collect(), (std::vector<uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(take(2), 2U);
  EXPECT_FALSE(writer->dropped_last());
  writer->flush();
  EXPECT_EQ(bench.collect(), (std::vector<uint64_t>{5, 6, 7, 8}));
  EXPECT_EQ(bench.collect(), (std::vector<uint64_t>{10, 11}));
  EXPECT_EQ(bench.lane.produced.load(), 11U);
}

TEST(RecordWriter, DropsAtTheEndAreInTheAccount) {
  Bench bench(1);
  const auto writer = bench.writer({.policy = Policy::kDrop});
  for (uint64_t task = 1; task <= 6; ++task) record(*writer, task);
  writer->flush();
  EXPECT_EQ(bench.collect().size(), 4U);
  EXPECT_EQ(bench.lane.produced.load(), 6U);
  EXPECT_EQ(bench.lane.dropped[static_cast<uint32_t>(DropReason::kNoBuffer)].load(), 2U);
}

// A host that recycles buffers full of what looks like records of this very producer.
TEST(RecordWriter, NoStaleSlotBecomesARecord) {
  for (const int poison : {0x00, 0xFF, 0x41}) {
    Bench bench(2, poison);
    for (uint32_t buffer = 0; buffer < 2; ++buffer) {
      *bench.array().at(buffer) = {.magic = kBufferMagic,
                                   .kind = RecordKind::kCoreTask,
                                   .record_bytes = 32,
                                   .producer = 1,
                                   .buffer_number = buffer,
                                   .generation = 7,
                                   .first_record = 0,
                                   .count = kRecords,
                                   .dropped_before = 0,
                                   .paused_from = 0,
                                   .paused_to = 0};
      for (uint32_t i = 0; i < kRecords; ++i)
        records_of<CoreTaskRecord>(bench.array().at(buffer))[i].task = 666;
    }
    const auto writer = bench.writer({.producer = 1});
    std::vector<uint64_t> collected;
    uint64_t task = 0;
    // Buffers of every fill level, each used many times.
    for (int round = 0; round < 50; ++round) {
      for (uint32_t i = 0; i < kRecords; ++i) record(*writer, ++task);
      while (bench.lane.ready.size() > 0)
        for (const uint64_t seen : bench.collect()) collected.push_back(seen);
    }
    record(*writer, ++task);
    writer->flush();
    while (bench.lane.ready.size() > 0)
      for (const uint64_t seen : bench.collect()) collected.push_back(seen);
    ASSERT_EQ(collected.size(), task);
    for (uint64_t i = 0; i < task; ++i) EXPECT_EQ(collected[i], i + 1);
  }
}

TEST(RecordWriter, AWaitHasALimitAndIsWaitedOnce) {
  Bench bench(1);
  const auto writer = bench.writer({.policy = Policy::kBlock, .wait_limit = 100});
  for (uint64_t task = 1; task <= 5; ++task) record(*writer, task);
  EXPECT_EQ(bench.lane.timeouts.load(), 1U);
  EXPECT_EQ(bench.gate.contended.load(), 1U);
  const uint64_t waited_until = bench.platform.time;
  EXPECT_GE(waited_until, 100U);
  for (uint64_t task = 6; task <= 20; ++task) record(*writer, task);
  EXPECT_LT(bench.platform.time, waited_until + 10) << "the host is gone: nobody waits for it again";
  EXPECT_EQ(bench.collect().size(), 4U);
  record(*writer, 21);
  writer->flush();
  BufferHeader header{};
  EXPECT_EQ(bench.collect(&header), (std::vector<uint64_t>{21}));
  EXPECT_EQ(header.dropped_before, 16U);
  EXPECT_GT(header.paused_to, header.paused_from);
  EXPECT_EQ(bench.lane.produced.load(), 21U);
  EXPECT_EQ(bench.lane.dropped[static_cast<uint32_t>(DropReason::kTimeLimit)].load(), 1U);
  EXPECT_EQ(bench.lane.dropped[static_cast<uint32_t>(DropReason::kNoBuffer)].load(), 15U);
}

TEST(RecordWriter, AStoppedRunLetsNobodyWait) {
  Bench bench(1);
  const auto writer = bench.writer({.policy = Policy::kBlock, .wait_limit = ~uint64_t{0}});
  bench.gate.stopped.store(1);
  for (uint64_t task = 1; task <= 6; ++task) record(*writer, task);
  writer->flush();
  EXPECT_EQ(bench.lane.timeouts.load(), 0U);
  EXPECT_EQ(bench.lane.dropped[static_cast<uint32_t>(DropReason::kStopped)].load(), 1U);
  EXPECT_EQ(bench.lane.dropped[static_cast<uint32_t>(DropReason::kNoBuffer)].load(), 1U);
}

TEST(RecordWriter, AFreezeStopsALaneThatHasBuffers) {
  Bench<ThreadPlatform> bench(3);
  bench.gate.frozen.store(1);
  std::thread producer([&] {
    const auto writer = bench.writer({.policy = Policy::kBlock, .wait_limit = ~uint64_t{0}});
    for (uint64_t task = 1; task <= 6; ++task) record(*writer, task);
    writer->flush();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(bench.lane.ready.size(), 0U);
  bench.gate.frozen.store(0);
  producer.join();
  BufferHeader header{};
  EXPECT_EQ(bench.collect(&header).size(), 4U);
  EXPECT_GT(header.paused_to, header.paused_from);
  EXPECT_EQ(bench.collect(&header).size(), 2U);
  EXPECT_EQ(header.paused_to, 0U);
}

TEST(RecordWriter, NothingIsLostBetweenTwoThreads) {
  Bench<ThreadPlatform> bench(3);
  constexpr uint64_t kTasks = 4000;
  std::thread producer([&] {
    const auto writer = bench.writer({.policy = Policy::kBlock, .wait_limit = ~uint64_t{0}});
    for (uint64_t task = 1; task <= kTasks; ++task) record(*writer, task);
    writer->flush();
  });
  uint64_t next = 1;
  while (next <= kTasks) {
    for (const uint64_t task : bench.collect()) EXPECT_EQ(task, next++);
    std::this_thread::yield();
  }
  producer.join();
  EXPECT_EQ(bench.lane.produced.load(), kTasks);
  EXPECT_EQ(bench.lane.timeouts.load(), 0U);
}

TEST(Records, LengthsSayWhatTheyCannotSay) {
  EXPECT_EQ(ticks_between(10, 10), 0U);
  EXPECT_EQ(ticks_between(10, 25), 15U);
  EXPECT_EQ(ticks_between(25, 10), kBackwards);
  EXPECT_EQ(ticks_between(0, 0xFFFFFFFD), 0xFFFFFFFDU);
  EXPECT_EQ(ticks_between(0, 0xFFFFFFFE), kTooLong);
  EXPECT_EQ(ticks_between(0, ~uint64_t{0}), kTooLong);
  EXPECT_TRUE(is_length(0xFFFFFFFD));
  EXPECT_FALSE(is_length(kBackwards));
  EXPECT_FALSE(is_length(kTooLong));
}

}  // namespace
}  // namespace accelscope::recorder
