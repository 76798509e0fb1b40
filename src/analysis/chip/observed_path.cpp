#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/chip/critical_path.h"
#include "analysis/chip/dispatch_times.h"
#include "analysis/chip/path_functions.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using trace::ChipRun;
using trace::is_known;
using trace::kUnknownTime;
using trace::SliceId;
using trace::TaskId;
using trace::Trace;

// A place on the path: a part on a core, or a task that no core carried out, which begins and ends when it is
// done.
struct Place {
  TaskId task = TaskId::kNone;
  SliceId slice = SliceId::kNone;
  Ticks start = {};
  Ticks end = {};
};

class Walk {
 public:
  Walk(const Trace& trace, const ChipRun& chip, const TaskTimes& times, const PathOptions& options)
      : trace_(trace),
        chip_(chip),
        times_(times),
        dispatch_(trace),
        execution_(trace.find_category(trace::category::kTaskExecution)),
        dependencies_known_(chip.dependencies_recorded || options.no_edges_means_independent) {
    path_.window = {times.window.from, times.window.from};
    path_.first_start = times.window.to;
    if (trace.task_edges().size() > 0) {
      predecessors_ = predecessors_of(trace);
      visited_.assign(trace.tasks().size(), false);
    }
    find_last_parts();
    find_mix_parts();
  }

  ObservedPath walk() && {
    if (last_ == SliceId::kNone) return std::move(path_);
    Place place = part(last_);
    path_.window.to = place.end;
    Ticks limit = place.end;
    for (;;) {
      const std::optional<std::pair<Place, WaitKind>> before = before_of(place);
      limit = add_step(place, before, limit);
      if (!before) break;
      place = before->first;
    }
    std::reverse(path_.steps.begin(), path_.steps.end());
    sum_up();
    return std::move(path_);
  }

 private:
  Place part(SliceId slice) const {
    const trace::SliceTable& slices = trace_.slices();
    const std::uint32_t row = index(slice);
    return {slices.task[row], slice, slices.start[row], slices.start[row] + slices.duration[row]};
  }

