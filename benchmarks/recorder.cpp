// What a record costs a device: the hooks of a core's task beside the timestamp reads that they contain, in
// bursts that fit the pool, with buffers that were touched before.
//
// Everything takes turns, burst by burst. A figure is the median over turns, and a difference is the median
// of the differences within one turn, so that a change of the processor's speed, which hits both sides alike,
// takes no part in it. Beside it, the same of the tenth percentile of every time: where others use the
// machine, that is nearer to the truth.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <vector>

#include "accelscope/recorder/counter_platform.h"
#include "accelscope/recorder/recorders.h"

namespace {

using namespace accelscope::recorder;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kRecords = 1024;
constexpr std::uint32_t kBurst = kRecords * kLaneBuffers;
constexpr int kTurns = 1000;

struct Pool {
  Pool() : memory((stride * kLaneBuffers) / sizeof(BufferHeader)) {
    std::memset(static_cast<void*>(memory.data()), 1, stride * kLaneBuffers);
  }
  BufferArray array() { return {reinterpret_cast<unsigned char*>(memory.data()), stride, kRecords}; }

  std::uint64_t stride = buffer_bytes<CoreTaskRecord>(kRecords);
  std::vector<BufferHeader> memory;
};

// Nanoseconds of each call.
template <class Once>
double timed(Once&& once) {
  const auto from = Clock::now();
  for (std::uint32_t i = 0; i < kBurst; ++i) once(i);
  return std::chrono::duration<double, std::nano>(Clock::now() - from).count() / kBurst;
}

double loop_burst() {
  return timed([](std::uint32_t i) { asm volatile("" : : "r"(i)); });
}

double read_burst() {
  CounterPlatform platform;
  return timed([&](std::uint32_t) {
    const std::uint64_t ticks = platform.now();
    asm volatile("" : : "r"(ticks));
  });
}

double record_burst(std::uint64_t flags, Pool& pool) {
  CounterPlatform platform;
  auto lane = std::make_unique<Lane<>>();
  auto gate = std::make_unique<Gate<>>();
  for (std::uint32_t buffer = 0; buffer < kLaneBuffers; ++buffer) lane->free.push(buffer);
  CoreTaskRecorder<CounterPlatform>::Writer writer(*lane, *gate, pool.array(), {.policy = Policy::kDrop},
                                                   platform);
  CoreTaskRecorder recorder(flags, &writer, platform);
  const double time = timed([&](std::uint32_t i) {
    // What the compiler knows of the flags, a device does not.
    asm volatile("" : "+m"(recorder));
    recorder.on_receive();
    recorder.on_start();
    recorder.on_end(i, i, 0);
  });
  writer.flush();
  if (flags != 0 && lane->produced.load() != kBurst) fmt::print("lost records\n");
  return time;
}

struct Turn {
  double read = 0;
  double record = 0;
  double disabled = 0;

  double beyond() const { return record - 3 * read; }
  double beyond_in_reads() const { return beyond() / read; }
};

Turn one_turn(Pool& pool) {
  const double loop = loop_burst();
  return {.read = read_burst() - loop,
          .record = record_burst(accelscope::kDfxCoreTiming, pool) - loop,
          .disabled = record_burst(0, pool) - loop};
}

template <class Value>
double quantile(const std::vector<Turn>& turns, std::size_t percent, Value&& value) {
  std::vector<double> values;
  for (const Turn& turn : turns) values.push_back(value(turn));
  std::sort(values.begin(), values.end());
  return values[values.size() * percent / 100];
}

// The tenth percentile of each time.
Turn best_of(const std::vector<Turn>& turns) {
  return {.read = quantile(turns, 10, [](const Turn& turn) { return turn.read; }),
          .record = quantile(turns, 10, [](const Turn& turn) { return turn.record; }),
          .disabled = quantile(turns, 10, [](const Turn& turn) { return turn.disabled; })};
}

template <class Value>
void print(const char* what, const char* unit, const std::vector<Turn>& turns, Value&& value) {
  fmt::print("{:<46} {:7.2f} {:<12} (best tenth: {:.2f})\n", what, quantile(turns, 50, value), unit,
             value(best_of(turns)));
}

}  // namespace

int main() {
  Pool pool;
  for (int warm_up = 0; warm_up < 10; ++warm_up) one_turn(pool);
  std::vector<Turn> turns;
  for (int i = 0; i < kTurns; ++i) turns.push_back(one_turn(pool));
  print("floor: one timestamp read", "ns", turns, [](const Turn& turn) { return turn.read; });
  print("a task record with its three reads", "ns", turns, [](const Turn& turn) { return turn.record; });
  print("  beyond its three reads", "ns", turns, [](const Turn& turn) { return turn.beyond(); });
  print("  beyond its three reads, at most 0.3", "of one read", turns,
        [](const Turn& turn) { return turn.beyond_in_reads(); });
  print("one of the three hooks, the feature off", "ns", turns,
        [](const Turn& turn) { return turn.disabled / 3; });
  fmt::print("{:<46} {:7.2f}\n", "bytes per record in memory", static_cast<double>(pool.stride) / kRecords);
}
