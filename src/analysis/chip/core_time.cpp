#include "analysis/chip/core_time.h"

#include <algorithm>

#include "analysis/chip/core_tally.h"
#include "analysis/chip/wait_sweep.h"
#include "trace/self_time.h"
#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using trace::ChipRun;
using trace::Dispatch;
using trace::is_known;
using trace::kUnknownTime;
using trace::TaskId;
using trace::Trace;

// In order, none touching another.
std::vector<Window> joined(std::vector<Window> windows) {
  std::sort(windows.begin(), windows.end(), [](const Window& a, const Window& b) { return a.from < b.from; });
  std::vector<Window> result;
  for (const Window& window : windows) {
    if (!result.empty() && window.from <= result.back().to)
      result.back().to = std::max(result.back().to, window.to);
    else
      result.push_back(window);
  }
  return result;
}

// The state tracks below cores tell when the recorder stopped the chip.
std::vector<std::vector<Window>> frozen_times(const Trace& trace, const ChipRun& chip, Window window) {
  std::vector<std::vector<Window>> frozen(chip.cores.size());
  const trace::StateTable& states = trace.states();
  const trace::StringId word = trace.strings().find(trace::state::kFrozen);
  if (states.size() == 0 || word == trace::StringId::kEmpty) return frozen;
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) {
    const trace::TrackId parent = trace.tracks()[id].parent;
    const auto core = std::find_if(chip.cores.begin(), chip.cores.end(),
                                   [&](const trace::ChipCore& c) { return c.track == parent; });
    if (parent == trace::TrackId::kNone || core == chip.cores.end()) continue;
    std::vector<Window>& of_core = frozen[static_cast<std::size_t>(core - chip.cores.begin())];
    const trace::RowRange rows = trace.states_of(trace::TrackId{id});
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      if (states.state[row] != word) continue;
      const Window clipped = {std::max(states.start[row], window.from),
                              std::min(states.start[row] + states.duration[row], window.to)};
      if (clipped.from < clipped.to) of_core.push_back(clipped);
    }
    of_core = joined(std::move(of_core));
  }
  return frozen;
}

// When it was in the core's hands, at the latest.
Ticks handed_over(const Dispatch& dispatch) {
  const Ticks known = is_known(dispatch.dispatch)  ? dispatch.dispatch
                      : is_known(dispatch.receive) ? dispatch.receive
                                                   : dispatch.start;
  return std::min(known, dispatch.start);
}

class Accountant {
 public:
  Accountant(const Trace& trace, const ChipRun& chip, const TaskTimes& times, std::uint32_t buckets)
      : trace_(trace),
        chip_(chip),
        times_(times),
        mix_(trace.strings().find(trace::task_kind::kMix)),
        tally_(chip, times.window, buckets),
        parts_(tally_.engines()),
        waiting_(tally_.engines()),
        last_handed_(tally_.engines(), times.window.from) {
    for (std::size_t engine = 0; engine < parts_.size(); ++engine)
      parts_[engine].depth = recorded_depth(trace, chip, tally_.engine(engine));
    has_submit_ = std::any_of(times.submit.begin(), times.submit.end(), is_known);
    const bool has_depth = std::any_of(parts_.begin(), parts_.end(),
                                       [](const EngineParts& parts) { return !parts.depth.empty(); });
    if (has_submit_ && times.has_ready() && chip.dependencies_recorded)
      source_ = ReadySource::kSubmissionsAndDependencies;
    else if (has_depth)
      source_ = ReadySource::kQueueDepth;
    for (EngineParts& parts : parts_) parts.use_depth = source_ == ReadySource::kQueueDepth;
  }

  CoreTime account() && {
    if (times_.window.length() <= Ticks{0}) return std::move(tally_).finish();
    const std::vector<std::vector<Window>> frozen = frozen_times(trace_, chip_, times_.window);
    for (std::uint32_t core = 0; core < chip_.cores.size(); ++core) {
      frozen_ = &frozen[core];
      account_core(core);
    }
    for (std::size_t engine = 0; engine < parts_.size(); ++engine) explain_waits(engine);
    const QueueAgreement agreement = queue_agreement();
    CoreTime result = std::move(tally_).finish();
    result.ready_source = source_;
    result.queue_agreement = agreement;
    return result;
  }

 private:
  // Below level 3, without submissions, there is nothing to walk through: all waits are alike.
  bool explains_waits() const { return source_ != ReadySource::kNone || has_submit_; }

