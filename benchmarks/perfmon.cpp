// Words of a performance monitor, made by a core whose pipes work beside each other: decoded to busy time of
// each pipe in each task, to intervals, and to slices of a trace, as a recording's reader does it.
//
// The floor: memcpy of the same bytes in the same run. One thread, its processor time, so that what others do
// on the machine counts little; the median of a few passes.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "base/splitmix.h"
#include "formats/chip_run/pipe_lanes.h"
#include "formats/chip_run/recorded_pipes.h"
#include "formats/perfmon/busy_sums.h"
#include "formats/perfmon/encoder.h"
#include "formats/perfmon/intervals.h"
#include "processor_time.h"
#include "trace/trace_builder.h"

namespace {

using namespace accelscope;        // NOLINT(google-build-using-namespace): one short program
using namespace formats::perfmon;  // NOLINT(google-build-using-namespace)
using base::Cycles;
using base::Ticks;

constexpr std::size_t kWords = 16'000'000;
constexpr std::uint32_t kCores = 16;  // that share these words where they come from a recording
constexpr std::size_t kWordsOfTask = 200;
constexpr int kPasses = 7;

struct Stream {
  std::vector<std::byte> bytes;
  std::vector<BusyWindow> tasks;
};

// One or two pipes change at a time, after 20 to 1000 cycles; one word of `marks_every` is a mark.
Stream make_stream(std::uint64_t marks_every, std::size_t words = kWords) {
  Stream stream;
  stream.bytes.reserve((words + 8) * kBiuPerf.word_bytes);
  Encoder encoder({.stamp_after = 4096});
  Cycles now{1'000'000};
  unsigned busy = 0;
  for (std::uint64_t i = 0; stream.bytes.size() < words * kBiuPerf.word_bytes; ++i) {
    const std::uint64_t random = base::splitmix((i + 1) * base::kSplitmixStep);
    now += Cycles{20 + static_cast<std::int64_t>(random % 980)};
    const bool mark = marks_every > 0 && (random >> 32U) % marks_every == 0;
    if (!mark) busy ^= 1U << (random >> 16U) % kPipes | (random & 1U) << (random >> 24U) % kPipes;
    const base::Status put = mark ? encoder.mark(now, static_cast<Pipe>((random >> 16U) % kPipes), i % 4096,
                                                 appends_to(stream.bytes))
                                  : encoder.state(now, static_cast<PipeMask>(busy), appends_to(stream.bytes));
    if (!put) std::abort();
    if (i % kWordsOfTask == 0) stream.tasks.push_back({.begin = Ticks{now.value - 100}});
    if (i % kWordsOfTask == kWordsOfTask - 10) stream.tasks.back().end = Ticks{now.value + 3};
  }
  if (stream.tasks.back().end == Ticks{}) stream.tasks.back().end = Ticks{now.value};
  return stream;
}

template <class Work>
double median_seconds(Work work) {
  std::vector<double> seconds;
  for (int pass = 0; pass < kPasses; ++pass) {
    const double start = benchmarks::processor_seconds();
    work();
    seconds.push_back(benchmarks::processor_seconds() - start);
  }
  std::nth_element(seconds.begin(), seconds.begin() + kPasses / 2, seconds.end());
  return seconds[kPasses / 2];
}

void report(std::string_view what, const Stream& stream, double seconds) {
  const double bytes = static_cast<double>(stream.bytes.size());
  fmt::print("{:<66} {:8.0f} MB/s {:8.1f} M words/s\n", what, bytes / seconds / 1e6,
             bytes / kBiuPerf.word_bytes / seconds / 1e6);
}

template <class Layout>
void bench_sums(std::string_view what, const Stream& stream, ClockRatio ratio, Layout layout) {
  std::vector<BusyWindow> tasks = stream.tasks;
  std::int64_t cube = 0;
  const double seconds = median_seconds([&] {
    for (BusyWindow& task : tasks) task = {.begin = task.begin, .end = task.end};
    BusySums sums(tasks);
    Decoder<Layout> decoder(ratio, layout);
    decoder.feed(stream.bytes, sums);
    sums.finish(decoder.time());
    cube = 0;
    for (const BusyWindow& task : tasks) cube += task.busy[static_cast<std::size_t>(Pipe::kCube)].value;
  });
  report(fmt::format("{} (CUBE {})", what, cube), stream, seconds);
}

struct CountingSink {
  std::size_t intervals = 0;
  std::int64_t busy = 0;

