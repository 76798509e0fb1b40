// What a record costs a device: the hooks of a core's task beside the timestamp reads that they contain, in
// bursts that fit the pool, with buffers that were touched before.
#include <fmt/format.h>

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
constexpr int kBursts = 400;

struct Pool {
  Pool() : memory((stride * kLaneBuffers) / sizeof(BufferHeader)) {
    std::memset(static_cast<void*>(memory.data()), 1, stride * kLaneBuffers);
  }
  BufferArray array() { return {reinterpret_cast<unsigned char*>(memory.data()), stride, kRecords}; }

  std::uint64_t stride = buffer_bytes<CoreTaskRecord>(kRecords);
  std::vector<BufferHeader> memory;
};

// The median over bursts, in nanoseconds per call of `once`.
template <class Burst>
double nanoseconds_each(Burst&& burst) {
  std::vector<double> times;
  for (int i = 0; i < kBursts; ++i) times.push_back(burst());
  std::nth_element(times.begin(), times.begin() + kBursts / 2, times.end());
  return times[kBursts / 2] / kBurst;
}

template <class Once>
double timed(Once&& once) {
  const auto from = Clock::now();
  for (std::uint32_t i = 0; i < kBurst; ++i) once(i);
  return std::chrono::duration<double, std::nano>(Clock::now() - from).count();
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

}  // namespace

int main() {
  Pool pool;
  CounterPlatform platform;
  std::uint64_t sum = 0;
  const double loop = nanoseconds_each([&] {
    return timed([&](std::uint32_t i) { asm volatile("" : : "r"(i)); });
  });
  const double read = nanoseconds_each([&] { return timed([&](std::uint32_t) { sum += platform.now(); }); });
  const double record = nanoseconds_each([&] { return record_burst(accelscope::kDfxCoreTiming, pool); });
  const double disabled = nanoseconds_each([&] { return record_burst(0, pool); });
  fmt::print("floor: one timestamp read                     {:7.2f} ns\n", read - loop);
  fmt::print("a task record with its three reads            {:7.2f} ns\n", record - loop);
  fmt::print("  beyond its three reads                      {:7.2f} ns, {:.2f} of one read\n",
             record - loop - 3 * (read - loop), (record - loop - 3 * (read - loop)) / (read - loop));
  fmt::print("the three hooks with the feature off          {:7.2f} ns, {:.2f} ns each\n", disabled - loop,
             (disabled - loop) / 3);
  fmt::print("bytes per record in memory                    {:7.2f}\n",
             static_cast<double>(pool.stride) / kRecords);
  fmt::print("(checksum {})\n", sum % 10);
}
