// A run in which everything goes wrong that can, at moments that a seed chooses: the sink stalls, fails or
// throws, the threads of the collector starve or end, producers end in the middle of a buffer, never flush or
// go on after the end. Whatever happens, accounts add up, no record arrives that nobody made, and nobody
// waits beyond the limits.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "capture/flight_recorder.h"
#include "capture/producers.h"

namespace accelscope::capture::tests {

enum class Behaviour : std::uint8_t { kFlushes, kEndsInTheMiddle, kGoesOn };

struct ProducerPlan {
  Behaviour behaviour = Behaviour::kFlushes;
  std::uint64_t records = 0;
  std::uint64_t rest_every = 0;  // 0: never
};

struct StressPlan {
  std::vector<ProducerPlan> producers;
  PoolSpec pool;
  CollectorOptions options;
  recorder::Policy policy = recorder::Policy::kBlock;
  std::uint64_t wait_limit = 0;
  bool copied = false;
  bool overwrite = false;
  std::int64_t manager_ends_at = -1;
  std::int64_t collector_ends_at = -1;
  std::chrono::microseconds manager_stall{0};
  std::chrono::microseconds sink_stall{0};
  std::uint64_t sink_fails_at = ~std::uint64_t{0};
  bool sink_throws = false;
};

inline StressPlan plan_of(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  const auto one_in = [&](std::uint64_t n) { return below(n) == 0; };
  StressPlan plan;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t number = 0; number <= below(4); ++number) numbers.push_back(3 * number);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    plan.producers.push_back({.behaviour = one_in(4)   ? Behaviour::kEndsInTheMiddle
                                           : one_in(8) ? Behaviour::kGoesOn
                                                       : Behaviour::kFlushes,
                              .records = below(2000),
                              .rest_every = one_in(2) ? 1 + below(300) : 0});
  plan.pool = edges(numbers, static_cast<std::uint32_t>(1 + below(16)));
  plan.pool.buffers_per_lane = static_cast<std::uint32_t>(1 + below(8));
  plan.options.limits = {.flush = std::chrono::milliseconds(below(10)),
                         .drain = std::chrono::milliseconds(one_in(3) ? below(3) : 1000),
                         .freeze = std::chrono::milliseconds(one_in(3) ? 0 : below(20))};
  plan.options.watermarks = {.low = 1, .high = static_cast<std::uint32_t>(1 + below(8))};
  plan.policy = one_in(2) ? recorder::Policy::kDrop : recorder::Policy::kBlock;
  plan.wait_limit = one_in(2) ? below(2000) : ~std::uint64_t{0};
  plan.copied = one_in(2);
  plan.overwrite = plan.policy == recorder::Policy::kDrop && one_in(2);
  if (one_in(4)) plan.manager_ends_at = static_cast<std::int64_t>(below(3000));
  if (one_in(4)) plan.collector_ends_at = static_cast<std::int64_t>(below(100));
  if (one_in(3)) plan.manager_stall = std::chrono::microseconds(below(300));
  if (one_in(3)) plan.sink_stall = std::chrono::microseconds(below(500));
  if (one_in(3)) plan.sink_fails_at = below(100);
  plan.sink_throws = one_in(2);
  return plan;
}

// What a producer did, as the test itself knows it.
struct Made {
  std::uint64_t records = 0;
  bool flushed = false;
};

