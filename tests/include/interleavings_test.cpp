// A producer with two buffers of two records, a manager that passes full buffers on and empty ones back and
// then stops, and a collector that reads them: in every order that their accesses can have, nothing is lost
// that is not counted and nothing is there twice.
#include "include/interleavings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <new>

#include "accelscope/recorder/record_writer.h"

namespace accelscope::recorder {
namespace {

using tests::Explorer;
using tests::SteppedAtomic;

struct NoClock {
  uint64_t time = 0;
  uint64_t now() { return ++time; }
  void relax() {}
};

constexpr uint32_t kBuffers = 2;
constexpr uint32_t kRecords = 2;

using Writer = RecordWriter<EdgeRecord, NoClock, SteppedAtomic>;
using HostRing = SpscRing<uint32_t, 2, SteppedAtomic>;

// What the host has seen of the producer's stream.
struct Collected {
  std::array<uint64_t, 16> numbers = {};  // that the producer gave its records
  uint32_t count = 0;
  uint64_t lost = 0;  // as headers say
  uint64_t next_record = 0;
  uint32_t next_buffer = 0;
  bool consistent = true;

  void take(const BufferHeader* header) {
    consistent = consistent && header->magic == kBufferMagic && header->buffer_number == next_buffer &&
                 header->first_record == next_record + header->dropped_before && header->count <= kRecords;
    ++next_buffer;
    lost += header->dropped_before;
    next_record = header->first_record + header->count;
    for (uint32_t i = 0; i < header->count; ++i)
      numbers[count++] = records_of<EdgeRecord>(header)[i].producer;
  }
};

struct Shared {
  static constexpr uint64_t kStride = buffer_bytes<EdgeRecord>(kRecords);

  explicit Shared(Policy policy)
      : writer(lane, gate, {memory, kStride, kRecords}, {.policy = policy, .wait_limit = 3}, clock) {
    for (uint32_t buffer = 0; buffer < kBuffers; ++buffer) lane.free.push(buffer);
  }
  const BufferHeader* buffer(uint32_t number) {
    return reinterpret_cast<const BufferHeader*>(memory + number * kStride);
  }

