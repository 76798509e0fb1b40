#include "analysis/chip/loop_budget.h"

#include <algorithm>

#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using trace::is_known;
using trace::StringId;
using trace::TaskId;
using trace::Trace;
using trace::TrackId;

struct Phase {
  Ticks from = {};
  Ticks to = {};
  std::size_t kind = 0;  // position in ThreadBudget::phases
};

std::optional<double> per(double amount, std::uint64_t count) {
  if (count == 0) return std::nullopt;
  return amount / static_cast<double>(count);
}

// Gives every moment to the phase that began last of those that cover it, and the rest to nobody: exact also
// where phases overlap that should not.
class SelfTimes {
 public:
  SelfTimes(std::vector<PhaseTime>& phases, Ticks from) : phases_(phases), now_(from) {}

  Ticks run(const std::vector<Phase>& in_order) {
    for (const Phase& phase : in_order) {
      advance(phase.from);
      open_.push_back(phase);
    }
    advance(Ticks::max());
    return idle_;
  }

 private:
  void advance(Ticks to) {
    while (now_ < to && !open_.empty()) {
      const Phase& top = open_.back();
      const Ticks until = std::min(top.to, to);
      if (until > now_) {
        phases_[top.kind].self += until - now_;
        now_ = until;
      }
      if (top.to <= now_) open_.pop_back();
    }
    if (now_ < to && to != Ticks::max()) {
      idle_ += to - now_;
      now_ = to;
    }
  }

  std::vector<PhaseTime>& phases_;
  Ticks now_;
  Ticks idle_ = {};
  std::vector<Phase> open_;
};

class ThreadReader {
 public:
  ThreadReader(const Trace& trace, TrackId thread) : trace_(trace) {
    budget_.thread = thread;
    budget_.number = trace.track(thread).external_id;
    const base::Frequency frequency = trace.clock_of(thread).frequency;
    budget_.ns_per_tick = frequency.to_seconds(Ticks{1}) * 1e9;
  }

  ThreadBudget read() && {
    read_phases();
    if (phases_.empty()) return std::move(budget_);
    // Of phases that begin together the longer one encloses.
    std::stable_sort(phases_.begin(), phases_.end(), [](const Phase& a, const Phase& b) {
      return a.from != b.from ? a.from < b.from : a.to > b.to;
    });
    budget_.window = {phases_.front().from, phases_.front().to};
    for (const Phase& phase : phases_) budget_.window.to = std::max(budget_.window.to, phase.to);
    budget_.idle = SelfTimes(budget_.phases, budget_.window.from).run(phases_);
    move_recorded_idle();
    std::sort(budget_.phases.begin(), budget_.phases.end(), [&](const PhaseTime& a, const PhaseTime& b) {
      return a.self != b.self ? a.self > b.self : trace_.text(a.phase) < trace_.text(b.phase);
    });
    return std::move(budget_);
  }

