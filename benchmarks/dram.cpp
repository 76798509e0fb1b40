// What simulating a DRAM costs: bursts a second of HBM2 with eight channels, request by request and as one
// run, sequential and random, with and without the reasons of idle time; and the reference's ticking
// controller.
//
// Floor in the same run: copying as many bytes as the bursts carry, and making the requests alone. Times are
// those of the processor: one thread does all of it.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "base/splitmix.h"
#include "memory/dram.h"
#include "memory/dram_preset_file.h"
#include "processor_time.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
using memory::DramOptions;
using memory::Timing;

constexpr int kRepetitions = 3;
constexpr std::uint64_t kSpan = std::uint64_t{2} << 30U;
constexpr std::uint64_t kUnderWay = 1024;

std::uint64_t sum_of_results = 0;  // printed, so that nothing is optimised away

double seconds_of(const std::function<void()>& work) {
  return benchmarks::best_processor_seconds(kRepetitions, work);
}

void print(std::string_view what, double seconds, std::uint64_t bursts, std::uint64_t bytes) {
  fmt::print("{:<46} {:8.1f} ms {:9.2f} M bursts/s {:9.0f} MB/s\n", what, seconds * 1e3,
             static_cast<double>(bursts) / seconds * 1e-6,
             static_cast<double>(bursts * bytes) / seconds * 1e-6);
}

enum class Pattern { kStream, kRandom };

std::uint64_t address_of(Pattern pattern, std::uint64_t i, std::uint64_t bytes) {
  const std::uint64_t index = pattern == Pattern::kStream ? i : base::splitmix(i * base::kSplitmixStep);
  return index * bytes % kSpan;
}

// A request for every burst; as one is done the next one comes.
void one_by_one(Timing& dram, Pattern pattern, std::uint64_t count, std::uint64_t bytes) {
  std::uint64_t i = 0;
  const base::Bytes size{static_cast<std::int64_t>(bytes)};
  for (; i < std::min(kUnderWay, count); ++i)
    dram.submit({.address = address_of(pattern, i, bytes), .size = size});
  while (const auto done = dram.next(base::Picoseconds::max())) {
    sum_of_results += static_cast<std::uint64_t>(done->time.value);
    if (i < count)
      dram.submit({.address = address_of(pattern, i++, bytes), .size = size, .arrival = done->time});
  }
}

void measure(std::string_view what, const char* preset_name, const DramOptions& options, Pattern pattern,
             std::uint64_t count) {
  const auto preset = *memory::load_dram_preset(preset_name);
  const auto bytes = static_cast<std::uint64_t>(preset.burst_bytes().value);
  print(what, seconds_of([&] {
          const auto dram = *memory::make_dram(preset, options);
          one_by_one(*dram, pattern, count, bytes);
        }),
        count, bytes);
}

void measure_run(std::string_view what, const char* preset_name, const DramOptions& options,
                 std::uint64_t count) {
  const auto preset = *memory::load_dram_preset(preset_name);
  const auto bytes = static_cast<std::uint64_t>(preset.burst_bytes().value);
  print(what, seconds_of([&] {
          const auto dram = *memory::make_dram(preset, options);
          const std::vector<memory::Request> run{
              {.address = 0, .size = {static_cast<std::int64_t>(count * bytes)}}};
          sum_of_results += static_cast<std::uint64_t>(memory::finish_all(*dram, run).value);
        }),
        count, bytes);
}

}  // namespace

int main() {
  constexpr std::uint64_t kBursts = 2'000'000;
  constexpr std::uint64_t kRandomBursts = 500'000;
  std::vector<char> from(kBursts * 32, 1);
  std::vector<char> to(kBursts * 32);
  print("floor: copying their bytes", seconds_of([&] {
          std::copy(from.begin(), from.end(), to.begin());
          sum_of_results += static_cast<unsigned char>(to[kBursts]);
        }),
        kBursts, 32);
  print("floor: making random requests", seconds_of([&] {
          for (std::uint64_t i = 0; i < kBursts; ++i) sum_of_results += address_of(Pattern::kRandom, i, 32);
        }),
        kBursts, 32);
  const DramOptions plain{.channels = 8};
  const DramOptions silent{.channels = 8, .reasons = false};
  measure("HBM2 x8 stream, a request a burst", "hbm2", plain, Pattern::kStream, kBursts);
  measure("HBM2 x8 stream, without reasons", "hbm2", silent, Pattern::kStream, kBursts);
  measure("HBM2 x8 random", "hbm2", plain, Pattern::kRandom, kRandomBursts);
  measure("HBM2 x8 random, without reasons", "hbm2", silent, Pattern::kRandom, kRandomBursts);
  measure_run("HBM2 x8 stream, one run", "hbm2", plain, 50'000'000);
  measure_run("HBM2 x8 stream, one run, rows in one piece", "hbm2",
              {.channels = 8, .map = memory::MapKind::kRoBaRaCoCh}, 50'000'000);
  measure("HBM3 x16 stream, a request a burst", "hbm3", {}, Pattern::kStream, kBursts);
  measure("HBM3 x16 random", "hbm3", {}, Pattern::kRandom, kRandomBursts);
  measure("DDR4-2400 stream, a request a burst", "ddr4-2400", {}, Pattern::kStream, kBursts);
  measure("DDR4-2400 random", "ddr4-2400", {}, Pattern::kRandom, kRandomBursts);
  measure("reference HBM2 x8 stream", "reference-hbm2-patched", {}, Pattern::kStream, 100'000);
  fmt::print("(checksum {})\n", sum_of_results);
  return 0;
}
