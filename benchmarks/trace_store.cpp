// Building and walking a trace of ten million slices: time per slice, and memory beside the 48 bytes a slice
// must take.
//
// Floors in the same run: filling and summing a plain array of the same bytes.
#include <fmt/core.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "trace/self_time.h"
#include "trace/summary.h"
#include "trace/trace_builder.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
using trace::Ticks;

constexpr std::uint32_t kSlices = 10'000'000;
constexpr std::uint32_t kTracks = 64;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double peak_megabytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void report(std::string_view what, double seconds) {
  fmt::print("{:<58} {:8.3f} s  {:8.1f} M slices/s\n", what, seconds, kSlices / seconds / 1e6);
}

// Tasks of many cores as a recorder delivers them: cores interleaved, completion order, three levels deep.
trace::Trace build(bool interleaved) {
  trace::TraceBuilder builder;
  const trace::ClockId clock = builder.add_clock({builder.intern("chip"), base::Frequency::mhz(50)});
  std::vector<trace::TrackId> tracks;
  for (std::uint32_t i = 0; i < kTracks; ++i)
    tracks.push_back(builder.add_track({.name = builder.intern(fmt::format("core {}", i)), .clock = clock},
                                       trace::Nesting::kByCompletion));
  const trace::StringId names[] = {builder.intern("setup"), builder.intern("kernel"), builder.intern("task")};
  for (std::uint32_t i = 0; i < kSlices; ++i) {
    const std::uint32_t task = i / 3;
    const std::uint32_t track = interleaved ? task % kTracks : task / (kSlices / 3 / kTracks + 1);
    const std::int64_t start = std::int64_t{task} * 100;
    const std::int64_t offsets[] = {0, 30, 0};
    const std::int64_t durations[] = {30, 60, 95};
    builder.add_slice({.track = tracks[track],
                       .start = Ticks{start + offsets[i % 3]},
                       .duration = Ticks{durations[i % 3]},
                       .name = names[i % 3]});
  }
  return std::move(*std::move(builder).finish());
}

}  // namespace

int main() {
  fmt::print("{} slices on {} tracks, {} bytes each\n", kSlices, kTracks, trace::SliceTable::kRowBytes);
  {
    const auto start = std::chrono::steady_clock::now();
    const auto plain = std::make_unique_for_overwrite<std::uint64_t[]>(std::size_t{kSlices} * 6);
    for (std::size_t i = 0; i < std::size_t{kSlices} * 6; ++i) plain[i] = i;
    report("floor: filling a fresh plain array of 48 bytes a slice", seconds_since(start));
    const auto summing = std::chrono::steady_clock::now();
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kSlices; ++i) sum += plain[i];
    report(fmt::format("floor: summing one 8-byte column (sum {})", sum % 10), seconds_since(summing));
  }
  const double before = peak_megabytes();
  for (const bool interleaved : {false, true}) {
    const auto start = std::chrono::steady_clock::now();
    const trace::Trace built = build(interleaved);
    report(interleaved ? "build, nest and sort, tracks interleaved" : "build, nest and sort, track by track",
           seconds_since(start));
    const auto walking = std::chrono::steady_clock::now();
    std::int64_t total = 0;
    for (std::uint32_t row = 0; row < built.slices().size();) {
      const std::span<const Ticks> chunk = built.slices().duration.chunk_from(row);
      for (const Ticks duration : chunk) total += duration.value;
      row += static_cast<std::uint32_t>(chunk.size());
    }
    report(fmt::format("  sum of durations, chunk by chunk (sum {})", total % 10), seconds_since(walking));
    const auto summarising = std::chrono::steady_clock::now();
    const trace::TraceSummary summary = trace::summarise(built);
    report(fmt::format("  self times and summary ({} overlaps)", summary.overlapping_slices),
           seconds_since(summarising));
    fmt::print("  held {:.0f} MB, peak of the process {:.0f} MB ({:.0f} MB before)\n",
               static_cast<double>(built.memory_bytes()) / 1048576.0, peak_megabytes(), before);
  }
}
