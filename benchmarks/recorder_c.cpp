// What a core's task costs by the C functions, with the collector that they bring along and a file that
// nobody keeps: in bursts of three buffers, one less than a core has, with time for the collector in between,
// so that buffers come back from its cache. bench_recorder has the C++ hooks.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "accelscope/accelscope_recorder.h"
#include "accelscope/recorder/counter_platform.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kCalls = 3 * 1024;
constexpr int kBursts = 400;

// Nanoseconds of each call, by burst, sorted.
template <class Once>
std::vector<double> times_of(Once&& once, std::chrono::milliseconds rest) {
  std::vector<double> times(kBursts);
  for (double& time : times) {
    const auto from = Clock::now();
    for (std::uint32_t i = 0; i < kCalls; ++i) once();
    time = std::chrono::duration<double, std::nano>(Clock::now() - from).count() / kCalls;
    std::this_thread::sleep_for(rest);
  }
  std::sort(times.begin(), times.end());
  return times;
}

std::vector<double> record(std::uint64_t flags) {
  accelscope_config config = ACCELSCOPE_CONFIG_INIT;
  config.path = "/dev/null";
  config.replace = 1;
  config.dfx_flags = flags;
  config.cores = 1;
  config.policy = ACCELSCOPE_DROP;
  char error[256] = {};
  accelscope_recording* recording = accelscope_begin(&config, error, sizeof error);
  if (recording == nullptr) {
    fmt::print("{}\n", error);
    return std::vector<double>(kBursts);
  }
  accelscope_core* core = accelscope_core_of(recording, 0);
  std::uint32_t sequence = 0;
  const auto task = [&] {
    accelscope_core_receive(core);
    accelscope_core_start(core);
    ++sequence;
    accelscope_core_end(core, sequence, sequence, 0);
  };
  std::vector<double> times = times_of(task, std::chrono::milliseconds(flags != 0 ? 4 : 0));
  accelscope_core_flush(core);
  accelscope_summary summary;
  accelscope_end(recording, &summary);
  if (summary.dropped > 0) fmt::print("lost records: {} of {}\n", summary.dropped, summary.produced);
  return times;
}

void print(const char* what, double median, double best) {
  fmt::print("{:<46} {:7.2f} ns (best tenth: {:.2f})\n", what, median, best);
}

}  // namespace

int main() {
  accelscope::recorder::CounterPlatform platform;
  const auto read_once = [&] {
    const std::uint64_t ticks = platform.now();
    asm volatile("" : : "r"(ticks));
  };
  constexpr std::size_t kMedian = kBursts / 2;
  constexpr std::size_t kBest = kBursts / 10;
  const std::vector<double> read = times_of(read_once, std::chrono::milliseconds(0));
  const std::vector<double> task = record(ACCELSCOPE_CORE_TIMING);
  const std::vector<double> off = record(0);
  print("floor: one timestamp read", read[kMedian], read[kBest]);
  print("a task by three C functions, three reads", task[kMedian], task[kBest]);
  print("  beyond its three reads", task[kMedian] - 3 * read[kMedian], task[kBest] - 3 * read[kBest]);
  print("one C function, the feature off", off[kMedian] / 3, off[kBest] / 3);
}
