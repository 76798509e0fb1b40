#include "analysis/chip/chip_load.h"

#include <algorithm>
#include <utility>

#include "analysis/chip/sort_by_time.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using trace::is_known;
using trace::TaskId;
using trace::Trace;

// Which of the two comes next is as good as random, so nothing here depends on a branch that could be
// predicted.
void merge(const Ticks* a, const Ticks* a_end, const Ticks* b, const Ticks* b_end, Ticks* out) {
  while (a != a_end && b != b_end) {
    const bool takes_b = *b < *a;
    *out++ = takes_b ? *b : *a;
    a += takes_b ? 0 : 1;
    b += takes_b ? 1 : 0;
  }
  std::copy(b, b_end, std::copy(a, a_end, out));
}

// Moments of many cores, each core's nearly always in order: merging sorted runs takes a fraction of sorting.
class Runs {
 public:
  void add(Ticks moment) { moments_.push_back(moment); }
  void end_run() {
    const auto from = moments_.begin() + static_cast<std::ptrdiff_t>(bounds_.back());
    if (!std::is_sorted(from, moments_.end())) std::sort(from, moments_.end());
    if (from != moments_.end()) bounds_.push_back(moments_.size());
  }
  std::vector<Ticks> merged() && {
    std::vector<Ticks> other(moments_.size());
    while (bounds_.size() > 2) {
      std::vector<std::size_t> bounds = {0};
      for (std::size_t run = 0; run + 1 < bounds_.size(); run += 2) {
        const std::size_t middle = bounds_[run + 1];
        const std::size_t end = run + 2 < bounds_.size() ? bounds_[run + 2] : middle;
        const Ticks* from = moments_.data();
        merge(from + bounds_[run], from + middle, from + middle, from + end, other.data() + bounds_[run]);
        bounds.push_back(end);
      }
      std::swap(moments_, other);
      bounds_ = std::move(bounds);
    }
    return std::move(moments_);
  }

 private:
  std::vector<Ticks> moments_;
  std::vector<std::size_t> bounds_ = {0};
};

Passed in_order(std::vector<Ticks> moments) {
  sort_by_time(moments, [](Ticks moment) { return moment; });
  return Passed(std::move(moments));
}

}  // namespace

ChipLoad::ChipLoad(const Trace& trace, const trace::ChipRun& chip, const TaskTimes& times,
                   bool dependencies_known) {
  add_queues(trace, chip);
  add_parts(trace, chip, times, dependencies_known);
  for (Passed* passed :
       {&engines_[kCubeEngine].starts, &engines_[kCubeEngine].ends, &engines_[kVectorEngine].starts,
        &engines_[kVectorEngine].ends, &ready_, &taken_, &maybe_ready_, &maybe_taken_})
    if (passed->left() > 0) counted_.push_back(passed);
}

void ChipLoad::add_parts(const Trace& trace, const trace::ChipRun& chip, const TaskTimes& times,
                         bool dependencies_known) {
  const bool sure = times.has_submit() && dependencies_known;
  // With queue depths nobody asks, and without any record all that is left may wait.
  const bool count_waiting = !has_queues_ && (times.has_submit() || times.has_ready() || dependencies_known);
  all_left_may_wait_ = !count_waiting;
  std::array<Runs, kEngines> starts;
  std::array<Runs, kEngines> ends;
  std::vector<Ticks> ready, taken, maybe_ready, maybe_taken;
  for (const trace::ChipCore& core : chip.cores) {
    const std::size_t engine = core.engine == trace::engine::kCube ? kCubeEngine : kVectorEngine;
    ++engines_[engine].cores;
    if (engine == kCubeEngine) cube_rows_.push_back(trace.slices_of(core.track));
    for (const trace::Dispatch& part : trace::DispatchWalk(trace, core.track)) {
      starts[engine].add(part.start);
      ends[engine].add(part.end);
      has_dispatches_ = has_dispatches_ || is_known(part.dispatch);
      if (!count_waiting) continue;
      const Ticks known = times.has_ready() && part.task != TaskId::kNone ? times.ready[index(part.task)]
                                                                          : trace::kUnknownTime;
      const Ticks from = is_known(known) ? known : times.window.from;
      const Ticks to = is_known(part.dispatch) ? std::min(part.dispatch, part.start) : part.start;
      if (from >= to) continue;
      const bool surely = sure && is_known(known);
      (surely ? ready : maybe_ready).push_back(from);
      (surely ? taken : maybe_taken).push_back(to);
    }
    starts[engine].end_run();
    ends[engine].end_run();
  }
  for (std::size_t engine = 0; engine < kEngines; ++engine) {
    engines_[engine].starts = Passed(std::move(starts[engine]).merged());
    engines_[engine].ends = Passed(std::move(ends[engine]).merged());
  }
  ready_ = in_order(std::move(ready));
  taken_ = in_order(std::move(taken));
  maybe_ready_ = in_order(std::move(maybe_ready));
  maybe_taken_ = in_order(std::move(maybe_taken));
  std::sort(cube_rows_.begin(), cube_rows_.end(),
            [](const trace::RowRange& a, const trace::RowRange& b) { return a.first < b.first; });
}

