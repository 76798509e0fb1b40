// Timeline CSV to Trace, beside the floor: counting the line ends of the same bytes.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <cstring>

#include "formats/timeline_csv/rows.h"
#include "formats/timeline_csv/timeline_reader.h"

namespace {

namespace base = accelscope::base;
namespace timeline_csv = accelscope::formats::timeline_csv;

constexpr std::uint32_t kRuns = 500;
constexpr std::uint32_t kCalls = 150;

// A file as the kit writes it: every event's runs side by side, XNNPACK operators between their calls.
base::MappedFile make_file() {
  base::MemoryOutput out;
  timeline_csv::write_timeline_header(out);
  std::uint32_t node = 0;
  const auto event = [&](std::string_view name, std::string_view backend, double offset_us,
                         double duration_ms) {
    for (std::uint32_t run = 0; run < kRuns; ++run) {
      const double start_us = 4579.216 + run * 100'000.0 + offset_us;
      timeline_csv::write_timeline_row(out, {.model_id = "toy_cnn_xnnpack_fp16_mac_sme2_on_t1",
                                             .name = name,
                                             .type = timeline_csv::type_of_name(name),
                                             .delegate_backend = backend,
                                             .start_us = start_us,
                                             .end_us = start_us + duration_ms * 1000,
                                             .duration_ms = duration_ms,
                                             .pct_total = 1.0 / 3,
                                             .node_id = node,
                                             .run_index = run,
                                             .block = "Execute"});
    }
    ++node;
  };
  for (std::uint32_t call = 0; call < kCalls; ++call) {
    const double begin = 1 + call * 600.0;
    event(fmt::format("Convolution (NHWC, PF16) IGEMM #{}", call + 1), "delegated", begin + 1, 0.25);
    event(fmt::format("Convert (NC, F32, F16) #{}", call + 1), "delegated", begin + 251, 0.014);
    event("DELEGATE_CALL", "portable", begin, 0.280553);
    event("native_call_permute_copy.out", "portable", begin + 300, 0.044703);
    event("OPERATOR_CALL", "portable", begin + 299, 0.048);
  }
  event("Method::execute", "portable", 0, 95);
  return base::MappedFile::from_memory("bench.csv", out.bytes());
}

const base::MappedFile& file() {
  static const base::MappedFile kFile = make_file();
  return kFile;
}

void set_rates(benchmark::State& state, std::uint64_t rows) {
  state.SetBytesProcessed(static_cast<std::int64_t>(file().size()) * state.iterations());
  state.counters["rows/s"] = benchmark::Counter(
      static_cast<double>(rows) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void count_line_ends(benchmark::State& state) {
  std::uint64_t lines = 0;
  for (auto step : state) {
    static_cast<void>(step);
    lines = 0;
    const std::string_view text = file().text();
    for (std::size_t from = 0; from < text.size(); ++lines) {
      const void* found = std::memchr(text.data() + from, '\n', text.size() - from);
      if (found == nullptr) break;
      from = static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) + 1;
    }
    benchmark::DoNotOptimize(lines);
  }
  set_rates(state, lines);
}
BENCHMARK(count_line_ends)->Unit(benchmark::kMillisecond);

void read_timeline(benchmark::State& state) {
  std::uint64_t rows = 0;
  for (auto step : state) {
    static_cast<void>(step);
    const auto trace = timeline_csv::read_timeline(file());
    if (!trace) {
      state.SkipWithError(trace.error().to_string().c_str());
      return;
    }
    rows = trace->slices().size();
  }
  set_rates(state, rows);
}
BENCHMARK(read_timeline)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
