#include "compat/reference_overhead.h"

#include <algorithm>
#include <numeric>

#include "trace/vocabulary.h"

namespace accelscope::compat {
namespace {

namespace phase = trace::phase;

OverheadVerdict verdict_of(const ReferenceRun& run, const ReferenceSweep& sweep) {
  OverheadVerdict verdict;
  verdict.tasks = run.rows.size();
  Ticks first = Ticks::max();
  Ticks last = Ticks::min();
  for (const ReferenceRow& row : run.rows) {
    first = std::min(first, row.start);
    last = std::max(last, row.end);
  }
  if (run.rows.empty()) return verdict;
  verdict.window = run.clock.us(last) - run.clock.us(first);
  for (std::size_t engine = 0; engine < kEngineCount; ++engine)
    verdict.has_engine[engine] = sweep.has(engine);
  for (std::size_t i = 0; i + 1 < sweep.steps.size(); ++i) {
    const SweepStep& step = sweep.steps[i];
    const Ticks from = std::max(step.time, first);
    const Ticks to = std::min(sweep.steps[i + 1].time, last);
    if (to <= from) continue;
    const double length = run.clock.us(to) - run.clock.us(from);
    for (std::size_t engine = 0; engine < kEngineCount; ++engine)
      if (has_overhead(step, engine)) verdict.engine[engine] += length;
    if (all_overhead(sweep, step)) verdict.all += length;
    if (working_overhead(sweep, step)) verdict.working += length;
  }
  return verdict;
}

// Rows of each core in order of their start; cores by number.
std::vector<std::vector<const ReferenceRow*>> rows_by_core(const ReferenceRun& run) {
  std::vector<const ReferenceRow*> order;
  for (const ReferenceRow& row : run.rows) order.push_back(&row);
  std::stable_sort(order.begin(), order.end(), [](const ReferenceRow* a, const ReferenceRow* b) {
    return a->core != b->core ? a->core < b->core : a->start < b->start;
  });
  std::vector<std::vector<const ReferenceRow*>> cores;
  for (const ReferenceRow* row : order) {
    if (cores.empty() || cores.back().front()->core != row->core) cores.emplace_back();
    cores.back().push_back(row);
  }
  return cores;
}

bool ready_at(const ReferenceSweep& sweep, Ticks time, std::size_t engine) {
  const auto after = std::partition_point(sweep.steps.begin(), sweep.steps.end(),
                                          [&](const SweepStep& step) { return step.time <= time; });
  return after != sweep.steps.begin() && (after - 1)->ready[engine] > 0;
}

void add_switches(const ReferenceRun& run, const ReferenceSweep& sweep,
                  const std::vector<const ReferenceRow*>& rows, ReferenceOverhead& overhead) {
  const std::size_t engine = rows.front()->cube ? kCubeEngine : kVectorEngine;
  EngineSwitches& switches = overhead.switches[engine];
  switches.present = true;
  double of_core = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i]->dispatch >= rows[i - 1]->end) continue;
    const double gap = run.clock.us(rows[i]->start) - run.clock.us(rows[i - 1]->end);
    of_core += gap;
    switches.total += gap;
    ++switches.events;
    if (ready_at(sweep, rows[i - 1]->end, engine)) switches.during_overhead += gap;
  }
  switches.per_core.push_back(of_core);
}

void add_heads(const ReferenceRun& run, const std::vector<const ReferenceRow*>& rows,
               OverheadDistribution& head) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double start = run.clock.us(rows[i]->start);
    double value = start - run.clock.us(rows[i]->dispatch);
    if (i > 0) value = std::min(value, start - run.clock.us(rows[i - 1]->end));
    head.sorted.push_back(std::max(0.0, value));
  }
}

void finish_distribution(OverheadDistribution& distribution) {
  std::sort(distribution.sorted.begin(), distribution.sorted.end());
  distribution.total = std::accumulate(distribution.sorted.begin(), distribution.sorted.end(), 0.0);
}

OverheadDistribution tails_of(const ReferenceRun& run) {
  OverheadDistribution tail;
  for (const ReferenceRow& row : run.rows)
    tail.sorted.push_back(std::max(0.0, run.clock.us(row.finish) - run.clock.us(row.end)));
  finish_distribution(tail);
  return tail;
}