  void find_last_parts() {
    const trace::SliceTable& slices = trace_.slices();
    if (!visited_.empty()) last_part_.assign(trace_.tasks().size(), SliceId::kNone);
    Ticks last_end = kUnknownTime;
    for (const trace::ChipCore& core : chip_.cores) {
      const trace::RowRange rows = trace_.slices_of(core.track);
      for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
        if (slices.category[row] != execution_) continue;
        const Ticks end = slices.start[row] + slices.duration[row];
        path_.first_start = std::min(path_.first_start, slices.start[row]);
        if (end > last_end) {
          last_end = end;
          last_ = SliceId{row};
        }
        const TaskId task = slices.task[row];
        if (last_part_.empty() || task == TaskId::kNone) continue;
        SliceId& last = last_part_[index(task)];
        if (last == SliceId::kNone && end == times_.last_end[index(task)]) last = SliceId{row};
      }
    }
    if (last_part_.empty()) return;
    // A graph ends with its last node.
    const trace::Column<TaskId>& parent = trace_.tasks().parent;
    for (std::uint32_t task = 0; task < parent.size(); ++task) {
      if (parent[task] == TaskId::kNone || last_part_[task] == SliceId::kNone) continue;
      SliceId& last = last_part_[index(parent[task])];
      if (last == SliceId::kNone || part(last_part_[task]).end > part(last).end) last = last_part_[task];
    }
  }

  // The parts of one MIX block start when all their cores are free. Which parts make a block is only certain
  // when there is one block.
  void find_mix_parts() {
    const trace::StringId mix = trace_.strings().find(trace::task_kind::kMix);
    const trace::TaskTable& tasks = trace_.tasks();
    const auto is_one_block = [&](TaskId task) {
      return task != TaskId::kNone && tasks.kind[index(task)] == mix && tasks.blocks[index(task)] <= 1;
    };
    bool any = false;
    for (std::uint32_t task = 0; task < tasks.size() && !any; ++task) any = is_one_block(TaskId{task});
    if (!any) return;
    for (const trace::ChipCore& core : chip_.cores) {
      const trace::RowRange rows = trace_.slices_of(core.track);
      for (std::uint32_t row = rows.first; row < rows.end(); ++row)
        if (trace_.slices().category[row] == execution_ && is_one_block(trace_.slices().task[row]))
          mix_parts_.push_back({trace_.slices().task[row], SliceId{row}});
    }
    std::sort(mix_parts_.begin(), mix_parts_.end());
  }

  std::optional<std::pair<Place, WaitKind>> before_of(const Place& place) {
    const std::optional<Place> producer = last_producer(place);
    const std::optional<Place> on_core = last_on_cores(place);
    if (producer && (!on_core || producer->end >= on_core->end)) {
      visited_[index(producer->task)] = true;
      return std::pair{*producer, WaitKind::kDataWait};
    }
    if (on_core) return std::pair{*on_core, WaitKind::kCoreWait};
    return std::nullopt;
  }

  std::optional<Place> last_on_cores(const Place& place) const {
    if (place.slice == SliceId::kNone) return std::nullopt;
    std::optional<Place> last = previous_on_core(place.slice);
    const auto [from, to] =
        std::equal_range(mix_parts_.begin(), mix_parts_.end(), std::pair{place.task, SliceId{}},
                         [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto other = from; other != to; ++other) {
      const std::optional<Place> previous = previous_on_core(other->second);
      // Only what makes this part late, and leads back in time.
      if (previous && previous->end <= place.start && previous->start < place.start &&
          (!last || previous->end > last->end))
        last = previous;
    }
    return last;
  }

  std::optional<Place> previous_on_core(SliceId slice) const {
    const trace::SliceTable& slices = trace_.slices();
    const trace::RowRange rows = trace_.slices_of(slices.track[index(slice)]);
    for (std::uint32_t row = index(slice); row-- > rows.first;)
      if (slices.category[row] == execution_) return part(SliceId{row});
    return std::nullopt;
  }

  // The producer that was done last. Producers whose end is not known and that no core carried out are looked
  // through.
  std::optional<Place> last_producer(const Place& place) {
    if (visited_.empty() || place.task == TaskId::kNone) return std::nullopt;
    std::optional<Place> last;
    ++query_;
    std::vector<TaskId> open = {place.task};
    while (!open.empty()) {
      const TaskId consumer = open.back();
      open.pop_back();
      for (const TaskId producer : predecessors_.of(consumer)) consider(producer, place, last, open);
      const TaskId graph = trace_.tasks().parent[index(consumer)];
      if (graph == TaskId::kNone || consumer != place.task) continue;
      for (const TaskId producer : predecessors_.of(graph))
        if (trace_.tasks().parent[index(producer)] != graph) consider(producer, place, last, open);
    }
    return last;
  }

  void consider(TaskId producer, const Place& consumer, std::optional<Place>& last,
                std::vector<TaskId>& open) {
    if (visited_[index(producer)]) return;
    const Ticks done = times_.done[index(producer)];
    const SliceId slice = last_part_[index(producer)];
    if (slice == SliceId::kNone && !is_known(done)) {
      if (looked_through_.empty()) looked_through_.assign(visited_.size(), 0);
      if (std::exchange(looked_through_[index(producer)], query_) != query_) open.push_back(producer);
      return;
    }
    Place place = slice == SliceId::kNone ? Place{producer, slice, done, done} : part(slice);
    // A dependency that was not kept leads to no reason.
    if (place.start > consumer.start || visited_[index(place.task)]) return;
    if (!last || place.end > last->end || (place.end == last->end && place.task < last->task)) last = place;
  }

  // Returns where the step before has to end.
  Ticks add_step(const Place& place, const std::optional<std::pair<Place, WaitKind>>& before, Ticks limit) {
    const Ticks end = std::min(place.end, limit);
    const Ticks start = std::min(place.start, end);
    PathStep step{.task = place.task,
                  .slice = place.slice,
                  .function = place.slice == SliceId::kNone ? trace_.tasks().name[index(place.task)]
                                                            : trace_.slices().name[index(place.slice)],
                  .wait = before ? before->second : WaitKind::kFrontGap,
                  .stall_from = std::min(before ? before->first.end : path_.window.from, start),
                  .start = start,
                  .end = end};
    // Nothing lies before the window: tasks that a host retired may.
    step.stall_from = std::max(step.stall_from, path_.window.from);
    step.start = std::max(step.start, step.stall_from);
    step.end = std::max(step.end, step.start);
    step.stall = split(step);
    path_.steps.push_back(step);
    return step.stall_from;
  }

  Stall split(const PathStep& step) const {
    Stall stall;
    Ticks at = step.stall_from;
    const auto until = [&](Ticks moment) {
      const Ticks from = at;
      at = std::clamp(moment, at, step.start);
      return at - from;
    };
    const bool has_task = step.task != TaskId::kNone;
    const Ticks submit = times_.has_submit() && has_task ? times_.submit[index(step.task)] : kUnknownTime;
    if (is_known(submit)) stall.submission = until(submit);
    const bool ready_known = is_known(submit) && dependencies_known_;
    if (step.slice == SliceId::kNone) {
      (ready_known ? stall.scheduling : stall.unknown) = until(step.start);
      return stall;
    }
    const Ticks dispatch = dispatch_.of(step.slice);
    if (!is_known(dispatch)) {
      stall.unknown = until(step.start);
      return stall;
    }
    (ready_known ? stall.scheduling : stall.unknown) = until(dispatch);
    const bool was_in_hand = step.wait == WaitKind::kCoreWait && dispatch <= step.stall_from;
    (was_in_hand ? stall.core : stall.scheduling) += until(step.start);
    return stall;
  }

  void sum_up() {
    PathFunctions functions(trace_);
    for (const PathStep& step : path_.steps) {
      const Ticks stall = step.stall.total();
      path_.compute += step.compute();
      path_.stall.submission += step.stall.submission;
      path_.stall.scheduling += step.stall.scheduling;
      path_.stall.core += step.stall.core;
      path_.stall.unknown += step.stall.unknown;
      (step.wait == WaitKind::kFrontGap   ? path_.front_gap
       : step.wait == WaitKind::kDataWait ? path_.data_wait
                                          : path_.core_wait) += stall;
      functions.add(step.function, step.compute(), stall);
    }
    path_.functions = std::move(functions).by_compute();
  }

  const Trace& trace_;
  const ChipRun& chip_;
  const TaskTimes& times_;
  DispatchTimes dispatch_;
  trace::CategoryId execution_;
  bool dependencies_known_;
  TaskNeighbours predecessors_;
  std::vector<SliceId> last_part_;  // per task, when there are dependencies
  std::vector<std::pair<TaskId, SliceId>> mix_parts_;
  // Tasks that the path reached as producers: a path through wrong times still ends.
  std::vector<bool> visited_;
  std::vector<std::uint32_t> looked_through_;  // per task, the last query that did
  std::uint32_t query_ = 0;
  SliceId last_ = SliceId::kNone;
  ObservedPath path_;
};

}  // namespace

ObservedPath observed_path(const Trace& trace, const ChipRun& chip, const TaskTimes& times,
                           const PathOptions& options) {
  return Walk(trace, chip, times, options).walk();
}

Ticks ObservedPath::front_gap_from_first_start() const {
  if (steps.empty()) return {};
  return std::max(Ticks{}, steps.front().start - std::max(first_start, steps.front().stall_from));
}

}  // namespace accelscope::analysis::chip
