#include "analysis/chip/task_times.h"

#include <algorithm>
#include <optional>
#include <span>

#include "trace/clock.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using trace::CategoryId;
using trace::ChipRun;
using trace::is_known;
using trace::kUnknownTime;
using trace::TaskId;
using trace::Trace;
using trace::TrackId;

void take_earlier(Ticks& known, Ticks time) {
  if (is_known(time) && (!is_known(known) || time < known)) known = time;
}

void take_later(Ticks& known, Ticks time) {
  if (is_known(time) && (!is_known(known) || time > known)) known = time;
}

TaskNeighbours neighbours(const trace::Column<TaskId>& of, const trace::Column<TaskId>& to,
                          std::size_t tasks) {
  TaskNeighbours result;
  // One place further than they belong: filling the lists moves every beginning to where the next one is.
  result.first.assign(tasks + 2, 0);
  result.tasks.resize(of.size());
  for (std::uint32_t edge = 0; edge < of.size(); ++edge) ++result.first[index(of[edge]) + 2];
  for (std::size_t task = 0; task < tasks; ++task) result.first[task + 2] += result.first[task + 1];
  for (std::uint32_t edge = 0; edge < of.size(); ++edge)
    result.tasks[result.first[index(of[edge]) + 1]++] = to[edge];
  result.first.pop_back();
  return result;
}

// Calls settle(task) for every task behind all of its producers, and then hand_on(task, successor) for each
// edge of it. Tasks on a cycle, and those behind one, are left out.
template <class Settle, class HandOn>
void visit_producers_first(const Trace& trace, Settle&& settle, HandOn&& hand_on) {
  const trace::TaskEdgeTable& edges = trace.task_edges();
  const std::uint32_t tasks = trace.tasks().size();
  bool by_producer = true;
  for (std::uint32_t edge = 1; edge < edges.size() && by_producer; ++edge)
    by_producer = edges.from[edge - 1] <= edges.from[edge];
  // The usual order of a recording needs no lists of its own.
  if (by_producer && edges_lead_upwards(trace)) {
    std::uint32_t edge = 0;
    for (std::uint32_t task = 0; task < tasks; ++task) {
      settle(task);
      for (; edge < edges.size() && index(edges.from[edge]) == task; ++edge) hand_on(task, edges.to[edge]);
    }
    return;
  }
  const TaskNeighbours successors = successors_of(trace);
  for (const std::uint32_t task : producers_first(successors)) {
    settle(task);
    for (const TaskId successor : successors.of(TaskId{task})) hand_on(task, successor);
  }
}

class Collector {
 public:
  Collector(const Trace& trace, const ChipRun& chip) : trace_(trace), chip_(chip) {
    const std::size_t tasks = trace.tasks().size();
    wanted_ = tasks <= kTasksForNothing || trace.task_edges().size() > 0 || !chip.orchestrators.empty() ||
              !chip.schedulers.empty();
    if (!wanted_) return;
    times_.first_dispatch.assign(tasks, kUnknownTime);
    times_.first_start.assign(tasks, kUnknownTime);
    times_.last_end.assign(tasks, kUnknownTime);
    times_.last_finish.assign(tasks, kUnknownTime);
    times_.parts.assign(tasks, 0);
  }

  TaskTimes collect() && {
    add_dispatches();
    if (wanted_) {
      times_.done = times_.last_end;
      add_control_tasks();
      add_submissions();
    }
    if (is_known(from_)) times_.window = {from_, is_known(to_) ? to_ : from_};
    if (times_.has_submit() || trace_.task_edges().size() > 0) add_ready();
    return std::move(times_);
  }

 private:
  void add_dispatches() {
    for (const trace::ChipCore& core : chip_.cores) {
      trace::DispatchWalk walk(trace_, core.track);
      for (auto block = walk.next_block(); !block.empty(); block = walk.next_block()) add_block(block);
    }
  }