  void account_core(std::uint32_t core) {
    dispatches_.clear();
    for (const Dispatch& part : trace::DispatchWalk(trace_, chip_.cores[core].track))
      dispatches_.push_back(part);
    // The earliest of the parts that start here or later: a core may have been handed two.
    handed_.resize(dispatches_.size());
    Ticks earliest = Ticks::max();
    for (std::size_t i = dispatches_.size(); i-- > 0;) {
      earliest = std::min(earliest, handed_over(dispatches_[i]));
      handed_[i] = earliest;
    }
    CoreGap gap = {.core = core, .from = times_.window.from};
    for (std::size_t i = 0; i < dispatches_.size(); ++i) {
      const Dispatch& part = dispatches_[i];
      tally_.count_part(core);
      add_part(core, part);
      for_mix_ = is_mix(part.task);
      if (part.start > gap.from) {
        gap.to = part.start;
        gap.after = part.slice;
        add_gap_before(gap, part, handed_[i]);
        gap.from = part.start;
      }
      if (part.end < gap.from) continue;
      if (part.end > gap.from) add_time({core, gap.from, part.end, CoreClass::kBusy});
      gap.from = part.end;
      gap.before = part.slice;
    }
    gap.to = times_.window.to;
    gap.after = trace::SliceId::kNone;
    if (gap.from < gap.to) add_last_gap(gap);
  }

  void add_part(std::uint32_t core, const Dispatch& part) {
    const std::uint32_t engine = tally_.engine_of(core);
    const Ticks handed = handed_over(part);
    last_handed_[engine] = std::max(last_handed_[engine], handed);
    if (!explains_waits()) return;
    EngineParts& parts = parts_[engine];
    const Ticks submitted = submit_of(part.task);
    const Ticks submit = is_known(submitted) ? std::min(submitted, handed) : times_.window.from;
    const Ticks ready = source_ == ReadySource::kSubmissionsAndDependencies && is_known(submitted)
                            ? ready_of(part.task)
                            : kUnknownTime;
    if (is_known(ready)) {
      parts.submit.push_back(submit);
      parts.ready.push_back(std::clamp(ready, submit, handed));
      parts.dispatch.push_back(handed);
    } else {
      parts.unknown_from.push_back(submit);
      parts.unknown_to.push_back(handed);
    }
  }

  Ticks submit_of(TaskId task) const {
    return times_.has_submit() && task != TaskId::kNone ? times_.submit[index(task)] : kUnknownTime;
  }
  Ticks ready_of(TaskId task) const {
    return times_.has_ready() && task != TaskId::kNone ? times_.ready[index(task)] : kUnknownTime;
  }
  // Submissions may end after the task was taken; that is no wait for a producer.
  bool waits_for_producers(TaskId task) const {
    const Ticks ready = ready_of(task);
    return is_known(ready) && ready != submit_of(task);
  }

  void add_gap_before(CoreGap gap, const Dispatch& next, Ticks handed) {
    gap.times = {};
    const Ticks in_hand = std::clamp(handed, gap.from, gap.to);
    const bool gated = waits_for_producers(next.task);
    const Ticks released = gated ? std::clamp(ready_of(next.task), in_hand, gap.to) : in_hand;
    const bool gate_unknown =
        next.task != TaskId::kNone && !is_known(ready_of(next.task)) &&
        has_flag(trace_.tasks().flags[index(next.task)], trace::TaskFlag::kEarlyDispatch);
    add_wait(gap, {gap.core, gap.from, in_hand, ready_of(next.task)});
    add_piece(gap, in_hand, released, CoreClass::kDependency);
    add_piece(gap, released, gap.to, gate_unknown ? CoreClass::kUnknown : CoreClass::kSwitch);
    tally_.add_gap(gap);
  }

  void add_last_gap(CoreGap gap) {
    gap.times = {};
    without_frozen(gap, {gap.from, gap.to}, [&](Window rest) {
      waiting_[tally_.engine_of(gap.core)].push_back({gap.core, rest.from, rest.to, kUnknownTime});
    });
    if (!dispatches_.empty()) tally_.add_gap(gap);
  }

  void add_wait(CoreGap& gap, const Waiting& wait) {
    if (!explains_waits()) {
      add_piece(gap, wait.from, wait.to, CoreClass::kUnknown);
      return;
    }
    without_frozen(gap, {wait.from, wait.to}, [&](Window rest) {
      waiting_[tally_.engine_of(gap.core)].push_back({wait.core, rest.from, rest.to, wait.next_ready});
    });
  }

  void add_piece(CoreGap& gap, Ticks from, Ticks to, CoreClass why) {
    without_frozen(gap, {from, to}, [&](Window rest) { count(gap, rest, why); });
  }

  void count(CoreGap& gap, Window window, CoreClass why) {
    gap.times[why] += window.length();
    add_time({gap.core, window.from, window.to, why});
  }