  void interval(const BusyInterval& one) {
    ++intervals;
    busy += (one.end - one.begin).value;
  }
  void mark(const Mark&) {}
};

template <class Sink>
Sink made_intervals(const Stream& stream) {
  Sink sink;
  IntervalBuilder builder(sink);
  Decoder<> decoder;
  decoder.feed(stream.bytes, builder);
  builder.finish(decoder.time());
  return sink;
}

void bench_intervals(const Stream& stream) {
  CountingSink counted;
  const double counting = median_seconds([&] { counted = made_intervals<CountingSink>(stream); });
  report(fmt::format("intervals, {} told of and forgotten", counted.intervals), stream, counting);
  const double listing = median_seconds([&] {
    if (made_intervals<IntervalList>(stream).intervals.size() != counted.intervals) std::abort();
  });
  report(fmt::format("intervals in a list, {} bytes each", sizeof(BusyInterval)), stream, listing);
  const std::size_t words = counted.intervals * sizeof(BusyInterval) / sizeof(std::uint64_t);
  const double filling = median_seconds([&] {
    const auto plain = std::make_unique_for_overwrite<std::uint64_t[]>(words);
    for (std::size_t i = 0; i < words; ++i) plain[i] = i;
    if (plain[words / 2] != words / 2) std::abort();
  });
  report("  floor: filling fresh memory of these", stream, filling);
}

using recorder::PerfmonBlockRecord;
using recorder::PerfmonDrainRecord;

// What a recording has of one core: drains of 64 KiB, their bytes in blocks, and its dispatches.
struct RecordedCore {
  static constexpr std::size_t kDrained = 1U << 16U;

