#include "analysis/chip/waits.h"

#include <algorithm>

#include "analysis/chip/function_slots.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using trace::Dispatch;
using trace::is_known;
using trace::kUnknownTime;
using trace::TaskId;
using trace::Trace;
using trace::TrackId;

struct Phase {
  Ticks from = {};
  Ticks to = {};
};

// When one scheduler thread had dealt with what it saw to be finished.
class Resolutions {
 public:
  Resolutions(const Trace& trace, TrackId thread) {
    const trace::SliceTable& slices = trace.slices();
    const trace::StringId complete = trace.strings().find(trace::phase::kComplete);
    const trace::StringId resolve = trace.strings().find(trace::phase::kResolve);
    const trace::CategoryId category = trace.find_category(trace::category::kSchedulerPhase);
    const trace::RowRange rows = trace.slices_of(thread);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      if (slices.category[row] != category) continue;
      const Phase phase = {slices.start[row], slices.start[row] + slices.duration[row]};
      if (slices.name[row] == complete) completes_.push_back(phase);
      if (slices.name[row] == resolve) resolves_.push_back(phase);
    }
  }

  Ticks of(Ticks finish) const {
    const auto later = [](Ticks time, const Phase& phase) { return time < phase.from; };
    const auto next = std::upper_bound(completes_.begin(), completes_.end(), finish, later);
    if (next == completes_.begin() || std::prev(next)->to < finish) return kUnknownTime;
    const Phase complete = *std::prev(next);
    auto resolve = std::upper_bound(resolves_.begin(), resolves_.end(), finish, later);
    if (resolve != resolves_.begin() && std::prev(resolve)->to >= finish) --resolve;
    const bool inside =
        resolve != resolves_.end() && resolve->from >= complete.from && resolve->to <= complete.to;
    return inside ? resolve->to : complete.to;
  }

 private:
  std::vector<Phase> completes_;
  std::vector<Phase> resolves_;
};

using StageSamples = std::array<TickSample, kStages>;

class Decomposition {
 public:
  Decomposition(const Trace& trace, const trace::ChipRun& chip, const TaskTimes& times)
      : trace_(trace), chip_(chip), times_(times), slots_(trace) {}

  Waits make() && {
    for (const TrackId thread : chip_.schedulers) resolutions_.emplace_back(trace_, thread);
    for (const trace::ChipCore& core : chip_.cores) {
      const auto thread = std::find(chip_.schedulers.begin(), chip_.schedulers.end(), core.scheduler);
      const Resolutions* resolutions =
          thread == chip_.schedulers.end()
              ? nullptr
              : &resolutions_[static_cast<std::size_t>(thread - chip_.schedulers.begin())];
      for (const Dispatch& dispatch : trace::DispatchWalk(trace_, core.track)) add(dispatch, resolutions);
    }
    return summary();
  }

 private:
  void add(const Dispatch& dispatch, const Resolutions* resolutions) {
    const std::uint32_t slot = slots_.of(dispatch.function);
    if (slot == samples_.size()) {
      samples_.emplace_back();
      parts_.push_back(0);
    }
    ++parts_[slot];
    const std::array<Ticks, kStages + 1> moments = {
        submit_of(dispatch.task), ready_of(dispatch.task),
        dispatch.dispatch,        dispatch.receive,
        dispatch.start,           dispatch.end,
        dispatch.finish,          resolve_of(dispatch, resolutions)};
    for (std::size_t stage = 0; stage < kStages; ++stage)
      if (is_known(moments[stage]) && is_known(moments[stage + 1]))
        samples_[slot][stage].add(moments[stage + 1] - moments[stage]);
  }

  Ticks submit_of(TaskId task) const {
    return times_.has_submit() && task != TaskId::kNone ? times_.submit[index(task)] : kUnknownTime;
  }
  // Without submissions, the end of the producers alone is no moment from which a task could run.
  Ticks ready_of(TaskId task) const {
    return times_.has_submit() && times_.has_ready() && task != TaskId::kNone ? times_.ready[index(task)]
                                                                              : kUnknownTime;
  }
  // Only the last part to finish wakes anybody.
  Ticks resolve_of(const Dispatch& dispatch, const Resolutions* resolutions) const {
    if (resolutions == nullptr || !is_known(dispatch.finish)) return kUnknownTime;
    if (dispatch.task != TaskId::kNone && dispatch.finish != times_.last_finish[index(dispatch.task)])
      return kUnknownTime;
    return resolutions->of(dispatch.finish);
  }

  Waits summary() const {
    Waits waits;
    for (std::size_t stage = 0; stage < kStages; ++stage) {
      std::vector<const TickSample*> all;
      for (const StageSamples& function : samples_) all.push_back(&function[stage]);
      waits.overall.stages[stage] = stats_of_all(all);
    }
    for (std::size_t slot = 0; slot < samples_.size(); ++slot) {
      FunctionWaits& function = waits.functions.emplace_back();
      function.function = slots_.function(slot);
      function.parts = parts_[slot];
      for (std::size_t stage = 0; stage < kStages; ++stage)
        function.waits.stages[stage] = samples_[slot][stage].stats();
    }
    std::sort(waits.functions.begin(), waits.functions.end(),
              [&](const FunctionWaits& a, const FunctionWaits& b) {
                const Ticks exec_a = a.waits[Stage::kStartToEnd].total;
                const Ticks exec_b = b.waits[Stage::kStartToEnd].total;
                if (exec_a != exec_b) return exec_a > exec_b;
                return trace_.text(a.function) < trace_.text(b.function);
              });
    return waits;
  }

  const Trace& trace_;
  const trace::ChipRun& chip_;
  const TaskTimes& times_;
  FunctionSlots slots_;
  std::vector<Resolutions> resolutions_;
  std::vector<StageSamples> samples_;
  std::vector<std::uint64_t> parts_;
};

}  // namespace

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::kSubmitToReady:
      return "submit to ready";
    case Stage::kReadyToDispatch:
      return "ready to dispatch";
    case Stage::kDispatchToReceive:
      return "dispatch to receive";
    case Stage::kReceiveToStart:
      return "receive to start";
    case Stage::kStartToEnd:
      return "start to end";
    case Stage::kEndToFinish:
      return "end to finish";
    case Stage::kFinishToResolve:
      return "finish to resolve";
  }
  return "";
}

Waits wait_times(const Trace& trace, const trace::ChipRun& chip, const TaskTimes& times) {
  return Decomposition(trace, chip, times).make();
}

}  // namespace accelscope::analysis::chip