  void add_block(std::span<const trace::Dispatch> dispatches) {
    for (const trace::Dispatch& dispatch : dispatches) {
      for (const Ticks time : {dispatch.dispatch, dispatch.receive, dispatch.start})
        take_earlier(from_, time);
      for (const Ticks time : {dispatch.end, dispatch.finish}) take_later(to_, time);
    }
    if (!wanted_) return;
    for (std::size_t i = 0; i < dispatches.size() + kAhead; ++i) {
      if (i < dispatches.size()) fetch_ahead(dispatches[i].task);
      if (i >= kAhead && dispatches[i - kAhead].task != TaskId::kNone) add_part(dispatches[i - kAhead]);
    }
  }

  // Neighbours on a core are far apart among the tasks: without this, every task would wait for memory.
  void fetch_ahead(TaskId task) const {
    if (task == TaskId::kNone) return;
    for (const std::vector<Ticks>* column :
         {&times_.first_dispatch, &times_.first_start, &times_.last_end, &times_.last_finish})
      __builtin_prefetch(&(*column)[index(task)], 1);
    __builtin_prefetch(&times_.parts[index(task)], 1);
  }

  void add_part(const trace::Dispatch& dispatch) {
    const std::size_t task = index(dispatch.task);
    ++times_.parts[task];
    take_earlier(times_.first_dispatch[task], dispatch.dispatch);
    take_earlier(times_.first_start[task], dispatch.start);
    take_later(times_.last_end[task], dispatch.end);
    take_later(times_.last_finish[task], dispatch.finish);
  }

  // A graph is done with its last node, not when it has been prepared.
  void add_control_tasks() {
    const CategoryId control = trace_.find_category(trace::category::kControlTask);
    if (control == CategoryId::kNone) return;
    const trace::SliceTable& slices = trace_.slices();
    for (const TrackId thread : chip_.schedulers) {
      const trace::RowRange rows = trace_.slices_of(thread);
      for (std::uint32_t row = rows.first; row < rows.end(); ++row)
        if (slices.category[row] == control && slices.task[row] != TaskId::kNone)
          take_later(times_.done[index(slices.task[row])], slices.start[row] + slices.duration[row]);
    }
    const trace::TaskTable& tasks = trace_.tasks();
    for (std::uint32_t task = 0; task < tasks.size(); ++task)
      if (tasks.parent[task] != TaskId::kNone)
        take_later(times_.done[index(tasks.parent[task])], times_.last_end[task]);
  }

  void add_submissions() {
    if (!chip_.clocks_compare) return;
    const CategoryId submit = trace_.find_category(trace::category::kSubmit);
    if (submit == CategoryId::kNone || chip_.orchestrators.empty()) return;
    times_.submit.assign(trace_.tasks().size(), kUnknownTime);
    for (const TrackId orchestrator : chip_.orchestrators) add_submissions_of(orchestrator, submit);
    if (std::none_of(times_.submit.begin(), times_.submit.end(), is_known)) {
      times_.submit.clear();
      return;
    }
    // A node of a graph was asked for with its graph.
    const trace::Column<TaskId>& parent = trace_.tasks().parent;
    for (std::uint32_t task = 0; task < parent.size(); ++task)
      if (parent[task] != TaskId::kNone)
        take_earlier(times_.submit[task], times_.submit[index(parent[task])]);
    const trace::StringId allocation = trace_.strings().find(trace::task_kind::kAllocation);
    for (std::uint32_t task = 0; task < trace_.tasks().size(); ++task)
      if (!is_known(times_.done[task]) && trace_.tasks().kind[task] == allocation)
        times_.done[task] = times_.submit[task];
  }

