#include "views/swimlane/survey.h"

#include <algorithm>
#include <numeric>

#include "base/beside.h"
#include "trace/vocabulary.h"
#include "views/free_lanes.h"

namespace accelscope::views::swimlane {
namespace {

using trace::CategoryId;
using trace::ChipRun;
using trace::Dispatch;
using trace::RowRange;
using trace::StringId;
using trace::TaskId;
using trace::Trace;
using trace::TrackId;

// Looks at the bars of one core as they come; only cores whose bars overlap are looked at a second time.
struct OverlapWatch {
  Ticks free_from = Ticks::min();
  bool any = false;
  bool overlaps = false;

  void see(const Bar& bar) {
    any = true;
    overlaps = overlaps || bar.begin < free_from;
    free_from = bar.end;
  }
};

template <class HasBar, class BarOf>
BarLanes give_lanes(const std::vector<Dispatch>& dispatches, RowRange rows, HasBar&& has_bar,
                    BarOf&& bar_of) {
  std::vector<std::uint32_t> order;
  order.reserve(dispatches.size());
  for (std::uint32_t i = 0; i < dispatches.size(); ++i)
    if (has_bar(dispatches[i])) order.push_back(i);
  const auto begins_earlier = [&](std::uint32_t a, std::uint32_t b) {
    return bar_of(dispatches[a]).begin < bar_of(dispatches[b]).begin;
  };
  // Nearly always they are in order.
  if (!std::is_sorted(order.begin(), order.end(), begins_earlier))
    std::stable_sort(order.begin(), order.end(), begins_earlier);
  BarLanes lanes;
  lanes.lane.resize(rows.count);
  FreeLanes free_lanes;
  for (const std::uint32_t i : order) {
    const Bar bar = bar_of(dispatches[i]);
    lanes.lane[index(dispatches[i].slice) - rows.first] = free_lanes.take(bar.begin, bar.end);
  }
  lanes.count = free_lanes.count();
  if (lanes.count == 1) lanes.lane.clear();  // bars that only were not in order
  return lanes;
}

class Surveyor {
 public:
  Surveyor(const Trace& trace, const ChipRun& chip)
      : trace_(trace), chip_(chip), graph_(trace.strings().find(trace::task_kind::kGraph)) {}

  Survey survey() {
    const bool has_graphs = graph_ != StringId::kEmpty;
    const auto has_slices = [&](TrackId track) { return !trace_.slices_of(track).empty(); };
    if (trace_.task_edges().size() > 0 || has_graphs ||
        std::any_of(chip_.schedulers.begin(), chip_.schedulers.end(), has_slices) ||
        std::any_of(chip_.orchestrators.begin(), chip_.orchestrators.end(), has_slices))
      survey_.tasks.resize(trace_.tasks().size());
    survey_cores();
    survey_.has_markers.resize(trace_.tracks().size());
    for (const TrackId thread : chip_.schedulers) survey_thread(thread);
    for (const TrackId thread : chip_.orchestrators) survey_thread(thread);
    if (has_graphs) find_envelopes();
    find_producers_ends();
    return std::move(survey_);
  }

 private:
  void survey_cores();
  CoreSurvey survey_core(const trace::ChipCore& core);
  void survey_thread(TrackId thread);
  void find_envelopes();
  void find_producers_ends();
  void add_piece(TaskId task, std::uint32_t row, Ticks start, Ticks end);
  void add_dispatch(const Dispatch& dispatch);