  alignas(64) unsigned char memory[kBuffers * kStride] = {};
  Lane<SteppedAtomic> lane;
  Gate<SteppedAtomic> gate;
  HostRing to_collector;
  HostRing to_manager;
  NoClock clock;
  Writer writer;
  Collected collected;
};
static_assert(sizeof(Shared) <= Explorer::kSharedBytes);

void produce(Shared& shared, uint64_t records) {
  for (uint64_t number = 0; number < records; ++number) {
    Explorer::at(1, number);
    shared.writer.put({.producer = number, .consumer = 0, .reason = EdgeReason::kFanout, .argument = 0});
  }
  Explorer::at(2);
  shared.writer.flush();
  Explorer::at(3);
}

void manage(Shared& shared, uint32_t rounds) {
  uint32_t buffer = 0;
  for (uint32_t round = 0; round < rounds; ++round) {
    Explorer::at(4, round);
    if (shared.lane.ready.pop(buffer)) shared.to_collector.push(buffer);
    Explorer::at(5, round);
    if (shared.to_manager.pop(buffer)) shared.lane.free.push(buffer);
  }
  // The host's stop: whoever waits now waits no longer.
  Explorer::at(9);
  shared.gate.stopped.store(1);
  Explorer::at(6);
}

void collect(Shared& shared, uint32_t rounds) {
  uint32_t buffer = 0;
  for (uint32_t round = 0; round < rounds; ++round) {
    Explorer::at(7, round);
    if (!shared.to_collector.pop(buffer)) continue;
    shared.collected.take(shared.buffer(buffer));
    shared.to_manager.push(buffer);
  }
  Explorer::at(8);
}

// The host's stop: whoever is left takes what is on the way, oldest first.
void drain(Shared& shared) {
  uint32_t buffer = 0;
  while (shared.to_collector.pop(buffer)) shared.collected.take(shared.buffer(buffer));
  while (shared.lane.ready.pop(buffer)) shared.collected.take(shared.buffer(buffer));
}

uint64_t dropped(Shared& shared) {
  uint64_t sum = 0;
  for (auto& reason : shared.lane.dropped) sum += reason.load();
  return sum;
}

struct Outcome {
  std::size_t states = 0;
  std::size_t ends = 0;
  uint64_t fewest_lost = ~uint64_t{0};
  uint64_t most_lost = 0;
  uint64_t most_lost_to_the_stop = 0;
};

Outcome explore(Policy policy, uint64_t records, uint32_t rounds) {
  Explorer explorer(sizeof(Shared));
  Shared& shared = *new (explorer.shared()) Shared(policy);
  Outcome outcome;
  outcome.states = explorer.explore(
      {[&] { produce(shared, records); }, [&] { manage(shared, rounds); }, [&] { collect(shared, rounds); }},
      [&] {
        ++outcome.ends;
        drain(shared);
        const Collected& seen = shared.collected;
        const uint64_t lost = dropped(shared);
        EXPECT_TRUE(seen.consistent);
        EXPECT_EQ(shared.lane.state.load(), LaneState::kFlushed);
        EXPECT_EQ(shared.lane.produced.load(), records);
        EXPECT_EQ(seen.count + lost, records);
        for (uint32_t i = 1; i < seen.count; ++i) EXPECT_LT(seen.numbers[i - 1], seen.numbers[i]);
        outcome.fewest_lost = std::min(outcome.fewest_lost, lost);
        outcome.most_lost = std::max(outcome.most_lost, lost);
        outcome.most_lost_to_the_stop =
            std::max(outcome.most_lost_to_the_stop,
                     shared.lane.dropped[static_cast<uint32_t>(DropReason::kStopped)].load());
      });
  return outcome;
}

// A ring so small that every slot is used again and again.
struct Queue {
  SpscRing<uint32_t, 1, SteppedAtomic> ring;
  std::array<uint32_t, 8> popped = {};
  uint32_t pushed_count = 0;
  uint32_t popped_count = 0;
};

TEST(Interleavings, ARingGivesWhatItWasGivenInEveryOrder) {
  constexpr uint32_t kAttempts = 5;
  Explorer explorer(sizeof(Queue));
  Queue& queue = *new (explorer.shared()) Queue;
  uint32_t most = 0;
  const auto push = [&] {
    for (uint32_t attempt = 0; attempt < kAttempts; ++attempt) {
      Explorer::at(1, attempt);
      if (queue.ring.push(queue.pushed_count + 1)) ++queue.pushed_count;
    }
    Explorer::at(2);
  };
  const auto pop = [&] {
    for (uint32_t attempt = 0; attempt < kAttempts; ++attempt) {
      Explorer::at(3, attempt);
      uint32_t value = 0;
      if (queue.ring.pop(value)) queue.popped[queue.popped_count++] = value;
    }
    Explorer::at(4);
  };
  const std::size_t states = explorer.explore({push, pop}, [&] {
    uint32_t value = 0;
    while (queue.ring.pop(value)) queue.popped[queue.popped_count++] = value;
    EXPECT_EQ(queue.popped_count, queue.pushed_count);
    for (uint32_t i = 0; i < queue.popped_count; ++i) EXPECT_EQ(queue.popped[i], i + 1);
    most = std::max(most, queue.popped_count);
  });
  EXPECT_EQ(most, kAttempts);
  EXPECT_GT(states, 500U);
}

TEST(Interleavings, DroppedRecordsAreCountedInEveryOrder) {
  const Outcome outcome = explore(Policy::kDrop, 7, 4);
  EXPECT_GT(outcome.states, 10'000U);
  EXPECT_EQ(outcome.fewest_lost, 0U) << "a host that is fast enough loses nothing";
  EXPECT_EQ(outcome.most_lost, 3U) << "a host that does nothing loses all but two buffers";
  RecordProperty("states", static_cast<int>(outcome.states));
}

TEST(Interleavings, WaitingProducersLoseOnlyWhatTheirLimitCosts) {
  const Outcome outcome = explore(Policy::kBlock, 5, 3);
  EXPECT_GT(outcome.states, 10'000U);
  EXPECT_EQ(outcome.fewest_lost, 0U);
  EXPECT_EQ(outcome.most_lost, 1U);
  EXPECT_EQ(outcome.most_lost_to_the_stop, 1U) << "some were waiting when the host stopped";
  RecordProperty("states", static_cast<int>(outcome.states));
}

}  // namespace
}  // namespace accelscope::recorder
