// A chip's run from JSON to a Perfetto file, end to end (read, make the trace, draw, encode), beside the
// floor: copying the bytes that go in and those that come out.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "formats/chip_run/chip_run_files.h"
#include "formats/chip_swimlane/capture_writer.h"
#include "formats/chip_swimlane/sample_captures.h"
#include "formats/perfetto/perfetto_writer.h"
#include "views/swimlane/swimlane_picture.h"

namespace {

namespace base = accelscope::base;
namespace chip_run = accelscope::formats::chip_run;
namespace chip_swimlane = accelscope::formats::chip_swimlane;
namespace perfetto = accelscope::formats::perfetto;
namespace views = accelscope::views;

constexpr std::uint64_t kTasks = 96'001;

// What a file would get, without a disk's moods.
class DiscardingOutput final : public base::Output {
 public:
  DiscardingOutput() { grow_to(kBufferBytes); }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;
  void make_room(std::size_t size) override {
    drained_ += used_;
    used_ = 0;
    if (capacity_ < size) grow_to(size);
  }
};

const base::MappedFile& input() {
  static const base::MappedFile kFile = [] {
    base::MemoryOutput out;
    chip_swimlane::write_synthetic_run({.tasks = kTasks, .level = 2}, out);
    return base::MappedFile::from_memory("bench.json", out.bytes());
  }();
  return kFile;
}

// The number of bytes written; 0 when something failed.
std::uint64_t convert_once() {
  const auto trace = chip_run::read_run(input(), chip_run::Siblings{});
  if (!trace) return 0;
  const auto picture = views::swimlane_picture(*trace);
  if (!picture) return 0;
  DiscardingOutput out;
  return perfetto::write(*picture, out) ? out.written() : 0;
}

void set_rates(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(input().size()) * state.iterations());
  state.counters["tasks/s"] = benchmark::Counter(
      static_cast<double>(kTasks) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void copy_in_and_out(benchmark::State& state) {
  const std::string_view text = input().text();
  const std::uint64_t written = convert_once();
  std::vector<char> copy(std::max<std::uint64_t>(text.size(), written));
  const std::vector<char> result(written);
  for (auto step : state) {
    static_cast<void>(step);
    std::memcpy(copy.data(), text.data(), text.size());
    benchmark::DoNotOptimize(copy.data());
    std::memcpy(copy.data(), result.data(), result.size());
    benchmark::ClobberMemory();
  }
  set_rates(state);
}
BENCHMARK(copy_in_and_out)->Unit(benchmark::kMillisecond)->UseRealTime();

void convert(benchmark::State& state) {
  std::uint64_t written = 0;
  for (auto step : state) {
    static_cast<void>(step);
    written = convert_once();
    if (written == 0) {
      state.SkipWithError("not converted");
      return;
    }
  }
  set_rates(state);
  state.counters["bytes/task"] = static_cast<double>(written) / static_cast<double>(kTasks);
}
BENCHMARK(convert)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