void ChipLoad::add_queues(const Trace& trace, const trace::ChipRun& chip) {
  const trace::CounterTable& counters = trace.counters();
  for (std::size_t i = 0; i < kQueues; ++i) {
    if (chip.ready_queues[i] == trace::TrackId::kNone) continue;
    Queue& queue = queues_[i];
    const trace::RowRange rows = trace.counters_of(chip.ready_queues[i]);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      const auto depth = static_cast<std::int64_t>(counters.bits[row]);
      // Most samples find what the last one did; they would only make more pieces.
      if (!queue.depths.empty() && (queue.depths.back() > 0) == (depth > 0)) continue;
      queue.times.push_back(counters.time[row]);
      queue.depths.push_back(depth);
    }
    has_queues_ = has_queues_ || !queue.times.empty();
  }
}

void ChipLoad::advance(Ticks to) {
  if (to < next_change_) return;
  Ticks next = Ticks::max();
  for (Passed* passed : counted_) {
    passed->advance(to);
    next = std::min(next, passed->next());
  }
  if (has_queues_) {
    for (Queue& queue : queues_) {
      for (; queue.next < queue.times.size() && queue.times[queue.next] <= to; ++queue.next)
        queue.depth = queue.depths[queue.next];
      if (queue.next < queue.times.size()) next = std::min(next, queue.times[queue.next]);
    }
  }
  next_change_ = next;
}

std::int64_t ChipLoad::idle_cores(std::size_t engine) const {
  const Engine& cores = engines_[engine];
  return cores.cores - (cores.starts.count() - cores.ends.count());
}

bool ChipLoad::idle_core_with_work_left() const {
  for (std::size_t engine = 0; engine < kEngines; ++engine)
    if (engines_[engine].starts.left() > 0 && idle_cores(engine) > 0) return true;
  return false;
}

std::int64_t ChipLoad::maybe_waiting() const {
  if (!all_left_may_wait_) return maybe_ready_.count() - maybe_taken_.count();
  std::int64_t left = 0;
  for (const Engine& engine : engines_) left += engine.starts.left();
  return left;
}

bool ChipLoad::queues_known() const {
  return std::any_of(queues_.begin(), queues_.end(), [](const Queue& queue) { return queue.next > 0; });
}

bool ChipLoad::any_queued() const {
  return std::any_of(queues_.begin(), queues_.end(), [](const Queue& queue) { return queue.depth > 0; });
}

std::size_t ChipLoad::engine_of(trace::SliceId slice) const {
  const auto after =
      std::upper_bound(cube_rows_.begin(), cube_rows_.end(), index(slice),
                       [](std::uint32_t row, const trace::RowRange& rows) { return row < rows.first; });
  return after != cube_rows_.begin() && std::prev(after)->contains(index(slice)) ? kCubeEngine
                                                                                 : kVectorEngine;
}

}  // namespace accelscope::analysis::chip