  const Trace& trace_;
  const ChipRun& chip_;
  StringId graph_;
  Survey survey_;
};

void Surveyor::survey_cores() {
  survey_.cores.resize(chip_.cores.size());
  const auto survey_some = [this](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) survey_.cores[i] = survey_core(chip_.cores[i]);
  };
  // Cores have nothing to do with each other, unless tasks that run on several of them are collected.
  constexpr std::uint32_t kManyRows = 8192;
  const bool apart = survey_.tasks.empty() && trace_.slices().size() >= kManyRows;
  const std::size_t middle = apart ? chip_.cores.size() / 2 : chip_.cores.size();
  base::Beside<void> second_half([&] { survey_some(middle, chip_.cores.size()); }, apart);
  survey_some(0, middle);
  second_half.get();
}

CoreSurvey Surveyor::survey_core(const trace::ChipCore& core) {
  const RowRange rows = trace_.slices_of(core.track);
  CoreSurvey result;
  OverlapWatch scheduler;
  OverlapWatch worker;
  for (const Dispatch& dispatch : trace::DispatchWalk(trace_, rows)) {
    const Bar bar = worker_bar(dispatch);
    worker.see(bar);
    result.first_time = std::min(result.first_time, bar.begin);
    if (has_scheduler_bar(dispatch)) {
      scheduler.see(scheduler_bar(dispatch));
      result.first_time = std::min(result.first_time, dispatch.dispatch);
    }
    if (!survey_.tasks.empty() && dispatch.task != TaskId::kNone) add_dispatch(dispatch);
  }
  result.scheduler.count = scheduler.any ? 1 : 0;
  result.worker.count = worker.any ? 1 : 0;
  if (scheduler.overlaps || worker.overlaps) {
    const std::vector<Dispatch> dispatches = dispatches_in(trace_, rows);
    if (scheduler.overlaps) result.scheduler = give_lanes(dispatches, rows, has_scheduler_bar, scheduler_bar);
    if (worker.overlaps)
      result.worker = give_lanes(
          dispatches, rows, [](const Dispatch&) { return true; }, worker_bar);
  }
  return result;
}

void Surveyor::add_piece(TaskId task, std::uint32_t row, Ticks start, Ticks end) {
  TaskPieces& pieces = survey_.tasks[index(task)];
  if (start < pieces.start) {
    pieces.start = start;
    pieces.first = row;
  }
  if (end > pieces.end) {
    pieces.end = end;
    pieces.last = row;
  }
}

void Surveyor::add_dispatch(const Dispatch& dispatch) {
  const std::uint32_t row = index(dispatch.slice);
  add_piece(dispatch.task, row, dispatch.start, dispatch.end);
  TaskPieces& pieces = survey_.tasks[index(dispatch.task)];
  if (is_known(dispatch.dispatch) && dispatch.dispatch < pieces.dispatch) {
    pieces.dispatch = dispatch.dispatch;
    pieces.first_dispatched = row;
  }
  if (is_known(dispatch.finish) && dispatch.finish > pieces.finish) {
    pieces.finish = dispatch.finish;
    pieces.last_finished = row;
    pieces.last_finished_begin = worker_bar(dispatch).begin;
  }
}

void Surveyor::survey_thread(TrackId thread) {
  const trace::SliceTable& slices = trace_.slices();
  const CategoryId submit = trace_.find_category(trace::category::kSubmit);
  const RowRange rows = trace_.slices_of(thread);
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    const TaskId task = slices.task[row];
    if (task == TaskId::kNone) continue;
    if (slices.category[row] == submit && submit != CategoryId::kNone &&
        survey_.tasks[index(task)].submit == kNoRow)
      survey_.tasks[index(task)].submit = row;
    if (!is_marker(trace_, row)) continue;
    survey_.has_markers[index(thread)] = true;
    TaskPieces& pieces = survey_.tasks[index(task)];
    if (trace_.track(thread).clock == chip_.clock)
      add_piece(task, row, slices.start[row], slices.start[row] + slices.duration[row]);
    else if (pieces.first == kNoRow)
      pieces.first = pieces.last = row;
  }
}

