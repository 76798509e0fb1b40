// Explaining where the time of a chip's run went: ten million dispatches without dependencies, and a hundred
// thousand tasks with submissions and dependencies, where every idle moment has a cause.
//
// Floor in the same run: walking through all dispatches once.
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <vector>

#include "analysis/chip/core_time.h"
#include "analysis/chip/functions.h"
#include "analysis/chip/loop_budget.h"
#include "analysis/chip/observer_cost.h"
#include "analysis/chip/waits.h"
#include "stats/random.h"
#include "trace/trace_builder.h"
#include "trace/vocabulary.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
using trace::Ticks;
namespace chip_analysis = analysis::chip;

constexpr std::uint32_t kCores = 72;
constexpr std::uint32_t kCubes = 24;
constexpr std::int64_t kTicksPerSubmission = 40;

double peak_megabytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void report(std::string_view what, std::uint32_t parts, const std::function<void()>& work) {
  const std::clock_t start = std::clock();  // of this process: others do not count
  work();
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  fmt::print("{:<40} {:9.1f} ms {:8.1f} M parts/s   peak {:6.0f} MB\n", what, seconds * 1e3,
             parts / seconds / 1e6, peak_megabytes());
}

struct Chip {
  trace::TraceBuilder builder;
  trace::ClockId clock = builder.add_clock({builder.intern("device"), base::Frequency::mhz(50)});
  std::vector<trace::TrackId> cores;
  trace::TrackId orchestrator = trace::TrackId::kNone;

  explicit Chip(int level) {
    for (std::uint32_t i = 0; i < kCores; ++i)
      cores.push_back(
          track(fmt::format("core {}", i), i < kCubes ? trace::engine::kCube : trace::engine::kVector, i));
    for (const trace::TrackId core : cores) builder.track(core).level = trace::TrackLevel::kCore;
    orchestrator = track("orchestrator", trace::engine::kOrchestrator, 0);
    builder.add_fact(trace::fact::kSwimlaneLevel, trace::Value::of_int(level));
  }
  trace::TrackId track(std::string_view name, std::string_view engine, std::uint32_t number) {
    const trace::StringId text = builder.intern(name);
    return builder.add_track({.name = text,
                              .clock = clock,
                              .resource = builder.add_resource({text, builder.intern(engine)}),
                              .external_id = number});
  }
};

// Cores take tasks in turn; at level 4 each waits for its submission and for two tasks before it.
trace::Trace build(std::uint32_t parts, int level) {
  Chip chip(level);
  trace::TraceBuilder& builder = chip.builder;
  stats::Generator random(1);
  const trace::CategoryId execution = builder.category(trace::category::kTaskExecution);
  const trace::CategoryId submit =
      level == 4 ? builder.category(trace::category::kSubmit) : trace::CategoryId::kNone;
  const trace::StringId dispatch = builder.intern(trace::stage::kDispatch);
  const trace::StringId receive = builder.intern(trace::stage::kReceive);
  const trace::StringId finish = builder.intern(trace::stage::kFinish);
  const trace::StringId edge = builder.intern(trace::edge::kTensorMap);
  std::vector<trace::StringId> functions;
  for (int i = 0; i < 12; ++i) functions.push_back(builder.intern(fmt::format("function {}", i)));
  std::vector<std::int64_t> free(kCores, 0);
  std::vector<std::int64_t> ends;
  for (std::uint32_t i = 0; i < parts; ++i) {
    const trace::StringId function = functions[random.below(functions.size())];
    const trace::TaskId task = builder.add_task({.external_id = i, .name = function});
    std::int64_t ready = 0;
    if (level == 4) {
      ready = std::int64_t{i} * kTicksPerSubmission + kTicksPerSubmission;
      builder.add_slice({.track = chip.orchestrator,
                         .start = Ticks{ready - kTicksPerSubmission},
                         .duration = Ticks{kTicksPerSubmission},
                         .name = function,
                         .category = submit,
                         .task = task});
      for (int n = 0; n < 2 && i > 0; ++n) {
        const auto producer = static_cast<std::uint32_t>(i - 1 - random.below(std::min(i, 400U)));
        builder.add_task_edge(trace::TaskId{producer}, task, edge);
        ready = std::max(ready, ends[producer]);
      }
    }
    const std::uint32_t core = i % kCores;
    const std::int64_t handed = std::max(free[core], ready) + static_cast<std::int64_t>(random.below(40));
    const std::int64_t start = handed + 30 + static_cast<std::int64_t>(random.below(20));
    free[core] = start + 500 + static_cast<std::int64_t>(random.below(3000));
    if (level == 4) ends.push_back(free[core]);
    const trace::SliceId slice = builder.add_slice({.track = chip.cores[core],
                                                    .start = Ticks{start},
                                                    .duration = Ticks{free[core] - start},
                                                    .name = function,
                                                    .category = execution,
                                                    .task = task});
    builder.add_stage(slice, dispatch, Ticks{handed - start});
    builder.add_stage(slice, receive, Ticks{handed + 20 - start});
    builder.add_stage(slice, finish, Ticks{free[core] + 25 - start});
  }
  return std::move(*std::move(builder).finish());
}

void explain(std::uint32_t parts, int level) {
  const trace::Trace trace = build(parts, level);
  const trace::ChipRun chip = trace::chip_run(trace);
  fmt::print("{} parts on {} cores, level {}: {:.0f} MB of trace, peak {:.0f} MB\n", parts, kCores, level,
             static_cast<double>(trace.memory_bytes()) / 1e6, peak_megabytes());
  std::int64_t sum = 0;
  report("  every dispatch once", parts, [&] {
    for (const trace::ChipCore& core : chip.cores)
      for (const trace::Dispatch& d : trace::DispatchWalk(trace, core.track)) sum += d.end.value;
  });
  chip_analysis::TaskTimes times;
  report("  task times", parts, [&] { times = chip_analysis::task_times(trace, chip); });
  report("  core time", parts, [&] { sum += core_time(trace, chip, times).total.sum().value; });
  report("  functions", parts,
         [&] { sum += chip_analysis::function_times(trace, chip).total.exec.total.value; });
  report("  waits", parts, [&] {
    sum += wait_times(trace, chip, times).overall[chip_analysis::Stage::kStartToEnd].total.value;
  });
  report("  observer cost", parts, [&] { sum += observer_cost(trace, chip, times).core_time.value; });
  fmt::print("  (checksum {})\n", sum);
}

}  // namespace

int main() {
  explain(100'000, 4);
  explain(1'000'000, 4);
  explain(10'000'000, 2);
}
