// What the runtime takes: a million tasks in virtual time on 108 cores, and tasks through the scheduler
// threads of the other platform, with and without a recording.
//
//   bench_runtime [--rounds N] [--only virtual|empty|spin]
//
// Both are measured beside what is unavoidable: the graph copied for the one, timestamp reads for the other.
// What a recording costs is measured in pairs of runs, 10 unless told, with and without it; who goes first
// changes from pair to pair, so that a machine that becomes slower or faster favours nobody. Times are those
// of the whole run, from opening the file to closing it. How often threads changed, and what other programs
// and other guests of the machine took meanwhile, is printed beside them: it says how far to trust them.
//
// The chip of the platform `threads` has as many vector cores as the machine has processors, so that tasks
// that spin leave none of them to the scheduler thread, the orchestrator and the two threads of the
// collector: whatever these do, tasks have to wait for.
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "accelscope/dfx_flags.h"
#include "capture/record_traits.h"
#include "device/chip_file.h"
#include "runtime/generators.h"
#include "runtime/run.h"
#include "runtime/thread_machine.h"
#include "stats/median_interval.h"
#include "stats/quantile.h"

namespace {

using namespace accelscope;
using Clock = std::chrono::steady_clock;

constexpr int kMillion = 1'000'000;
constexpr int kSpinningTasks = 200'000;
constexpr int kSpinMicroseconds = 20;

double seconds_since(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

// What this process has used so far.
struct Used {
  double processor = 0;  // seconds
  double switches = 0;   // of threads

  static Used so_far() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return {seconds(usage.ru_utime) + seconds(usage.ru_stime),
            static_cast<double>(usage.ru_nvcsw + usage.ru_nivcsw)};
  }
  Used since(const Used& before) const { return {processor - before.processor, switches - before.switches}; }
};

// What all programs and other guests of the machine have used so far, in seconds of its processors; nothing
// where the system does not say.
struct MachineUsed {
  double programs = 0;
  double guests = 0;

  static MachineUsed so_far() {
    std::ifstream file("/proc/stat");
    std::string name;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft = 0, steal = 0;
    file >> name >> user >> nice >> system >> idle >> waiting >> interrupts >> soft >> steal;
    const double second = static_cast<double>(sysconf(_SC_CLK_TCK));
    return {(user + nice + system + interrupts + soft) / second, steal / second};
  }
};

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

struct Measured {
  double seconds = 0;
  double processor = 0;
  double switches = 0;
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
    const Used before = Used::so_far();
    const Clock::time_point from = Clock::now();
    auto outcome = runtime::run(graph, kernels_, chip, {}, options);
    const double seconds = seconds_since(from);
    if (!outcome || outcome->fault) {
      fmt::print(stderr, "bench_runtime: {}\n", outcome ? outcome->fault->text : outcome.error().to_string());
      std::exit(1);
    }
    const Used used = Used::so_far().since(before);
    check_records(*outcome, level);
    return {seconds, used.processor, used.switches, std::move(*outcome)};
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

// As actors read it.
double nanoseconds_of_a_read(const device::Chip& chip, bool by_machine_counter) {
  constexpr int kReads = 200'000;
  runtime::ThreadClock clock(chip.counter, runtime::ThreadTimeBase::now(chip.counter, by_machine_counter));
  const Clock::time_point from = Clock::now();
  for (int i = 0; i < kReads; ++i) {
    const std::uint64_t ticks = clock.now();
    asm volatile("" : : "r"(ticks));
  }
  return seconds_since(from) * 1e9 / kReads;
}

// "0.45 [0.41, 0.50]": the median, and the interval that holds it with 95 % confidence or, of less than six
// values, their range.
std::string with_interval(std::vector<double> values, int digits) {
  std::sort(values.begin(), values.end());
  const auto interval = stats::median_interval(values);
  return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}]", stats::median(values), digits,
                     interval ? interval->interval.low : values.front(), digits,
                     interval ? interval->interval.high : values.back(), digits);
}