  std::vector<PerfmonDrainRecord> drains = {};
  std::vector<PerfmonBlockRecord> blocks = {};
  std::vector<Ticks> starts = {};
  std::vector<Ticks> durations = {};
};

RecordedCore recorded(const Stream& stream) {
  RecordedCore core;
  core.blocks.resize((stream.bytes.size() + PerfmonBlockRecord::kBytes - 1) / PerfmonBlockRecord::kBytes);
  std::memcpy(core.blocks.data(), stream.bytes.data(), stream.bytes.size());
  for (std::size_t from = 0; from < stream.bytes.size(); from += RecordedCore::kDrained) {
    const auto bytes =
        static_cast<std::uint32_t>(std::min(RecordedCore::kDrained, stream.bytes.size() - from));
    PerfmonDrainRecord drain = {};
    drain.sequence = static_cast<std::uint32_t>(core.drains.size() + 1);
    drain.from = static_cast<std::uint32_t>(from);
    drain.to = drain.from + bytes;
    drain.written = drain.copied = bytes;
    core.drains.push_back(drain);
  }
  for (const BusyWindow& task : stream.tasks) {
    core.starts.push_back(task.begin);
    core.durations.push_back(task.end - task.begin);
  }
  return core;
}

// Every core did the same, drain by drain.
formats::chip_run::RecordedPipes recorded_pipes(RecordedCore core) {
  constexpr std::size_t kBlocks = RecordedCore::kDrained / PerfmonBlockRecord::kBytes;
  formats::chip_run::RecordedPipes pipes;
  const std::span<const PerfmonBlockRecord> blocks = core.blocks;
  for (std::size_t i = 0; i < core.drains.size(); ++i)
    for (std::uint32_t number = 0; number < kCores; ++number) {
      core.drains[i].core = number;
      pipes.add(std::span(&core.drains[i], 1));
      const std::size_t first = i * kBlocks;
      pipes.add(blocks.subspan(first, std::min(kBlocks, blocks.size() - first)), number, first);
    }
  return pipes;
}

// A trace of the cores and what they ran; then their pipes, whose slices it counts.
std::uint32_t slices_of_pipes(const RecordedCore& core, const formats::chip_run::PipeRecording& pipes) {
  trace::TraceBuilder builder;
  const trace::ClockId clock = builder.add_clock({builder.intern("core"), base::Frequency::mhz(50)});
  std::vector<trace::TrackId> tracks;
  for (std::uint32_t i = 0; i < kCores; ++i)
    tracks.push_back(builder.add_track({.name = builder.intern("core"), .clock = clock}));
  const auto count = static_cast<std::uint32_t>(core.starts.size());
  const std::vector<trace::StringId> names(count, builder.intern("task"));
  const std::vector<trace::TaskId> tasks(count, builder.add_task({}));
  const std::vector<trace::SliceFlag> flags(count);
  std::vector<trace::RowRange> dispatches;
  for (const trace::TrackId track : tracks) {
    dispatches.push_back({builder.slice_count(), count});
    builder.add_slices({.track = track,
                        .start = core.starts,
                        .duration = core.durations,
                        .name = names,
                        .task = tasks,
                        .flags = flags});
  }
  add_pipe_lanes(pipes, tracks, dispatches, builder);
  const base::Result<trace::Trace> trace = std::move(builder).finish();
  if (!trace) std::abort();
  return trace->slices().size() - kCores * count;
}

void bench_slices(std::uint64_t marks_every) {
  const Stream of_core = make_stream(marks_every, kWords / kCores);
  const RecordedCore core = recorded(of_core);
  Stream all;
  all.bytes.resize(of_core.bytes.size() * kCores);  // for the figure
  std::uint32_t slices = 0;
  const double decoding = median_seconds([&] {
    if (!recorded_pipes(core).settle({}, true, "benchmark")) std::abort();
  });
  report(fmt::format("{} cores of a recording: collected and decoded", kCores), all, decoding);
  const double seconds = median_seconds([&] {
    const auto pipes = recorded_pipes(core).settle({}, true, "benchmark");
    slices = slices_of_pipes(core, *pipes);
  });
  report(fmt::format("  the same to a trace, {} slices of {} bytes", slices, trace::SliceTable::kRowBytes),
         all, seconds);
  const std::size_t words = slices * trace::SliceTable::kRowBytes / sizeof(std::uint64_t);
  const double filling = median_seconds([&] {
    const auto plain = std::make_unique_for_overwrite<std::uint64_t[]>(words);
    for (std::size_t i = 0; i < words; ++i) plain[i] = i;
    if (plain[words / 2] != words / 2) std::abort();
  });
  report("  floor: filling fresh memory of these", all, filling);
}

void bench_stream(std::string_view what, const Stream& stream) {
  fmt::print("{}: {:.0f} MB, {} tasks\n", what, static_cast<double>(stream.bytes.size()) / 1e6,
             stream.tasks.size());
  const auto copy = std::make_unique<std::byte[]>(stream.bytes.size());
  report("floor: memcpy", stream,
         median_seconds([&] { std::memcpy(copy.get(), stream.bytes.data(), stream.bytes.size()); }));
  bench_sums("busy time by pipe and task", stream, {}, FixedLayout<kBiuPerf>{});
  bench_sums("the same, cycles converted (50/1650)", stream, {50, 1650}, FixedLayout<kBiuPerf>{});
  bench_sums("the same, layout chosen at run time", stream, {}, ChosenLayout{});
  bench_intervals(stream);
}

}  // namespace

int main(int count, char** arguments) {
  const bool all = count < 2 || std::string_view(arguments[1]) != "--recordings";
  if (all) bench_stream("states only", make_stream(0));
  bench_slices(0);
  if (all) bench_stream("every eighth word a mark", make_stream(8));
  bench_slices(8);
  return 0;
}
