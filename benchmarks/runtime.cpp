// What the runtime takes: a million tasks in virtual time on 108 cores, and tasks through the scheduler
// threads of the other platform, with and without a recording.
//
//   bench_runtime [--rounds N]     pairs of runs with tasks that spin, level 3 against level 0; 10 unless
//   told
//
// Both are measured beside what is unavoidable: the graph copied for the one, timestamp reads for the other.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "accelscope/dfx_flags.h"
#include "device/chip_file.h"
#include "runtime/generators.h"
#include "runtime/run.h"

namespace {

using namespace accelscope;
using Clock = std::chrono::steady_clock;

constexpr int kMillion = 1'000'000;

double seconds_since(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

struct Measured {
  double seconds = 0;
  double processor = 0;
  runtime::RunOutcome outcome = {};
};

class Bench {
 public:
  explicit Bench(std::string folder) : path_(std::move(folder) + "/run.astrace") {}

  Measured run(const runtime::Graph& graph, const device::Chip& chip, runtime::Platform platform, int level) {
    runtime::RunOptions options{.platform = platform, .dfx_flags = dfx_flags_of_level(level)};
    options.recording.path = path_;
    options.recording.replace = true;
    options.run_kernels =
        platform == runtime::Platform::kThreads;  // virtual ones that spin would really spin
    const double processor = processor_seconds();
    const Clock::time_point from = Clock::now();
    auto outcome = runtime::run(graph, kernels_, chip, {}, options);
    const double seconds = seconds_since(from);
    if (!outcome || outcome->fault) {
      fmt::print(stderr, "bench_runtime: {}\n", outcome ? outcome->fault->text : outcome.error().to_string());
      std::exit(1);
    }
    check_records(*outcome, level);
    return {seconds, processor_seconds() - processor, std::move(*outcome)};
  }

 private:
  // What was recorded has arrived.
  static void check_records(const runtime::RunOutcome& outcome, int level) {
    std::uint64_t produced = 0;
    std::uint64_t collected = 0;
    for (const capture::LaneReport& lane : outcome.recording.report.lanes) {
      produced += lane.produced;
      collected += lane.collected;
    }
    if (produced == collected && (level == 0) == (produced == 0)) return;
    fmt::print(stderr, "bench_runtime: {} of {} records arrived\n", collected, produced);
    std::exit(1);
  }

  runtime::KernelRegistry kernels_ = runtime::KernelRegistry::with_builtins();
  std::string path_;
};

runtime::Graph graph_of(const std::string& text) {
  auto graph = runtime::generate(text);
  if (!graph) {
    fmt::print(stderr, "bench_runtime: {}\n", graph.error().to_string());
    std::exit(1);
  }
  return std::move(*graph);
}

void measure_virtual(Bench& bench) {
  const auto chip = device::load_chip("a5");
  if (!chip) return;
  for (const char* text : {"fan:width=1000000,join=0,source=0,work=spin", "chain:tasks=1000000,work=spin"}) {
    const runtime::Graph graph = graph_of(text);
    for (const int level : {0, 3}) {
      const Measured measured = bench.run(graph, *chip, runtime::Platform::kVirtual, level);
      fmt::print(
          "virtual, {}, level {}: {:.2f} s ({:.2f} s of processor time), {:.2f} M tasks/s, {:.0f} MB at "
          "most so far; {:.1f} ms of virtual time\n",
          text, level, measured.seconds, measured.processor,
          static_cast<double>(measured.outcome.submitted) / measured.seconds / 1e6, peak_megabytes(),
          static_cast<double>(measured.outcome.makespan.value) / 1e9);
    }
    const Clock::time_point from = Clock::now();
    const auto copy = std::make_unique<runtime::Graph>(graph);
    fmt::print("  the graph copied: {:.2f} s ({} steps)\n", seconds_since(from), copy->steps.size());
  }
}

device::Chip chip_of_this_machine() {
  const std::uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
  return {.name = "this machine",
          .clusters = (cores + 1) / 2,  // two vector cores each
          .scheduler_threads = 1,
          .counter = base::Frequency::mhz(1000)};
}

double nanoseconds_of_a_timestamp() {
  constexpr int kReads = 1'000'000;
  const Clock::time_point from = Clock::now();
  std::int64_t sum = 0;
  for (int i = 0; i < kReads; ++i) sum += Clock::now().time_since_epoch().count();
  const double seconds = seconds_since(from);
  return sum == 0 ? 0 : seconds * 1e9 / kReads;
}

void measure_empty_tasks(Bench& bench) {
  const runtime::Graph graph = graph_of("fan:width=1000000,join=0,source=0,work=empty");
  const device::Chip chip = chip_of_this_machine();
  double without = 0;
  for (const int level : {0, 3}) {
    const Measured measured = bench.run(graph, chip, runtime::Platform::kThreads, level);
    if (level == 0) without = measured.seconds;
    fmt::print("threads, a million empty tasks, level {}: {:.2f} s, {:.2f} M tasks/s\n", level,
               measured.seconds, kMillion / measured.seconds / 1e6);
    if (level == 3)
      fmt::print("  recording adds {:.0f} ns a task; a timestamp read takes {:.0f} ns\n",
                 (measured.seconds - without) * 1e9 / kMillion, nanoseconds_of_a_timestamp());
  }
}

void measure_overhead(Bench& bench, int rounds) {
  const runtime::Graph graph = graph_of("fan:width=20000,join=0,source=0,work=spin,microseconds=20");
  const device::Chip chip = chip_of_this_machine();
  std::vector<double> ratios;
  for (int i = 0; i < rounds; ++i) {
    const double off = bench.run(graph, chip, runtime::Platform::kThreads, 0).seconds;
    const double on = bench.run(graph, chip, runtime::Platform::kThreads, 3).seconds;
    ratios.push_back(on / off);
  }
  std::sort(ratios.begin(), ratios.end());
  fmt::print(
      "threads, 20000 tasks that spin for 20 us, level 3 against level 0, {} pairs: median {:.3f}, "
      "from {:.3f} to {:.3f}\n",
      rounds, ratios[ratios.size() / 2], ratios.front(), ratios.back());
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  int rounds = 10;
  for (int i = 1; i + 1 < argc; ++i)
    if (std::string_view(argv[i]) == "--rounds") rounds = std::max(1, std::atoi(argv[i + 1]));
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "accelscope-bench-runtime";
  std::filesystem::create_directories(folder);
  Bench bench(folder.string());
  measure_virtual(bench);
  measure_empty_tasks(bench);
  measure_overhead(bench, rounds);
  std::filesystem::remove_all(folder);
  return 0;
}