LoopThread loop_of_thread(const ReferenceRun& run, const ReferenceThread& thread, LoopBudget& budget) {
  LoopThread loop{.number = thread.number};
  Ticks first = Ticks::max();
  Ticks last = Ticks::min();
  double accounted = 0;
  for (const ReferencePhase& item : thread.phases) {
    loop.loops = std::max(loop.loops, item.loop);
    budget.pop_hits += item.pop_hits;
    budget.pop_misses += item.pop_misses;
    double* total = item.kind == phase::kComplete    ? &budget.complete
                    : item.kind == phase::kAsyncPoll ? &budget.async_poll
                    : item.kind == phase::kDispatch  ? &budget.dispatch
                                                     : nullptr;
    if (total == nullptr) continue;
    if (total == &budget.complete) budget.finishes += item.tasks_processed;
    const double length = run.clock.us(item.end) - run.clock.us(item.start);
    *total += length;
    accounted += length;
    first = std::min(first, item.start);
    last = std::max(last, item.end);
  }
  if (first <= last) loop.total = run.clock.us(last) - run.clock.us(first);
  budget.idle += loop.total - accounted;
  return loop;
}

// The thread that saw a task's last row finish has done the task.
void count_tasks(const ReferenceRun& run, std::vector<LoopThread>& threads) {
  for (std::uint32_t task = 0; task < run.tasks.size(); ++task) {
    const std::span<const ReferenceRow> rows = run.rows_of(task);
    if (rows.empty()) continue;
    const auto last = std::max_element(rows.begin(), rows.end(),
                                       [](const auto& a, const auto& b) { return a.finish < b.finish; });
    for (LoopThread& thread : threads)
      if (thread.number == last->thread) ++thread.tasks;
  }
}

LoopBudget budget_of(const ReferenceRun& run) {
  LoopBudget budget;
  for (const ReferenceThread& thread : run.threads)
    if (!thread.phases.empty()) budget.threads.push_back(loop_of_thread(run, thread, budget));
  count_tasks(run, budget.threads);
  budget.fanout.edges = run.edge_count();
  budget.fanin.edges = run.edge_count();
  for (std::uint32_t task = 0; task < run.tasks.size(); ++task) {
    budget.fanout.max = std::max<std::uint64_t>(budget.fanout.max, run.consumers_of(task).size());
    budget.fanin.max = std::max<std::uint64_t>(budget.fanin.max, run.producers_of(task).size());
  }
  return budget;
}

struct TaskTimes {
  Ticks dispatch = Ticks::max();
  Ticks start = Ticks::max();
  Ticks end = trace::kUnknownTime;
  Ticks finish = trace::kUnknownTime;
};

std::vector<TaskTimes> times_of_tasks(const ReferenceRun& run) {
  std::vector<TaskTimes> times(run.tasks.size());
  for (const ReferenceRow& row : run.rows) {
    TaskTimes& task = times[row.task];
    task.dispatch = std::min(task.dispatch, row.dispatch);
    task.start = std::min(task.start, row.start);
    task.end = std::max(task.end, row.end);
    task.finish = std::max(task.finish, row.finish);
  }
  return times;
}

// From the task that finishes last to the producer that ends last, and so on to a task without any.
LatencyPath latency_path(const ReferenceRun& run) {
  LatencyPath path;
  const std::vector<TaskTimes> times = times_of_tasks(run);
  std::uint32_t task = ReferenceRun::kNoTask;
  for (std::uint32_t i = 0; i < times.size(); ++i) {
    if (!trace::is_known(times[i].end)) continue;
    if (task == ReferenceRun::kNoTask || times[i].finish > times[task].finish) task = i;
  }
  if (task == ReferenceRun::kNoTask) return path;
  const double last = run.clock.us(times[task].finish);
  // A cycle among the dependencies would never end.
  for (std::size_t steps = 0; steps <= run.tasks.size(); ++steps) {
    const double start = run.clock.us(times[task].start);
    path.compute += run.clock.us(times[task].end) - start;
    path.span = last - start;
    std::uint32_t before = ReferenceRun::kNoTask;
    for (const std::uint32_t producer : run.producers_of(task))
      if (trace::is_known(times[producer].end) &&
          (before == ReferenceRun::kNoTask || times[producer].end > times[before].end))
        before = producer;
    if (before == ReferenceRun::kNoTask) {
      path.scheduler += start - run.clock.us(times[task].dispatch);
      break;
    }
    path.scheduler += std::max(0.0, start - run.clock.us(times[before].end));
    task = before;
    ++path.hops;
  }
  return path;
}

}  // namespace

ReferenceOverhead reference_overhead(const ReferenceRun& run) {
  ReferenceOverhead overhead;
  const ReferenceSweep sweep = reference_sweep(run);
  overhead.verdict = verdict_of(run, sweep);
  for (const std::vector<const ReferenceRow*>& rows : rows_by_core(run)) {
    add_switches(run, sweep, rows, overhead);
    add_heads(run, rows, overhead.head);
  }
  finish_distribution(overhead.head);
  overhead.tail = tails_of(run);
  overhead.loops = budget_of(run);
  overhead.path = latency_path(run);
  return overhead;
}

}  // namespace accelscope::compat