inline Made carry_out(const StressPlan& plan, std::size_t index, const Collector& collector,
                      const std::atomic<bool>& over) {
  const ProducerPlan& mine = plan.producers[index];
  const std::uint32_t number = plan.pool.producers[index];
  const auto parts = collector.writer_parts(recorder::RecordKind::kEdge, number);
  CountingPlatform platform;
  EdgeWriter writer(
      *parts->lane, *parts->gate, parts->buffers,
      {.producer = number, .generation = 1, .policy = plan.policy, .wait_limit = plan.wait_limit}, platform);
  Made made;
  const auto goes_on = [&] {
    return mine.behaviour == Behaviour::kGoesOn && !over.load(std::memory_order_relaxed);
  };
  for (; made.records < mine.records || goes_on(); ++made.records) {
    writer.put(patterned(number, made.records));
    if (mine.rest_every != 0 && made.records % mine.rest_every == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  if (mine.behaviour == Behaviour::kFlushes) {
    writer.flush();
    made.flushed = true;
  }
  return made;
}

inline void check_lane(const LaneReport& lane, const Made& made, Behaviour behaviour,
                       const Arrived& arrived) {
  const auto numbers = arrived.numbers.find(lane.producer);
  EXPECT_EQ(numbers == arrived.numbers.end() ? 0 : numbers->second.size(), lane.collected);
  EXPECT_EQ(lane.refused_buffers, 0U);
  EXPECT_LE(lane.produced, made.records);
  // One that goes on may begin after the end, and hands over more while its account is read.
  if (behaviour == Behaviour::kGoesOn) {
    EXPECT_LE(lane.collected + lane.all_dropped(), lane.produced);
    return;
  }
  EXPECT_EQ(lane.collected + lane.all_dropped(), lane.produced);
  EXPECT_EQ(lane.flushed(), made.flushed);
  if (made.flushed) {
    EXPECT_EQ(lane.produced, made.records);
  }
}

// Whatever fired or failed has its sentence.
inline void check_remarks(const CollectorReport& report) {
  std::uint64_t timeouts = 0;
  std::uint64_t dropped = 0;
  for (const LaneReport& lane : report.lanes) {
    timeouts += lane.timeouts;
    dropped += lane.all_dropped();
  }
  // Also of one that begins while the run is being stopped.
  EXPECT_TRUE(has_remark(report, "collector.not_flushed") || !report.flush_limit_fired);
  EXPECT_EQ(has_remark(report, "collector.drain_limit"), report.drain_limit_fired);
  EXPECT_EQ(has_remark(report, "collector.freeze_limit"), report.freeze_limits_fired > 0);
  EXPECT_EQ(has_remark(report, "collector.wait_limit"), timeouts > 0);
  EXPECT_EQ(has_remark(report, "collector.dropped"), dropped > 0);
  EXPECT_EQ(has_remark(report, "collector.sink_failed"), report.sink_failed);
  EXPECT_EQ(has_remark(report, "collector.thread_ended"), report.collector_died || report.manager_died);
}

inline void stress(std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  const StressPlan plan = plan_of(seed);
  FaultyMemory memory(plan.copied ? device::copied_memory() : device::mapped_memory());
  memory.load_at = plan.manager_ends_at;
  memory.read_at = plan.collector_ends_at;
  memory.stall = plan.manager_stall;
  Arrived arrived;
  arrived.slow = plan.sink_stall;
  arrived.fail_at = plan.sink_fails_at;
  arrived.by_exception = plan.sink_throws;
  FlightRecorder flight({.bytes = base::Bytes{5000}});
  const auto collector =
      Collector::make(memory, {plan.pool}, plan.options, plan.overwrite ? flight.sink() : arrived.take());
  ASSERT_TRUE(collector && (*collector)->start());
  std::atomic<bool> over = false;
  std::vector<Made> made(plan.producers.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < made.size(); ++i)
    threads.emplace_back([&, i] { made[i] = carry_out(plan, i, **collector, over); });
  // Those that end, end before the stop; those that go on, after it.
  for (std::size_t i = 0; i < made.size(); ++i)
    if (plan.producers[i].behaviour != Behaviour::kGoesOn) threads[i].join();
  CollectorReport report = (*collector)->stop();
  check_remarks(report);
  over = true;
  for (std::thread& thread : threads)
    if (thread.joinable()) thread.join();
  if (plan.overwrite) settle(report, flight.save(arrived.take()));
  EXPECT_EQ(arrived.phantoms, 0U);
  for (std::size_t i = 0; i < made.size(); ++i)
    check_lane(report.lanes[i], made[i], plan.producers[i].behaviour, arrived);
  EXPECT_EQ(report.error.has_value(), report.sink_failed || report.collector_died || report.manager_died);
}

}  // namespace accelscope::capture::tests
