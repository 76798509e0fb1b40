// How fast slices become a Perfetto file, beside the cost of merely copying or writing as many bytes.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "base/file_descriptor.h"
#include "base/output_file.h"
#include "formats/perfetto/perfetto_writer.h"
#include "trace/trace_builder.h"
#include "views/lanes.h"

namespace accelscope {
namespace {

using trace::SliceId;
using trace::Ticks;
using trace::Trace;
using trace::TrackId;

constexpr std::uint32_t kSlices = 4'000'000;
constexpr std::uint32_t kTracks = 8;
constexpr std::int64_t kOperators = 20;  // per method
constexpr std::int64_t kSpacing = 3000;  // nanoseconds from one operator to the next

enum class Kind { kPlain, kWithArguments, kOverlapping };

trace::TrackId add_track(trace::TraceBuilder& builder, trace::ClockId clock, std::uint32_t number) {
  return builder.add_track({.name = builder.intern("core " + std::to_string(number)),
                            .level = trace::TrackLevel::kCore,
                            .clock = clock});
}

// Methods of twenty operators with two kernels each: names, durations and gaps as in a model's trace.
Trace make_trace(Kind kind) {
  trace::TraceBuilder builder;
  std::mt19937 random(1);
  std::vector<trace::StringId> names;
  names.reserve(200);
  for (int i = 0; i < 200; ++i) names.push_back(builder.intern("aten::operator_" + std::to_string(i)));
  const auto category = builder.category("operator");
  const auto clock = builder.add_clock({builder.intern("host"), base::Frequency::nanoseconds()});
  const auto bytes = builder.intern("bytes");
  for (std::uint32_t number = 0; number < kTracks; ++number) {
    const TrackId track = add_track(builder, clock, number);
    std::int64_t now = 1'000'000'000;
    const auto add = [&](std::int64_t start, std::int64_t length, SliceId parent) {
      const SliceId slice = builder.add_slice({.track = track,
                                               .start = Ticks{start},
                                               .duration = Ticks{length},
                                               .name = names[random() % names.size()],
                                               .category = category,
                                               .parent = parent});
      if (kind == Kind::kWithArguments)
        builder.add_slice_arg(slice, bytes, trace::Value::of_uint(random() % 65536));
      return slice;
    };
    while (builder.slice_count() < (number + 1) * (kSlices / kTracks)) {
      const SliceId method = add(now, kOperators * kSpacing, SliceId::kNone);
      for (std::int64_t i = 0; i < kOperators; ++i) {
        const std::int64_t length = 1000 + static_cast<std::int64_t>(random() % 2000);
        const std::int64_t late = kind == Kind::kOverlapping ? 2000 : 0;
        const SliceId op = add(now + i * kSpacing, length + late, method);
        add(now + i * kSpacing + 10, length / 2 - 10, op);
        add(now + i * kSpacing + length / 2, length / 2 - 20, op);
      }
      now += kOperators * kSpacing + static_cast<std::int64_t>(random() % 100'000);
    }
  }
  return std::move(*std::move(builder).finish());
}

const Trace& trace_of(Kind kind) {
  static const Trace plain = make_trace(Kind::kPlain);
  static const Trace rich = make_trace(Kind::kWithArguments);
  return kind == Kind::kPlain ? plain : rich;
}

void count_slices(benchmark::State& state, const Trace& trace, std::size_t bytes) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(trace.slices().size()));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
  state.counters["bytes_per_slice"] = static_cast<double>(bytes) / static_cast<double>(trace.slices().size());
}

void write_to_memory(benchmark::State& state, Kind kind) {
  const Trace& trace = trace_of(kind);
  base::MemoryOutput out;
  (void)formats::perfetto::write(trace, out);
  for (auto _ : state) {
    out.clear();
    benchmark::DoNotOptimize(formats::perfetto::write(trace, out));
  }
  count_slices(state, trace, out.bytes().size());
}
BENCHMARK_CAPTURE(write_to_memory, plain, Kind::kPlain)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_to_memory, one_argument_each, Kind::kWithArguments)->Unit(benchmark::kMillisecond);

// The floor: the same bytes, merely copied.
void copy_in_memory(benchmark::State& state) {
  const Trace& trace = trace_of(Kind::kPlain);
  base::MemoryOutput out;
  (void)formats::perfetto::write(trace, out);
  std::string copy(out.bytes());
  for (auto _ : state) {
    std::memcpy(copy.data(), out.bytes().data(), copy.size());
    benchmark::ClobberMemory();
  }
  count_slices(state, trace, copy.size());
}
BENCHMARK(copy_in_memory)->Unit(benchmark::kMillisecond);

std::string scratch_path() {
  const char* folder = std::getenv("TMPDIR");
  return std::string(folder ? folder : "/tmp") + "/accelscope_bench.pftrace";
}

void write_to_file(benchmark::State& state) {
  const Trace& trace = trace_of(Kind::kPlain);
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    auto file = base::OutputFile::create(scratch_path());
    if (!file || !formats::perfetto::write(trace, file->output()) || !file->commit())
      state.SkipWithError("cannot write the file");
    else
      bytes = file->output().written();
  }
  unlink(scratch_path().c_str());
  count_slices(state, trace, bytes);
}
BENCHMARK(write_to_file)->Unit(benchmark::kMillisecond)->UseRealTime();

// The floor: write() of the same bytes, as many at a time as the writer's buffer holds.
void write_bytes_to_file(benchmark::State& state) {
  const Trace& trace = trace_of(Kind::kPlain);
  base::MemoryOutput out;
  (void)formats::perfetto::write(trace, out);
  for (auto _ : state) {
    unlink(scratch_path().c_str());
    base::FileDescriptor file(::open(scratch_path().c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
    for (std::string_view rest = out.bytes(); !rest.empty();) {
      const ssize_t put = ::write(file.get(), rest.data(), std::min(rest.size(), std::size_t{1} << 20));
      if (put <= 0) {
        state.SkipWithError("cannot write the file");
        break;
      }
      rest.remove_prefix(static_cast<std::size_t>(put));
    }
  }
  unlink(scratch_path().c_str());
  count_slices(state, trace, out.bytes().size());
}
BENCHMARK(write_bytes_to_file)->Unit(benchmark::kMillisecond)->UseRealTime();

void split_overlaps(benchmark::State& state) {
  const Trace trace = make_trace(Kind::kOverlapping);
  for (auto _ : state) {
    auto laned = views::split_overlaps(trace);
    benchmark::DoNotOptimize(laned);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(trace.slices().size()));
}
BENCHMARK(split_overlaps)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace accelscope

BENCHMARK_MAIN();
