// Chip swimlane JSON to rows, and back, beside the floor: a sum over the same bytes.
#include <benchmark/benchmark.h>

#include <cstring>

#include "formats/chip_swimlane/capture.h"
#include "formats/chip_swimlane/capture_writer.h"
#include "formats/chip_swimlane/sample_captures.h"

namespace {

namespace base = accelscope::base;
namespace chip_swimlane = accelscope::formats::chip_swimlane;

constexpr std::uint64_t kTasks = 2'000'000;

base::MappedFile make_file(int level) {
  base::MemoryOutput out;
  chip_swimlane::write_synthetic_run({.tasks = kTasks, .level = level}, out);
  return base::MappedFile::from_memory("bench.json", out.bytes());
}

const base::MappedFile& file_of_level(int level) {
  static const base::MappedFile kLevel2 = make_file(2);
  static const base::MappedFile kLevel4 = make_file(4);
  return level == 2 ? kLevel2 : kLevel4;
}

void set_rates(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  state.counters["tasks/s"] = benchmark::Counter(
      static_cast<double>(kTasks) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void sum_words(benchmark::State& state) {
  const std::string_view text = file_of_level(static_cast<int>(state.range(0))).text();
  for (auto step : state) {
    static_cast<void>(step);
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at + 8 <= text.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, sizeof word);
      sum += word;
    }
    benchmark::DoNotOptimize(sum);
  }
  set_rates(state, text.size());
}
BENCHMARK(sum_words)->Arg(2)->Arg(4)->Unit(benchmark::kMillisecond);

void read_rows(benchmark::State& state) {
  const base::MappedFile& file = file_of_level(static_cast<int>(state.range(0)));
  for (auto step : state) {
    static_cast<void>(step);
    const auto capture = chip_swimlane::read_capture(file);
    if (!capture || capture->counts.core_rows != kTasks || !capture->quality.rows().empty()) {
      state.SkipWithError("not read as it was written");
      return;
    }
  }
  set_rates(state, file.size());
}
BENCHMARK(read_rows)->Arg(2)->Arg(4)->Unit(benchmark::kMillisecond);

void write_rows(benchmark::State& state) {
  const base::MappedFile& file = file_of_level(static_cast<int>(state.range(0)));
  const auto capture = chip_swimlane::read_capture(file);
  if (!capture) return;
  base::MemoryOutput out;
  for (auto step : state) {
    static_cast<void>(step);
    out.clear();
    chip_swimlane::write_capture(*capture, out);
  }
  set_rates(state, file.size());
}
BENCHMARK(write_rows)->Arg(2)->Arg(4)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