 private:
  void read_phases() {
    const trace::SliceTable& slices = trace_.slices();
    const trace::CategoryId category = trace_.find_category(trace::category::kSchedulerPhase);
    const trace::RowRange rows = trace_.slices_of(budget_.thread);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      // Markers stand for moments; what takes time counts, whatever it is called.
      if (has_flag(slices.flags[row], trace::SliceFlag::kMarker)) continue;
      const Phase phase = {slices.start[row], slices.start[row] + slices.duration[row],
                           kind_of(slices.name[row])};
      phases_.push_back(phase);
      PhaseTime& time = budget_.phases[phase.kind];
      ++time.count;
      time.total += phase.to - phase.from;
      if (slices.category[row] == category) read_args(slices.first_arg[row], time);
    }
  }

  std::size_t kind_of(StringId name) {
    for (std::size_t kind = 0; kind < budget_.phases.size(); ++kind)
      if (budget_.phases[kind].phase == name) return kind;
    budget_.phases.push_back({.phase = name});
    return budget_.phases.size() - 1;
  }

  void read_args(trace::ArgId first, PhaseTime& time) {
    const trace::ArgTable& args = trace_.args();
    for (trace::ArgId arg = first; arg != trace::ArgId::kNone; arg = args.next[index(arg)]) {
      const StringId name = args.name[index(arg)];
      const std::uint64_t value = args.value(arg).as_uint();
      if (name == loop_) budget_.loops = std::max(budget_.loops, value);
      if (name == pop_hits_) budget_.pop_hits = budget_.pop_hits.value_or(0) + value;
      if (name == pop_misses_) budget_.pop_misses = budget_.pop_misses.value_or(0) + value;
      if (name == tasks_processed_) add_processed(time, value);
    }
  }

  void add_processed(PhaseTime& time, std::uint64_t tasks) {
    const std::string_view phase = trace_.text(time.phase);
    time.tasks_processed += tasks;
    if (phase == trace::phase::kComplete) budget_.parts_completed += tasks;
    if (phase == trace::phase::kDispatch || phase == trace::phase::kEarlyDispatch)
      budget_.parts_dispatched += tasks;
  }

  void move_recorded_idle() {
    for (std::size_t kind = 0; kind < budget_.phases.size(); ++kind) {
      if (trace_.text(budget_.phases[kind].phase) != trace::phase::kIdle) continue;
      budget_.idle += budget_.phases[kind].self;
      budget_.phases.erase(budget_.phases.begin() + static_cast<std::ptrdiff_t>(kind));
      return;
    }
  }

  const Trace& trace_;
  ThreadBudget budget_;
  std::vector<Phase> phases_;
  StringId loop_ = trace_.strings().find(trace::arg::kLoop);
  StringId pop_hits_ = trace_.strings().find(trace::arg::kPopHits);
  StringId pop_misses_ = trace_.strings().find(trace::arg::kPopMisses);
  StringId tasks_processed_ = trace_.strings().find(trace::arg::kTasksProcessed);
};

// A task belongs to the thread that saw its last part finish.
void count_tasks(const Trace& trace, const trace::ChipRun& chip, const TaskTimes& times, LoopBudget& budget) {
  std::vector<bool> counted(trace.tasks().size(), false);
  for (const trace::ChipCore& core : chip.cores) {
    const auto thread = std::find_if(budget.threads.begin(), budget.threads.end(),
                                     [&](const ThreadBudget& t) { return t.thread == core.scheduler; });
    if (thread == budget.threads.end()) continue;
    for (const trace::Dispatch& dispatch : trace::DispatchWalk(trace, core.track)) {
      if (dispatch.task == TaskId::kNone || !is_known(dispatch.finish)) continue;
      const std::uint32_t task = index(dispatch.task);
      if (dispatch.finish != times.last_finish[task] || counted[task]) continue;
      counted[task] = true;
      ++thread->tasks;
    }
  }
}

}  // namespace

double ThreadBudget::idle_share() const {
  const Ticks length = window.length();
  return length > Ticks{0} ? static_cast<double>(idle.value) / static_cast<double>(length.value) : 0;
}

std::optional<double> ThreadBudget::pop_hit_rate() const {
  if (!pop_hits && !pop_misses) return std::nullopt;
  return per(static_cast<double>(pop_hits.value_or(0)), pop_hits.value_or(0) + pop_misses.value_or(0));
}

std::optional<double> ThreadBudget::ns_per_loop() const {
  return per(static_cast<double>(window.length().value) * ns_per_tick, loops);
}

std::optional<double> ThreadBudget::ns_per_task() const {
  return per(static_cast<double>(work().value) * ns_per_tick, tasks);
}

std::optional<double> ThreadBudget::ns_per_part() const {
  return per(static_cast<double>(work().value) * ns_per_tick, parts_completed);
}

LoopBudget loop_budget(const Trace& trace, const trace::ChipRun& chip, const TaskTimes& times) {
  LoopBudget budget;
  for (const TrackId thread : chip.schedulers) {
    ThreadBudget read = ThreadReader(trace, thread).read();
    if (!read.phases.empty() || read.idle > Ticks{0}) budget.threads.push_back(std::move(read));
  }
  if (budget.recorded()) count_tasks(trace, chip, times, budget);
  return budget;
}

}  // namespace accelscope::analysis::chip
