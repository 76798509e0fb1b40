#include "experiments/overhead.h"

#include <algorithm>
#include <thread>

#include "capture/counter_frequency.h"
#include "capture/pools_for.h"
#include "experiments/synthetic_task.h"
#include "stats/quantile.h"

namespace accelscope::experiments {
namespace {

using base::Result;
using base::Status;
using capture::FileRecording;
using capture::RunPolicy;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kMinRounds = 3;
constexpr std::uint32_t kBursts = 16;  // of each thing, in a round
// Two of the core's buffers: there are changes of buffers, and the others are there for the host's delay.
constexpr std::uint32_t kBurstTasks = 2048;
constexpr std::uint32_t kBuffersInStore = 3;
// A flood has to be long against what a thread waits for a processor.
constexpr std::int64_t kFloodTasks = 200'000;
constexpr std::int64_t kShortestFlood = 20'000;
constexpr std::uint32_t kFileTasks = 100'000;
constexpr std::chrono::milliseconds kLongestRest{50};
// Longer than a run's: on a machine that is very busy, `block` shall cost time and lose nothing.
constexpr std::chrono::milliseconds kLongestWait{10'000};

template <class Work>
double nanoseconds_of(Work&& work) {
  const auto from = Clock::now();
  work();
  return std::chrono::duration<double, std::nano>(Clock::now() - from).count();
}

// Of one round: per task, the median over bursts.
template <class Burst>
double burst_median(Burst&& burst) {
  burst();  // caches, branches and pages
  std::vector<double> times;
  for (std::uint32_t i = 0; i < kBursts; ++i) times.push_back(burst() / kBurstTasks);
  return stats::median(times);
}

double loop_burst() {
  return nanoseconds_of([] {
    for (std::uint32_t i = 0; i < kBurstTasks; ++i) asm volatile("" : : "r"(i));
  });
}

double read_burst() {
  return nanoseconds_of([] {
    recorder::CounterPlatform platform;
    for (std::uint32_t i = 0; i < kBurstTasks; ++i) {
      const std::uint64_t ticks = platform.now();
      asm volatile("" : : "r"(ticks));
    }
  });
}

// Until the host has given back what the last burst took.
void rest(const SyntheticTasks<TaskClock>& tasks) {
  const auto limit = Clock::now() + kLongestRest;
  while (!tasks.has_buffers(kBuffersInStore) && Clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

double task_burst(SyntheticTasks<TaskClock>& tasks) {
  rest(tasks);
  return nanoseconds_of([&] { tasks.run(kBurstTasks); });
}

double lost_share(const capture::CollectorReport& report) {
  std::uint64_t produced = 0;
  std::uint64_t lost = 0;
  for (const capture::LaneReport& lane : report.lanes) {
    produced += lane.produced;
    // What a flight recorder lets go of is what it was asked for.
    lost += lane.all_dropped() - lane.dropped[static_cast<std::size_t>(recorder::DropReason::kOverwritten)];
  }
  return produced == 0 ? 0 : static_cast<double>(lost) / static_cast<double>(produced);
}

// Values of all rounds, less what was taken off.
MeasuredTime summary(const std::vector<double>& rounds, double taken_off) {
  const std::vector<double> sorted = stats::sorted_copy(rounds);
  const double median = stats::median_of_sorted(sorted);
  const double range = stats::quantile(sorted, 0.9) - stats::quantile(sorted, 0.1);
  return {.ns = median - taken_off, .spread = median > 0 ? range / median : 0};
}

class Measurement {
 public:
  Measurement() {
    for (int level = 1; level <= kMaxChipSwimlaneLevel; ++level)
      for (const RunPolicy policy : {RunPolicy::kBlock, RunPolicy::kDrop, RunPolicy::kOverwrite})
        rows_.push_back({.level = level, .policy = policy});
  }

  Result<Overhead> run(const OverheadOptions& options) {
    const auto from = Clock::now();
    flood_tasks_ =
        static_cast<std::uint32_t>(std::clamp(options.time.count() * 100, kShortestFlood, kFloodTasks));
    clock_ = capture::measure_counter(std::chrono::milliseconds(20));
    ACCELSCOPE_CHECK(measure_files(options.task_length));
    Clock::duration took{};
    for (; rounds_ < kMinRounds || took < options.time; took = Clock::now() - from) {
      ACCELSCOPE_CHECK(round());
      if (options.progress)
        options.progress(std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - from));
    }
    return result();
  }

 private:
  struct Row {
    int level = 0;
    RunPolicy policy = RunPolicy::kBlock;
    std::vector<double> task = {};
    std::vector<double> flooded = {};
    std::vector<double> lost = {};
  };

  Result<std::unique_ptr<FileRecording>> begin(int level, RunPolicy policy) const {
    using formats::capture::CoreType;
    return FileRecording::begin(*memory_, {.path = "/dev/null",
                                           .replace = true,
                                           .facts = {.dfx_flags = dfx_flags_of_level(level),
                                                     .clock = clock_,
                                                     .generation = 1,
                                                     .cores = {CoreType::kVector},
                                                     .scheduler_threads = 1,
                                                     .orchestrators = 1,
                                                     .phases = {"submit", "complete"}},
                                           .options = {.policy = policy, .wait_limit = kLongestWait}});
  }

  static Result<capture::RecordingEnd> end(FileRecording& recording) {
    capture::RecordingEnd ended = recording.end();
    if (!ended.file) return tl::unexpected(ended.file.error());
    return ended;
  }

  // What a file has for each task, beyond what it has without any.
  Status measure_files(base::Nanoseconds task_length) {
    for (int level = 1; level <= kMaxChipSwimlaneLevel; ++level) {
      ACCELSCOPE_TRY(const double empty, file_bytes(level, task_length, 0));
      ACCELSCOPE_TRY(const double full, file_bytes(level, task_length, kFileTasks));
      on_disk_[level] = (full - empty) / kFileTasks;
    }
    return {};
  }

  Result<double> file_bytes(int level, base::Nanoseconds task_length, std::uint32_t count) const {
    ACCELSCOPE_TRY(const auto recording, begin(level, RunPolicy::kBlock));
    {
      MadeUpClock clock(static_cast<std::uint64_t>(task_length.value));
      SyntheticTasks tasks(recording.get(), recording->dfx_flags(), clock);
      tasks.run(count);
    }
    ACCELSCOPE_TRY(const capture::RecordingEnd ended, end(*recording));
    return static_cast<double>(ended.file_bytes);
  }

  Status round() {
    loop_.push_back(burst_median(loop_burst));
    read_.push_back(burst_median(read_burst));
    {
      TaskClock clock;
      SyntheticTasks disabled(nullptr, 0, clock);
      disabled_.push_back(burst_median([&] { return task_burst(disabled); }));
    }
    for (Row& row : rows_) {
      ACCELSCOPE_CHECK(measure_bursts(row));
      ACCELSCOPE_CHECK(measure_flood(row));
    }
    ++rounds_;
    return {};
  }

  Status measure_bursts(Row& row) const {
    ACCELSCOPE_TRY(const auto recording, begin(row.level, row.policy));
    {
      TaskClock clock;
      SyntheticTasks tasks(recording.get(), recording->dfx_flags(), clock);
      row.task.push_back(burst_median([&] { return task_burst(tasks); }));
    }
    ACCELSCOPE_CHECK(end(*recording));
    return {};
  }

  Status measure_flood(Row& row) const {
    ACCELSCOPE_TRY(const auto recording, begin(row.level, row.policy));
    {
      TaskClock clock;
      SyntheticTasks tasks(recording.get(), recording->dfx_flags(), clock);
      // A first burst and a rest: new threads wait behind their maker until it sleeps, and the flood does
      // not.
      tasks.run(kBurstTasks);
      rest(tasks);
      row.flooded.push_back(nanoseconds_of([&] { tasks.run(flood_tasks_); }) / flood_tasks_);
    }
    ACCELSCOPE_TRY(const capture::RecordingEnd ended, end(*recording));
    row.lost.push_back(lost_share(ended.report));
    return {};
  }

  Overhead result() const {
    Overhead overhead{.counter = clock_, .loop = summary(loop_, 0), .rounds = rounds_};
    overhead.read = summary(read_, overhead.loop.ns);
    overhead.disabled = summary(disabled_, overhead.loop.ns);
    for (int level = 0; level <= kMaxChipSwimlaneLevel; ++level) overhead.bytes.push_back(bytes_of(level));
    for (const Row& row : rows_)
      overhead.costs.push_back({.level = row.level,
                                .policy = row.policy,
                                .task = summary(row.task, overhead.loop.ns),
                                .flooded = summary(row.flooded, overhead.loop.ns),
                                .lost = stats::median(row.lost)});
    return overhead;
  }

  LevelBytes bytes_of(int level) const {
    const TaskShape shape = shape_of_task(level);
    LevelBytes bytes{.level = level, .records = shape.records, .reads = shape.reads};
    const auto pools = capture::pools_for(dfx_flags_of_level(level),
                                          {.cores = 1, .scheduler_threads = 1, .orchestrators = 1});
    bytes.buffers = capture::bytes_of(pools);
    for (const capture::PoolSpec& pool : pools)
      if (is_written(pool.kind))
        bytes.in_memory +=
            static_cast<double>(recorder::buffer_bytes(pool.record_bytes, pool.records_per_buffer)) /
            pool.records_per_buffer;
    bytes.on_disk = on_disk_[level];
    return bytes;
  }

  // Kinds of which every task leaves one.
  static bool is_written(recorder::RecordKind kind) {
    return kind != recorder::RecordKind::kControlTask && kind != recorder::RecordKind::kQueueDepth;
  }

  std::unique_ptr<device::DeviceMemory> memory_ = device::mapped_memory();
  base::Frequency clock_ = base::Frequency::unknown();
  std::vector<Row> rows_;
  std::vector<double> loop_;
  std::vector<double> read_;
  std::vector<double> disabled_;
  double on_disk_[kMaxChipSwimlaneLevel + 1] = {};
  std::uint32_t flood_tasks_ = 0;
  std::uint32_t rounds_ = 0;
};

}  // namespace

Result<Overhead> measure_overhead(const OverheadOptions& options) {
  Measurement measurement;
  return measurement.run(options);
}

}  // namespace accelscope::experiments
