#include "views/swimlane/arrows.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "trace/vocabulary.h"

namespace accelscope::views::swimlane {
namespace {

using trace::CategoryId;
using trace::ChipRun;
using trace::Dispatch;
using trace::RowRange;
using trace::SliceId;
using trace::SliceTable;
using trace::StringId;
using trace::TaskId;
using trace::Trace;
using trace::TrackId;

// Phases of one kind on one thread, in the order of time.
class Phases {
 public:
  void add(std::uint32_t row) { rows_.push_back(row); }

  // The innermost one at a moment.
  std::uint32_t at(const SliceTable& slices, Ticks time) const {
    auto next = first_after(slices, time);
    // Phases of these kinds are hardly nested: the one before is it, or one that encloses it.
    constexpr int kTries = 3;
    for (int tries = 0; tries < kTries && next != rows_.begin(); ++tries) {
      --next;
      if (slices.start[*next] + slices.duration[*next] >= time) return *next;
    }
    return kNoRow;
  }
  std::uint32_t at_or_after(const SliceTable& slices, Ticks time) const {
    const std::uint32_t found = at(slices, time);
    if (found != kNoRow) return found;
    const auto next = first_after(slices, time);
    return next == rows_.end() ? kNoRow : *next;
  }

 private:
  std::vector<std::uint32_t>::const_iterator first_after(const SliceTable& slices, Ticks time) const {
    return std::upper_bound(rows_.begin(), rows_.end(), time,
                            [&](Ticks moment, std::uint32_t row) { return moment < slices.start[row]; });
  }
  std::vector<std::uint32_t> rows_;
};

struct ThreadPhases {
  Phases dispatching;
  Phases completing;
};

class ArrowMaker {
 public:
  ArrowMaker(const Trace& trace, const ChipRun& chip, const Survey& survey, const Timeline& timeline)
      : trace_(trace),
        slices_(trace.slices()),
        chip_(chip),
        survey_(survey),
        timeline_(timeline),
        execution_(trace.find_category(trace::category::kTaskExecution)) {}

  Arrows make() {
    if (survey_.tasks.empty()) return {};
    if (!chip_.schedulers.empty()) {
      find_phases();
      for (const trace::ChipCore& core : chip_.cores) add_dispatch_to_start(core);
      find_completions();
    }
    if (chip_.clocks_compare) add_submits();
    add_dependencies();
    if (!chip_.schedulers.empty()) add_complete_to_ready();
    std::sort(arrows_.ends.begin(), arrows_.ends.end(), [](const ArrowEnd& a, const ArrowEnd& b) {
      return std::tie(a.row, a.anchor, a.kind, a.position, a.leaves) <
             std::tie(b.row, b.anchor, b.kind, b.position, b.leaves);
    });
    std::stable_sort(arrows_.violations.begin(), arrows_.violations.end(),
                     [](const Violation& a, const Violation& b) { return a.row < b.row; });
    return std::move(arrows_);
  }

 private:
  // A slice of the picture and the nanosecond in which it begins.
  struct Place {
    std::uint32_t row;
    Anchor anchor;
    std::int64_t begin;
  };

  std::int64_t drawn(Ticks time) const { return timeline_.nanoseconds(chip_.clock, time); }
  // Slices whose drawn begin is that of their row.
  Place place(std::uint32_t row, Anchor anchor) const {
    return {row, anchor, timeline_.nanoseconds(trace_.track(slices_.track[row]).clock, slices_.start[row])};
  }
  Place piece(std::uint32_t row) const {
    if (slices_.category[row] == execution_) return place(row, Anchor::kKernel);
    return place(row, is_marker(trace_, row) ? Anchor::kMarker : Anchor::kEnvelope);
  }

  bool add(ArrowKind kind, std::uint32_t position, const Place& from, const Place& to) {
    if (from.begin >= to.begin) return false;
    arrows_.ends.push_back({from.row, position, from.anchor, kind, true});
    arrows_.ends.push_back({to.row, position, to.anchor, kind, false});
    return true;
  }

  void find_phases();
  void add_dispatch_to_start(const trace::ChipCore& core);
  void find_completions();
  void add_submits();
  void add_dependencies();
  void add_complete_to_ready();