  void add_submissions_of(TrackId orchestrator, CategoryId submit) {
    const trace::SliceTable& slices = trace_.slices();
    const trace::ClockRelation* relation = relation_of(trace_.track(orchestrator).clock);
    const auto on_device = [&](Ticks time) {
      if (relation == nullptr) return time;
      const std::optional<trace::MappedTime> mapped = trace::map_time(*relation, time);
      return mapped ? mapped->value : kUnknownTime;
    };
    const trace::RowRange rows = trace_.slices_of(orchestrator);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      if (slices.category[row] != submit || slices.task[row] == TaskId::kNone) continue;
      take_later(times_.submit[index(slices.task[row])], on_device(slices.start[row] + slices.duration[row]));
      // What a host did before the device ran is not the device's time.
      if (relation == nullptr) take_earlier(from_, slices.start[row]);
    }
  }

  const trace::ClockRelation* relation_of(trace::ClockId clock) const {
    if (clock == chip_.clock) return nullptr;
    const auto found =
        std::find_if(trace_.clock_relations().begin(), trace_.clock_relations().end(),
                     [&](const trace::ClockRelation& r) { return r.from == clock && r.to == chip_.clock; });
    return found == trace_.clock_relations().end() ? nullptr : &*found;
  }

  // Tasks that nothing retired visibly (a dummy below level 3) are done when they are ready, so producers
  // come first. Tasks on a cycle stay unknown.
  void add_ready() {
    const std::size_t tasks = trace_.tasks().size();
    times_.ready = times_.has_submit() ? times_.submit : std::vector<Ticks>(tasks, kUnknownTime);
    std::vector<bool> uncertain(tasks, false);
    for (std::uint32_t task = 0; task < tasks; ++task)
      uncertain[task] = times_.has_submit() && !is_known(times_.submit[task]);
    std::vector<bool> reached(tasks, false);
    const auto settle = [&](std::uint32_t task) {
      reached[task] = true;
      // A producer whose end is not known leaves its consumers' readiness unknown.
      if (uncertain[task]) times_.ready[task] = kUnknownTime;
      if (!is_known(times_.done[task]) && times_.parts[task] == 0) times_.done[task] = times_.ready[task];
    };
    const auto hand_on = [&](std::uint32_t task, TaskId successor) {
      if (is_known(times_.done[task]))
        take_later(times_.ready[index(successor)], times_.done[task]);
      else
        uncertain[index(successor)] = true;
    };
    visit_producers_first(trace_, settle, hand_on);
    for (std::uint32_t task = 0; task < tasks; ++task)
      if (!reached[task]) times_.ready[task] = kUnknownTime;
    // Without submissions, a task that waits for nobody may have been asked for at any time.
    if (!times_.has_submit() && trace_.task_edges().size() == 0) times_.ready.clear();
  }

  static constexpr std::size_t kAhead = 16;

  const Trace& trace_;
  const ChipRun& chip_;
  TaskTimes times_;
  bool wanted_ = true;
  Ticks from_ = kUnknownTime;
  Ticks to_ = kUnknownTime;
};

}  // namespace

TaskNeighbours predecessors_of(const Trace& trace) {
  return neighbours(trace.task_edges().to, trace.task_edges().from, trace.tasks().size());
}

TaskNeighbours successors_of(const Trace& trace) {
  return neighbours(trace.task_edges().from, trace.task_edges().to, trace.tasks().size());
}

bool edges_lead_upwards(const Trace& trace) {
  const trace::TaskEdgeTable& edges = trace.task_edges();
  for (std::uint32_t edge = 0; edge < edges.size(); ++edge)
    if (edges.to[edge] <= edges.from[edge]) return false;
  return true;
}

std::vector<std::uint32_t> producers_first(const TaskNeighbours& successors) {
  const std::size_t tasks = successors.first.size() - 1;
  std::vector<std::uint32_t> waiting(tasks, 0);
  for (const TaskId successor : successors.tasks) ++waiting[index(successor)];
  std::vector<std::uint32_t> order;
  order.reserve(tasks);
  for (std::uint32_t task = 0; task < tasks; ++task)
    if (waiting[task] == 0) order.push_back(task);
  for (std::size_t at = 0; at < order.size(); ++at)
    for (const TaskId successor : successors.of(TaskId{order[at]}))
      if (--waiting[index(successor)] == 0) order.push_back(index(successor));
  return order;
}

TaskTimes task_times(const Trace& trace, const ChipRun& chip) {
  return Collector(trace, chip).collect();
}

}  // namespace accelscope::analysis::chip