// One run of each of the two levels in every round.
struct Pairs {
  std::vector<Measured> off = {};
  std::vector<Measured> on = {};
  std::vector<double> read_nanoseconds = {};
  double others_percent = 0;  // of the machine's processors, meanwhile: other programs
  double guests_percent = 0;  // other guests

  template <class Value>
  std::vector<double> each(Value&& value) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < on.size(); ++i) values.push_back(value(off[i], on[i]));
    return values;
  }
};

Pairs measure_pairs(Bench& bench, const runtime::Graph& graph, const device::Chip& chip, int rounds) {
  constexpr int kLevel = 3;
  const auto run = [&](int level) { return bench.run(graph, chip, runtime::Platform::kThreads, level); };
  run(kLevel);  // memory that the process has not had yet
  Pairs pairs;
  const Clock::time_point from = Clock::now();
  const Used used_before = Used::so_far();
  const MachineUsed machine_before = MachineUsed::so_far();
  for (int round = 0; round < rounds; ++round) {
    const bool recorded_first = round % 2 == 1;
    if (recorded_first) pairs.on.push_back(run(kLevel));
    pairs.off.push_back(run(0));
    if (!recorded_first) pairs.on.push_back(run(kLevel));
    pairs.read_nanoseconds.push_back(nanoseconds_of_a_read(chip, true));
  }
  const MachineUsed machine = MachineUsed::so_far();
  const double all = seconds_since(from) * std::max(1U, std::thread::hardware_concurrency());
  const double own = Used::so_far().since(used_before).processor;
  pairs.others_percent = 100 * std::max(0.0, machine.programs - machine_before.programs - own) / all;
  pairs.guests_percent = 100 * (machine.guests - machine_before.guests) / all;
  return pairs;
}

double in_the_middle(const std::vector<Measured>& runs, double Measured::*value) {
  std::vector<double> values;
  values.reserve(runs.size());
  for (const Measured& run : runs) values.push_back(run.*value);
  return stats::median(values);
}

void show_machine(const Pairs& pairs, int tasks) {
  fmt::print(
      "  threads changed {:.2f} times a task at level 0, {:.2f} times at level 3; other programs took {:.1f} "
      "% "
      "of the processors' time meanwhile, other guests of the machine {:.1f} %\n",
      in_the_middle(pairs.off, &Measured::switches) / tasks,
      in_the_middle(pairs.on, &Measured::switches) / tasks, pairs.others_percent, pairs.guests_percent);
}

void show_records(const runtime::RunOutcome& outcome, int tasks) {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::uint64_t pauses = 0;
  for (const capture::LaneReport& lane : outcome.recording.report.lanes) {
    records += lane.produced;
    bytes += lane.produced * capture::facts_of(lane.kind)->record_bytes;
    pauses += lane.pauses;
  }
  fmt::print(
      "  a task makes {:.2f} records, {:.0f} bytes in memory, {:.1f} on disk, and {:.2f} timestamp reads; "
      "{} records, all of which arrived; producers waited {} times\n",
      static_cast<double>(records) / tasks, static_cast<double>(bytes) / tasks,
      static_cast<double>(outcome.recording.file_bytes) / tasks,
      static_cast<double>(outcome.timestamp_reads) / tasks, records, pauses);
}