  const Trace& trace_;
  const SliceTable& slices_;
  const ChipRun& chip_;
  const Survey& survey_;
  const Timeline& timeline_;
  CategoryId execution_;
  std::vector<ThreadPhases> phases_;       // by track of the trace
  std::vector<std::uint32_t> completion_;  // by task: the phase that saw its end
  Arrows arrows_;
};

void ArrowMaker::find_phases() {
  const auto id_of = [&](std::string_view text) { return trace_.strings().find(text); };
  const StringId complete = id_of(trace::phase::kComplete);
  const StringId dispatching[] = {id_of(trace::phase::kDispatch), id_of(trace::phase::kEarlyDispatch),
                                  id_of(trace::phase::kDrain), id_of(trace::phase::kDrainPublish)};
  const CategoryId phase = trace_.find_category(trace::category::kSchedulerPhase);
  phases_.resize(trace_.tracks().size());
  for (const TrackId thread : chip_.schedulers) {
    const RowRange rows = trace_.slices_of(thread);
    ThreadPhases& found = phases_[index(thread)];
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      const StringId name = slices_.name[row];
      if (slices_.category[row] != phase || name == StringId::kEmpty) continue;
      if (name == complete)
        found.completing.add(row);
      else if (std::find(std::begin(dispatching), std::end(dispatching), name) != std::end(dispatching))
        found.dispatching.add(row);
    }
  }
}

void ArrowMaker::add_dispatch_to_start(const trace::ChipCore& core) {
  if (core.scheduler == TrackId::kNone) return;
  const Phases& phases = phases_[index(core.scheduler)].dispatching;
  for (const Dispatch& dispatch : trace::DispatchWalk(trace_, core.track)) {
    if (!has_scheduler_bar(dispatch)) continue;
    const std::uint32_t phase = phases.at(slices_, dispatch.dispatch);
    if (phase == kNoRow) continue;
    const std::uint32_t row = index(dispatch.slice);
    add(ArrowKind::kDispatchToStart, row, place(phase, Anchor::kItself),
        {row, Anchor::kWorkerBar, drawn(worker_bar(dispatch).begin)});
  }
}

// Which phase saw each task's end: the one that contains the moment on the thread that feeds the core, or the
// next one there.
void ArrowMaker::find_completions() {
  std::vector<TrackId> thread_of(trace_.tracks().size(), TrackId::kNone);
  for (const trace::ChipCore& core : chip_.cores) thread_of[index(core.track)] = core.scheduler;
  completion_.assign(survey_.tasks.size(), kNoRow);
  for (std::uint32_t task = 0; task < survey_.tasks.size(); ++task) {
    const TaskPieces& pieces = survey_.tasks[task];
    if (pieces.last_finished != kNoRow) {
      const TrackId thread = thread_of[index(slices_.track[pieces.last_finished])];
      if (thread == TrackId::kNone) continue;
      completion_[task] = phases_[index(thread)].completing.at_or_after(slices_, pieces.finish);
      if (completion_[task] == kNoRow) continue;
      add(ArrowKind::kFinishToComplete, task,
          {pieces.last_finished, Anchor::kWorkerBar, drawn(pieces.last_finished_begin)},
          place(completion_[task], Anchor::kItself));
    } else if (pieces.last != kNoRow && slices_.parent[pieces.last] != SliceId::kNone) {
      // A task without a core is done in the phase that its marker lies in.
      completion_[task] = index(slices_.parent[pieces.last]);
    }
  }
}

void ArrowMaker::add_submits() {
  for (std::uint32_t task = 0; task < survey_.tasks.size(); ++task) {
    const TaskPieces& pieces = survey_.tasks[task];
    if (pieces.submit == kNoRow || pieces.first_dispatched == kNoRow) continue;
    add(ArrowKind::kSubmitToDispatch, task, place(pieces.submit, Anchor::kItself),
        {pieces.first_dispatched, Anchor::kSchedulerBar, drawn(pieces.dispatch)});
  }
}

void ArrowMaker::add_dependencies() {
  const trace::TaskEdgeTable& edges = trace_.task_edges();
  const auto is_comparable = [&](std::uint32_t row) {
    return chip_.clocks_compare || trace_.track(slices_.track[row]).clock == chip_.clock;
  };
  for (std::uint32_t edge = 0; edge < edges.size(); ++edge) {
    const TaskPieces& from = survey_.tasks[index(edges.from[edge])];
    const TaskPieces& to = survey_.tasks[index(edges.to[edge])];
    if (from.last == kNoRow || to.first == kNoRow) continue;
    if (!is_comparable(from.last) || !is_comparable(to.first)) continue;
    const bool is_violation = to.start < from.end;
    const ArrowKind kind = is_violation ? ArrowKind::kViolation : ArrowKind::kDependency;
    add(kind, edge, piece(from.last), piece(to.first));
    if (is_violation) arrows_.violations.push_back({to.first, edges.from[edge]});
  }
}

void ArrowMaker::add_complete_to_ready() {
  const trace::TaskEdgeTable& edges = trace_.task_edges();
  std::vector<std::uint32_t> last_completion(survey_.tasks.size(), kNoRow);
  const auto key = [&](std::uint32_t row) {
    return std::tuple(slices_.start[row] + slices_.duration[row], row);
  };
  for (std::uint32_t edge = 0; edge < edges.size(); ++edge) {
    const std::uint32_t completion = completion_[index(edges.from[edge])];
    if (completion == kNoRow) continue;
    std::uint32_t& last = last_completion[index(edges.to[edge])];
    if (last == kNoRow || key(last) < key(completion)) last = completion;
  }
  for (std::uint32_t task = 0; task < survey_.tasks.size(); ++task) {
    const TaskPieces& pieces = survey_.tasks[task];
    if (last_completion[task] == kNoRow || pieces.first_dispatched == kNoRow) continue;
    add(ArrowKind::kCompleteToReady, task, place(last_completion[task], Anchor::kItself),
        {pieces.first_dispatched, Anchor::kSchedulerBar, drawn(pieces.dispatch)});
  }
}

}  // namespace

std::string_view name_of(ArrowKind kind) {
  switch (kind) {
    case ArrowKind::kDependency:
      return trace::flow::kDependency;
    case ArrowKind::kViolation:
      return trace::flow::kViolation;
    case ArrowKind::kSubmitToDispatch:
      return trace::flow::kSubmitToDispatch;
    case ArrowKind::kDispatchToStart:
      return trace::flow::kDispatchToStart;
    case ArrowKind::kFinishToComplete:
      return trace::flow::kFinishToComplete;
    case ArrowKind::kCompleteToReady:
      return trace::flow::kCompleteToReady;
  }
  return trace::flow::kGeneric;
}

std::span<const ArrowEnd> Arrows::of(RowRange rows) const {
  const auto first = std::partition_point(ends.begin(), ends.end(),
                                          [&](const ArrowEnd& end) { return end.row < rows.first; });
  const auto last =
      std::partition_point(first, ends.end(), [&](const ArrowEnd& end) { return end.row < rows.end(); });
  return {first, last};
}

Arrows find_arrows(const Trace& trace, const ChipRun& chip, const Survey& survey, const Timeline& timeline) {
  return ArrowMaker(trace, chip, survey, timeline).make();
}

}  // namespace accelscope::views::swimlane
