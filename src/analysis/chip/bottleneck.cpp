#include "analysis/chip/bottleneck.h"

#include <algorithm>

#include "analysis/chip/chip_load.h"
#include "analysis/chip/dispatch_times.h"

namespace accelscope::analysis::chip {
namespace {

using trace::ChipRun;
using trace::is_known;
using trace::kUnknownTime;
using trace::SliceId;
using trace::TaskId;
using trace::Trace;

// What is known about the task that the path waits for.
struct Pending {
  WaitKind wait = WaitKind::kFrontGap;
  bool on_core = false;
  bool needs[kEngines] = {};  // kinds of cores, all of which have to be free
  std::size_t queue = 0;
  Ticks submit = kUnknownTime;
  Ticks producers = kUnknownTime;  // all of them were done, and the task was asked for if that is known
  Ticks noticed = kUnknownTime;    // the scheduler had seen that they were
  Ticks dispatch = kUnknownTime;
};

class Attribution {
 public:
  Attribution(const Trace& trace, const ChipRun& chip, const TaskTimes& times, const ObservedPath& path,
              const PathOptions& options)
      : trace_(trace),
        times_(times),
        path_(path),
        dispatch_(trace),
        dependencies_known_(chip.dependencies_recorded || options.no_edges_means_independent),
        load_(trace, chip, times, dependencies_known_) {
    result_.window = times.window;
    result_.evidence = {.submissions = times.has_submit(),
                        .dependencies = trace.task_edges().size() > 0,
                        .dispatches = load_.has_dispatches(),
                        .queue_depths = load_.has_queues()};
    if (!times.has_submit() && load_.has_queues() && trace.task_edges().size() > 0)
      predecessors_ = predecessors_of(trace);
  }

  Bottleneck run() && {
    if (!path_.steps.empty()) {
      Pending next = pending(path_.steps.front());
      for (std::size_t i = 0; i < path_.steps.size(); ++i) {
        const PathStep& step = path_.steps[i];
        const Pending here = next;
        add_stall(step, here);
        const bool is_last = i + 1 == path_.steps.size();
        if (!is_last) next = pending(path_.steps[i + 1]);
        add_compute(step, is_last ? nullptr : &next);
      }
    }
    // From the last end on, only the scheduler has something to do: to see it.
    share(Limit::kScheduling) += times_.window.to - std::max(path_.window.to, times_.window.from);
    decide();
    return result_;
  }

 private:
  Ticks& share(Limit limit) { return result_.ticks[static_cast<std::size_t>(limit)]; }

  Pending pending(const PathStep& step) const {
    Pending result{.wait = step.wait, .on_core = step.slice != SliceId::kNone};
    if (result.on_core) {
      result.dispatch = dispatch_.of(step.slice);
      const std::size_t engine = load_.engine_of(step.slice);
      result.needs[engine] = true;
      result.queue = engine;
    }
    if (step.task == TaskId::kNone) return result;
    const std::uint32_t task = index(step.task);
    if (trace_.text(trace_.tasks().kind[task]) == trace::task_kind::kMix) {
      std::fill(std::begin(result.needs), std::end(result.needs), result.on_core);
      result.queue = kMixQueue;
    }
    if (times_.has_submit()) result.submit = times_.submit[task];
    if (times_.has_ready()) result.producers = times_.ready[task];
    if (!predecessors_.first.empty()) {
      result.noticed = result.producers;
      for (const TaskId producer : predecessors_.of(step.task))
        result.noticed = std::max(result.noticed, times_.last_finish[index(producer)]);
    }
    return result;
  }

  // Goes through [from, to] in pieces in which nothing changes.
  template <class Classify>
  void add(Ticks from, Ticks to, const Pending& pending, Classify classify) {
    for (Ticks at = from; at < to;) {
      load_.advance(at);
      Ticks until = std::min(to, load_.next_change());
      for (const Ticks moment : {pending.submit, pending.producers, pending.noticed, pending.dispatch})
        if (moment > at) until = std::min(until, moment);
      share(classify(at)) += until - at;
      at = until;
    }
  }

