#include "compat/reference_sweep.h"

#include <algorithm>

namespace accelscope::compat {
namespace {

struct Change {
  Ticks time = {};
  std::size_t engine = 0;
  int running = 0;
  int ready = 0;
};

std::size_t engine_of(const ReferenceRow& row) {
  return row.cube ? kCubeEngine : kVectorEngine;
}

std::vector<Ticks> ends_of_tasks(const ReferenceRun& run) {
  std::vector<Ticks> ends(run.tasks.size(), trace::kUnknownTime);
  for (const ReferenceRow& row : run.rows) ends[row.task] = std::max(ends[row.task], row.end);
  return ends;
}

void add_ready_time(const ReferenceRun& run, const std::vector<Ticks>& ends, std::uint32_t task,
                    std::vector<Change>& changes) {
  const std::span<const ReferenceRow> rows = run.rows_of(task);
  if (rows.empty()) return;
  Ticks ready = trace::kUnknownTime;
  for (const std::uint32_t producer : run.producers_of(task)) ready = std::max(ready, ends[producer]);
  Ticks dispatch = Ticks::max();
  std::array<bool, kEngineCount> uses = {};
  for (const ReferenceRow& row : rows) {
    dispatch = std::min(dispatch, row.dispatch);
    uses[engine_of(row)] = true;
  }
  if (!trace::is_known(ready) || ready >= dispatch) return;
  for (std::size_t engine = 0; engine < kEngineCount; ++engine) {
    if (!uses[engine]) continue;
    changes.push_back({ready, engine, 0, 1});
    changes.push_back({dispatch, engine, 0, -1});
  }
}

std::vector<Change> changes_of(const ReferenceRun& run) {
  std::vector<Change> changes;
  for (const ReferenceRow& row : run.rows) {
    changes.push_back({row.start, engine_of(row), 1, 0});
    changes.push_back({row.end, engine_of(row), -1, 0});
  }
  const std::vector<Ticks> ends = ends_of_tasks(run);
  for (std::uint32_t task = 0; task < run.tasks.size(); ++task) add_ready_time(run, ends, task, changes);
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.time < b.time; });
  return changes;
}

std::array<std::int64_t, kEngineCount> cores_that_ran(const ReferenceRun& run) {
  std::array<std::vector<std::int64_t>, kEngineCount> cores;
  for (const ReferenceRow& row : run.rows) cores[engine_of(row)].push_back(row.core);
  std::array<std::int64_t, kEngineCount> counts = {};
  for (std::size_t engine = 0; engine < kEngineCount; ++engine) {
    std::vector<std::int64_t>& list = cores[engine];
    std::sort(list.begin(), list.end());
    counts[engine] = std::unique(list.begin(), list.end()) - list.begin();
  }
  return counts;
}

}  // namespace

ReferenceSweep reference_sweep(const ReferenceRun& run) {
  ReferenceSweep sweep;
  if (!run.has_dispatch_times) return sweep;
  sweep.cores = cores_that_ran(run);
  SweepStep now{.time = {}, .idle = sweep.cores, .ready = {}};
  const std::vector<Change> changes = changes_of(run);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Change& change = changes[i];
    now.time = change.time;
    now.idle[change.engine] -= change.running;
    now.ready[change.engine] += change.ready;
    const bool last_of_this_time = i + 1 == changes.size() || changes[i + 1].time != change.time;
    if (last_of_this_time) sweep.steps.push_back(now);
  }
  return sweep;
}

bool has_overhead(const SweepStep& step, std::size_t engine) {
  return step.idle[engine] > 0 && step.ready[engine] > 0;
}

bool all_overhead(const ReferenceSweep& sweep, const SweepStep& step) {
  for (std::size_t engine = 0; engine < kEngineCount; ++engine)
    if (sweep.has(engine) && !has_overhead(step, engine)) return false;
  return true;
}

bool working_overhead(const ReferenceSweep& sweep, const SweepStep& step) {
  bool any_ready = false;
  for (std::size_t engine = 0; engine < kEngineCount; ++engine) {
    if (!sweep.has(engine) || step.ready[engine] <= 0) continue;
    any_ready = true;
    if (!has_overhead(step, engine)) return false;
  }
  return any_ready;
}

}  // namespace accelscope::compat
