// Words of a performance monitor, made by a core whose pipes work beside each other: decoded to busy time of
// each pipe in each task, to intervals, and to slices of a trace.
//
// The floor: memcpy of the same bytes in the same run. One thread, its processor time, so that what others do
// on the machine counts little; the median of a few passes.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "base/splitmix.h"
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
constexpr std::size_t kWordsOfTask = 200;
constexpr int kPasses = 7;

struct Stream {
  std::vector<std::byte> bytes;
  std::vector<BusyWindow> tasks;
};

// One or two pipes change at a time, after 20 to 1000 cycles; one word of `marks_every` is a mark.
Stream make_stream(std::uint64_t marks_every) {
  Stream stream;
  stream.bytes.reserve((kWords + 8) * kBiuPerf.word_bytes);
  Encoder encoder({.stamp_after = 4096});
  Cycles now{1'000'000};
  unsigned busy = 0;
  for (std::uint64_t i = 0; stream.bytes.size() < kWords * kBiuPerf.word_bytes; ++i) {
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

// Slices on a track for each pipe.
struct SliceSink {
  trace::TraceBuilder& builder;
  std::array<trace::TrackId, kPipes> tracks;
  std::array<trace::StringId, kPipes> names;

  void interval(const BusyInterval& busy) {
    const auto pipe = static_cast<std::size_t>(busy.pipe);
    builder.add_slice(
        {.track = tracks[pipe], .start = busy.begin, .duration = busy.end - busy.begin, .name = names[pipe]});
  }
  void mark(const Mark&) {}
};

void bench_slices(const Stream& stream, bool finished) {
  const double seconds = median_seconds([&] {
    trace::TraceBuilder builder;
    const trace::ClockId clock = builder.add_clock({builder.intern("core"), base::Frequency::mhz(50)});
    SliceSink sink{builder, {}, {}};
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
      sink.names[pipe] = builder.intern(kPipeNames[pipe]);
      sink.tracks[pipe] =
          builder.add_track({.name = sink.names[pipe], .clock = clock}, trace::Nesting::kExplicit);
    }
    IntervalBuilder intervals(sink);
    Decoder<> decoder;
    decoder.feed(stream.bytes, intervals);
    intervals.finish(decoder.time());
    if (finished && !std::move(builder).finish()) std::abort();
  });
  report(fmt::format("slices of a trace, {} bytes each, {}", trace::SliceTable::kRowBytes,
                     finished ? "sorted and finished" : "added"),
         stream, seconds);
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
  bench_slices(stream, false);
  bench_slices(stream, true);
}

}  // namespace

int main() {
  bench_stream("states only", make_stream(0));
  bench_stream("every eighth word a mark", make_stream(8));
  return 0;
}