void measure_empty_tasks(Bench& bench, int rounds) {
  const runtime::Graph graph = graph_of("fan:width=1000000,join=0,source=0,work=empty");
  const device::Chip chip = chip_of_this_machine();
  const Pairs pairs = measure_pairs(bench, graph, chip, rounds);
  const auto show_level = [](int level, double seconds) {
    fmt::print("threads, a million empty tasks, level {}: {:.2f} s, {:.2f} M tasks/s\n", level, seconds,
               kMillion / seconds / 1e6);
  };
  show_level(0, in_the_middle(pairs.off, &Measured::seconds));
  for (const int level : {1, 2}) {
    std::vector<Measured> runs;
    for (int i = 0; i < std::min(rounds, 3); ++i)
      runs.push_back(bench.run(graph, chip, runtime::Platform::kThreads, level));
    show_level(level, in_the_middle(runs, &Measured::seconds));
  }
  show_level(3, in_the_middle(pairs.on, &Measured::seconds));
  show_records(pairs.on.back().outcome, kMillion);
  show_machine(pairs, kMillion);
  const double read = stats::median(pairs.read_nanoseconds);
  const std::vector<double> reads = pairs.each([&](const Measured&, const Measured& on) {
    return read * static_cast<double>(on.outcome.timestamp_reads) / kMillion;
  });
  const auto nanoseconds = [](double more, double less) { return (more - less) * 1e9 / kMillion; };
  const std::vector<double> added = pairs.each(
      [&](const Measured& off, const Measured& on) { return nanoseconds(on.seconds, off.seconds); });
  const std::vector<double> processor = pairs.each(
      [&](const Measured& off, const Measured& on) { return nanoseconds(on.processor, off.processor); });
  std::vector<double> ratios;
  for (std::size_t i = 0; i < added.size(); ++i) ratios.push_back(added[i] / reads[i]);
  fmt::print(
      "  {} pairs: recording adds {} ns a task to the run, {} ns of processor time; its timestamp reads take "
      "{:.0f} ns a task, at {:.1f} ns each, twice of which is {:.0f}; {} times its reads (a read of the "
      "system's clock takes {:.1f} ns)\n",
      rounds, with_interval(added, 0), with_interval(processor, 0), stats::median(reads), read,
      2 * stats::median(reads), with_interval(ratios, 2),
      nanoseconds_of_a_read(chip_of_this_machine(), false));
}

void measure_overhead(Bench& bench, int rounds) {
  const runtime::Graph graph = graph_of(fmt::format("fan:width={},join=0,source=0,work=spin,microseconds={}",
                                                    kSpinningTasks, kSpinMicroseconds));
  const device::Chip chip = chip_of_this_machine();
  const Pairs pairs = measure_pairs(bench, graph, chip, rounds);
  fmt::print(
      "threads, {} tasks that spin for {} us on {} cores and {} processors: {:.3f} s at level 0, {:.3f} s at "
      "level 3 (spinning alone {:.3f} s)\n",
      kSpinningTasks, kSpinMicroseconds, chip.vector_cores(), std::thread::hardware_concurrency(),
      in_the_middle(pairs.off, &Measured::seconds), in_the_middle(pairs.on, &Measured::seconds),
      1e-6 * kSpinningTasks * kSpinMicroseconds / chip.vector_cores());
  show_records(pairs.on.back().outcome, kSpinningTasks);
  show_machine(pairs, kSpinningTasks);
  const auto share = [](double more, double less) { return 100 * (more / less - 1); };
  fmt::print("  {} pairs: level 3 costs {} % of wall time, {} % of processor time\n", rounds,
             with_interval(pairs.each([&](const Measured& off, const Measured& on) {
               return share(on.seconds, off.seconds);
             }),
                           1),
             with_interval(pairs.each([&](const Measured& off, const Measured& on) {
               return share(on.processor, off.processor);
             }),
                           1));
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  int rounds = 10;
  std::string_view only;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string_view(argv[i]) == "--rounds") rounds = std::max(1, std::atoi(argv[i + 1]));
    if (std::string_view(argv[i]) == "--only") only = argv[i + 1];
  }
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "accelscope-bench-runtime";
  std::filesystem::create_directories(folder);
  Bench bench(folder.string());
  if (only.empty() || only == "virtual") measure_virtual(bench);
  if (only.empty() || only == "empty") measure_empty_tasks(bench, rounds);
  if (only.empty() || only == "spin") measure_overhead(bench, rounds);
  std::filesystem::remove_all(folder);
  return 0;
}