void Surveyor::find_envelopes() {
  const trace::TaskTable& tasks = trace_.tasks();
  const trace::SliceTable& slices = trace_.slices();
  std::vector<std::uint32_t> envelope_of(tasks.size(), kNoRow);
  for (std::uint32_t task = 0; task < tasks.size(); ++task) {
    if (tasks.kind[task] != graph_) continue;
    envelope_of[task] = static_cast<std::uint32_t>(survey_.envelopes.size());
    survey_.envelopes.push_back({.task = TaskId{task}, .begin = Ticks::max(), .end = Ticks::min()});
  }
  const StringId prepare = trace_.strings().find(trace::control::kGraphPrepare);
  for (const TrackId thread : chip_.schedulers) {
    const RowRange rows = trace_.slices_of(thread);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      const TaskId task = slices.task[row];
      if (task == TaskId::kNone || slices.name[row] != prepare || envelope_of[index(task)] == kNoRow)
        continue;
      Envelope& envelope = survey_.envelopes[envelope_of[index(task)]];
      if (slices.start[row] < envelope.begin) {
        envelope.begin = slices.start[row];
        envelope.prepare = row;
      }
      envelope.end = std::max(envelope.end, slices.start[row] + slices.duration[row]);
    }
  }
  for (std::uint32_t task = 0; task < tasks.size(); ++task) {
    const TaskId graph = tasks.parent[task];
    if (graph == TaskId::kNone || envelope_of[index(graph)] == kNoRow) continue;
    const TaskPieces& pieces = survey_.tasks[task];
    if (pieces.first == kNoRow) continue;
    Envelope& envelope = survey_.envelopes[envelope_of[index(graph)]];
    ++envelope.nodes;
    envelope.begin = std::min(envelope.begin, pieces.start);
    envelope.end = std::max(envelope.end, pieces.end);
    // What waits for the graph waits for its last node.
    TaskPieces& whole = survey_.tasks[index(graph)];
    whole.start = std::min(whole.start, pieces.start);
    whole.end = std::max(whole.end, pieces.end);
  }
  for (const Envelope& envelope : survey_.envelopes)
    if (envelope.prepare != kNoRow)
      survey_.tasks[index(envelope.task)].first = survey_.tasks[index(envelope.task)].last = envelope.prepare;
  std::erase_if(survey_.envelopes, [](const Envelope& envelope) { return envelope.end < envelope.begin; });
  std::stable_sort(survey_.envelopes.begin(), survey_.envelopes.end(),
                   [](const Envelope& a, const Envelope& b) { return a.begin < b.begin; });
}

void Surveyor::find_producers_ends() {
  const trace::TaskTable& tasks = trace_.tasks();
  const trace::TaskEdgeTable& edges = trace_.task_edges();
  if (edges.size() == 0) return;
  const auto is_early = [&](std::uint32_t task) {
    return has_flag(tasks.flags[task], trace::TaskFlag::kEarlyDispatch);
  };
  bool any = false;
  for (std::uint32_t task = 0; task < tasks.size() && !any; ++task) any = is_early(task);
  if (!any) return;
  survey_.producers_end.assign(tasks.size(), Ticks::min());
  for (std::uint32_t edge = 0; edge < edges.size(); ++edge) {
    if (!is_early(index(edges.to[edge]))) continue;
    Ticks& end = survey_.producers_end[index(edges.to[edge])];
    end = std::max(end, survey_.tasks[index(edges.from[edge])].end);
  }
}

}  // namespace

bool is_marker(const Trace& trace, std::uint32_t row) {
  const trace::SliceTable& slices = trace.slices();
  if (slices.task[row] == TaskId::kNone) return false;
  const std::string_view category = trace.category_name(slices.category[row]);
  if (category == trace::category::kControlTask)
    return trace.text(slices.name[row]) != trace::control::kGraphPrepare;
  return category == trace::category::kSubmit &&
         trace.text(trace.tasks().kind[index(slices.task[row])]) == trace::task_kind::kAllocation;
}

Survey survey_run(const Trace& trace, const ChipRun& chip) {
  return Surveyor(trace, chip).survey();
}

}  // namespace accelscope::views::swimlane