  // Between two dispatches, what is in switch is for the one to come.
  void add_time(const WaitPiece& piece) {
    tally_.add(piece);
    if (for_mix_ && (piece.why == CoreClass::kBusy || piece.why == CoreClass::kSwitch)) tally_.add_mix(piece);
  }

  bool is_mix(TaskId task) const {
    return mix_ != trace::StringId::kEmpty && task != TaskId::kNone &&
           trace_.tasks().kind[index(task)] == mix_;
  }

  // Calls use(rest) for what the recorder left of a window, and counts what it took.
  template <class Use>
  void without_frozen(CoreGap& gap, Window window, Use&& use) {
    if (!frozen_->empty()) {
      auto frozen = std::partition_point(frozen_->begin(), frozen_->end(),
                                         [&](const Window& f) { return f.to <= window.from; });
      for (; frozen != frozen_->end() && frozen->from < window.to; ++frozen) {
        if (window.from < frozen->from) use(Window{window.from, frozen->from});
        const Window taken = {std::max(window.from, frozen->from), std::min(window.to, frozen->to)};
        count(gap, taken, CoreClass::kFrozen);
        window.from = taken.to;
      }
    }
    if (window.from < window.to) use(window);
  }

  void explain_waits(std::size_t engine) {
    if (explains_waits()) {
      parts_[engine].sort();
      sweep_waits(parts_[engine], std::move(waiting_[engine]),
                  [&](const WaitPiece& piece) { tally_.add_late(piece); });
      return;
    }
    const Ticks last = last_handed_[engine];
    for (const Waiting& wait : waiting_[engine]) {
      const Ticks cut = std::clamp(last, wait.from, wait.to);
      if (wait.from < cut) tally_.add_late({wait.core, wait.from, cut, CoreClass::kUnknown});
      if (cut < wait.to) tally_.add_late({wait.core, cut, wait.to, CoreClass::kNoWorkLeft});
    }
  }

  QueueAgreement queue_agreement() const {
    QueueAgreement result;
    if (source_ != ReadySource::kSubmissionsAndDependencies) return result;
    for (const EngineParts& parts : parts_) {
      std::size_t ready = 0;
      std::size_t dispatched = 0;
      for (const QueueStep& step : parts.depth) {
        while (ready < parts.ready.size() && parts.ready[ready] <= step.time) ++ready;
        while (dispatched < parts.dispatch.size() && parts.dispatch[dispatched] <= step.time) ++dispatched;
        const bool modelled = ready > dispatched;
        const bool recorded = step.depth > 0;
        ++result.snapshots;
        if (modelled == recorded) ++result.agree;
        if (modelled && !recorded) ++result.only_modelled;
        if (!modelled && recorded) ++result.only_recorded;
      }
    }
    return result;
  }

  const Trace& trace_;
  const ChipRun& chip_;
  const TaskTimes& times_;
  const trace::StringId mix_;
  bool for_mix_ = false;  // the dispatch at hand is one of a MIX task
  // Of the core at hand; kept, because memory that was used before costs a tenth of fresh one.
  std::vector<Dispatch> dispatches_;
  std::vector<Ticks> handed_;
  CoreTally tally_;
  bool has_submit_ = false;
  ReadySource source_ = ReadySource::kNone;
  std::vector<EngineParts> parts_;               // per engine
  std::vector<std::vector<Waiting>> waiting_;    // per engine
  std::vector<Ticks> last_handed_;               // per engine: nothing comes after it
  const std::vector<Window>* frozen_ = nullptr;  // of the core at hand
};

}  // namespace

std::string_view to_string(CoreClass core_class) {
  switch (core_class) {
    case CoreClass::kBusy:
      return "busy";
    case CoreClass::kSwitch:
      return "switch";
    case CoreClass::kReady:
      return "ready";
    case CoreClass::kDependency:
      return "dependency";
    case CoreClass::kNotSubmitted:
      return "not submitted";
    case CoreClass::kNoWorkLeft:
      return "no work left";
    case CoreClass::kFrozen:
      return "frozen";
    case CoreClass::kUnknown:
      return "unknown";
  }
  return "";
}

Ticks ClassTimes::sum() const {
  Ticks sum;
  for (const Ticks time : times) trace::add_wrapping(sum, time);
  return sum;
}

CoreClass ClassTimes::largest() const {
  return static_cast<CoreClass>(std::max_element(times.begin(), times.end()) - times.begin());
}

ClassTimes& ClassTimes::operator+=(const ClassTimes& other) {
  for (std::size_t i = 0; i < times.size(); ++i) trace::add_wrapping(times[i], other.times[i]);
  return *this;
}

CoreTime core_time(const Trace& trace, const ChipRun& chip, const TaskTimes& times, std::uint32_t buckets) {
  return Accountant(trace, chip, times, buckets).account();
}

}  // namespace accelscope::analysis::chip