  void add_stall(const PathStep& step, const Pending& here) {
    add(step.stall_from, step.start, here, [&](Ticks at) {
      const Limit limit = why_waiting(here, at);
      // Its own core is free; for a MIX block that need not be enough.
      return limit == Limit::kScheduling && !could_run(here) ? Limit::kCompute : limit;
    });
  }

  void add_compute(const PathStep& step, const Pending* next) {
    if (next == nullptr) {
      share(Limit::kCompute) += step.compute();
    } else if (is_known(next->submit) && next->submit > step.end) {
      // The next step was asked for only afterwards: it would not have come earlier had this one been faster.
      share(Limit::kSubmission) += step.compute();
    } else if (next->wait == WaitKind::kCoreWait && next->on_core) {
      // The next step waits for this core only as long as no other can take it.
      add(step.start, step.end, *next,
          [&](Ticks at) { return could_run(*next) ? why_waiting(*next, at) : Limit::kCompute; });
    } else {
      add(step.start, step.end, *next, [&](Ticks) { return while_computing(); });
    }
  }

  bool could_run(const Pending& pending) const {
    for (std::size_t engine = 0; engine < kEngines; ++engine)
      if (pending.needs[engine] && load_.idle_cores(engine) <= 0) return false;
    return true;
  }

  // Why a task is not running although a core is free for it.
  Limit why_waiting(const Pending& task, Ticks at) const {
    if (is_known(task.submit) && at < task.submit) return Limit::kSubmission;
    if (is_known(task.dispatch) && at >= task.dispatch) return Limit::kScheduling;
    if (dependencies_known_ && is_known(task.producers) && at < task.producers) return Limit::kDependencies;
    if (is_known(task.submit) && dependencies_known_) return Limit::kScheduling;
    if (!load_.queues_known() || !task.on_core) return Limit::kUnknown;
    if (load_.queue_depth(task.queue) > 0) return Limit::kScheduling;
    if (!is_known(task.noticed)) return Limit::kUnknown;
    // Nothing was ready, although its producers were done: nobody had asked for it.
    return at < task.noticed ? Limit::kScheduling : Limit::kSubmission;
  }

  // A step computes, and the next one waits for its result.
  Limit while_computing() const {
    if (!load_.idle_core_with_work_left()) return Limit::kCompute;
    if (load_.queues_known()) return load_.any_queued() ? Limit::kCompute : Limit::kDependencies;
    if (load_.surely_waiting() > 0) return Limit::kCompute;
    return load_.maybe_waiting() > 0 ? Limit::kUnknown : Limit::kDependencies;
  }

  void decide() {
    std::array<std::size_t, kLimits> order = {};
    for (std::size_t i = 0; i < kLimits; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return result_.ticks[a] > result_.ticks[b]; });
    result_.verdict = static_cast<Limit>(order[0]);
    result_.second = static_cast<Limit>(order[1]);
    const Ticks window = result_.window.length();
    if (window <= Ticks{}) result_.verdict = Limit::kUnknown;
    const Ticks apart = result_.ticks[order[0]] - result_.ticks[order[1]];
    result_.mixed = window > Ticks{} && apart.value < window.value / 10;
  }

  const Trace& trace_;
  const TaskTimes& times_;
  const ObservedPath& path_;
  DispatchTimes dispatch_;
  bool dependencies_known_;
  ChipLoad load_;
  TaskNeighbours predecessors_;
  Bottleneck result_;
};

}  // namespace

double Bottleneck::share(Limit limit) const {
  const Ticks length = window.length();
  return length.value > 0 ? static_cast<double>(of(limit).value) / static_cast<double>(length.value) : 0;
}

Bottleneck bottleneck(const Trace& trace, const ChipRun& chip, const TaskTimes& times,
                      const ObservedPath& path, const PathOptions& options) {
  return Attribution(trace, chip, times, path, options).run();
}

}  // namespace accelscope::analysis::chip
