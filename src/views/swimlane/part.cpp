#include "views/swimlane/part.h"

#include <fmt/core.h>

#include <algorithm>

#include "trace/vocabulary.h"

namespace accelscope::views::swimlane {
namespace {

using trace::ArgId;
using trace::CategoryId;
using trace::Dispatch;
using trace::RowRange;
using trace::SliceFlag;
using trace::SliceId;
using trace::SliceTable;
using trace::StringId;
using trace::TaskId;
using trace::Trace;
using trace::TraceBuilder;
using trace::Value;

// Up to this many lanes, going over the rows once per lane gives them in order; with more, sorting is
// cheaper.
constexpr std::size_t kOrderedLanes = 4;

}  // namespace

PartMaker::PartMaker(const Scene& scene, TraceBuilder builder)
    : scene_(scene),
      builder_(std::move(builder)),
      words_{.task = builder_.intern("task"),
             .task_id = builder_.intern("task id"),
             .sequence = builder_.intern(trace::arg::kSequence),
             .blocks = builder_.intern("blocks"),
             .nodes = builder_.intern("nodes"),
             .setup = builder_.intern("setup"),
             .doorbell = builder_.intern("waiting for its doorbell"),
             .kernel = builder_.intern("kernel"),
             .violation = builder_.intern(trace::flow::kViolation),
             .execution = builder_.category(trace::category::kTaskExecution)},
      sequence_of_trace_(scene.trace.strings().find(trace::arg::kSequence)) {
  for (std::size_t kind = 1; kind < kArrowKinds; ++kind)
    words_.arrows[kind] = builder_.intern(name_of(static_cast<ArrowKind>(kind)));
}

Value PartMaker::value(Value value) {
  if (value.holds_text()) value.bits = index(text(value.as_text()));
  return value;
}

void PartMaker::add_task(SliceId slice, TaskId task) {
  if (task == TaskId::kNone) return;
  const std::uint64_t id = scene_.trace.tasks().external_id[index(task)];
  builder_.add_slice_arg(slice, words_.task, Value::of_task(id));
  builder_.add_slice_arg(slice, words_.task_id, Value::of_uint(id));
}

void PartMaker::add_args(SliceId slice, ArgId first) {
  const trace::ArgTable& args = scene_.trace.args();
  for (ArgId arg = first; arg != ArgId::kNone; arg = args.next[index(arg)])
    builder_.add_slice_arg(slice, text(args.name[index(arg)]), value(args.value(arg)));
}

void PartMaker::add_ends(SliceId slice, std::span<const ArrowEnd> ends, Anchor anchor) {
  for (const ArrowEnd& end : ends)
    if (end.anchor == anchor)
      builder_.add_flow_end(slice, arrow_number(end.kind, end.position),
                            words_.arrows[static_cast<std::size_t>(end.kind)], end.leaves);
}

void PartMaker::add_violations(SliceId slice, std::uint32_t row) {
  const std::vector<Violation>& all = scene_.arrows.violations;
  if (all.empty()) return;
  auto violation =
      std::partition_point(all.begin(), all.end(), [&](const Violation& other) { return other.row < row; });
  for (; violation != all.end() && violation->row == row; ++violation) {
    const std::uint64_t producer = scene_.trace.tasks().external_id[index(violation->producer)];
    builder_.add_slice_arg(slice, words_.violation,
                           Value::of_string(builder_.intern(fmt::format(
                               "started before its producer {} had ended", trace::task_label(producer)))));
  }
}

void PartMaker::draw_dispatches(std::span<const CoreRows> cores) {
  std::vector<Batch> batches;
  for (const CoreRows& core : cores) batches.push_back({core, dispatches_in(scene_.trace, core.rows)});
  // In the order of the tracks, so that nothing needs sorting.
  for (const Batch& batch : batches) draw_scheduler_bars(batch);
  for (const Batch& batch : batches) draw_worker_bars(batch);
}

void PartMaker::draw_scheduler_bars(const Batch& batch) {
  const auto [core, rows] = batch.where;
  const std::vector<TrackId>& tracks = scene_.layout.cores[core].scheduler;
  if (tracks.empty()) return;
  const BarLanes& lanes = scene_.survey.cores[core].scheduler;
  const RowRange core_rows = scene_.trace.slices_of(scene_.chip.cores[core].track);
  const auto draw = [&](const Dispatch& dispatch, TrackId track, ArrowCursor& ends) {
    const Bar bar = scheduler_bar(dispatch);
    const SliceId slice =
        builder_.add_slice({.track = track,
                            .start = bar.begin,
                            .duration = bar.end - bar.begin,
                            .name = text(dispatch.function),
                            .category = words_.execution,
                            .flags = bar.end_known ? SliceFlag::kNone : SliceFlag::kEndUnknown});
    add_identity(slice, core_rows.first, dispatch);
    const std::span<const ArrowEnd> found = ends.of(index(dispatch.slice));
    add_ends(slice, found, Anchor::kSchedulerBar);
    if (draws_local_arrow(dispatch, found))
      builder_.add_flow_end(slice, arrow_number(ArrowKind::kDispatchToStart, index(dispatch.slice)),
                            words_.arrows[static_cast<std::size_t>(ArrowKind::kDispatchToStart)], true);
  };
  const std::span<const ArrowEnd> all_ends = scene_.arrows.of(rows);
  const std::size_t passes = tracks.size() <= kOrderedLanes ? tracks.size() : 1;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    ArrowCursor ends(all_ends);
    for (const Dispatch& dispatch : batch.dispatches) {
      const std::uint32_t lane = lanes.of(index(dispatch.slice) - core_rows.first);
      if (passes > 1 && lane != pass) continue;
      if (has_scheduler_bar(dispatch)) draw(dispatch, tracks[lane], ends);
    }
  }
}

// Where no phase of the scheduler is known to have dispatched it.
bool PartMaker::draws_local_arrow(const Dispatch& dispatch, std::span<const ArrowEnd> ends) const {
  if (!has_scheduler_bar(dispatch)) return false;
  const bool has_phase = std::any_of(ends.begin(), ends.end(), [](const ArrowEnd& end) {
    return end.kind == ArrowKind::kDispatchToStart && end.anchor == Anchor::kWorkerBar;
  });
  const TimeScale& scale = scene_.timeline.scale(scene_.chip.clock);
  return !has_phase && scale.nanoseconds(dispatch.dispatch) < scale.nanoseconds(worker_bar(dispatch).begin);
}

void PartMaker::draw_worker_bars(const Batch& batch) {
  const auto [core, rows] = batch.where;
  const std::vector<TrackId>& tracks = scene_.layout.cores[core].worker;
  const BarLanes& lanes = scene_.survey.cores[core].worker;
  const RowRange core_rows = scene_.trace.slices_of(scene_.chip.cores[core].track);
  const std::size_t passes = tracks.size() <= kOrderedLanes ? tracks.size() : 1;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    ArrowCursor ends(scene_.arrows.of(rows));
    for (const Dispatch& dispatch : batch.dispatches) {
      const std::uint32_t lane = lanes.of(index(dispatch.slice) - core_rows.first);
      if (passes == 1 || lane == pass) draw_worker_bar(core_rows.first, tracks[lane], dispatch, ends);
    }
  }
}

StringId PartMaker::setup_name(const Dispatch& dispatch) const {
  const std::vector<Ticks>& producers_end = scene_.survey.producers_end;
  const bool waits = !producers_end.empty() && dispatch.task != TaskId::kNone &&
                     producers_end[index(dispatch.task)] > dispatch.receive;
  return waits ? words_.doorbell : words_.setup;
}

void PartMaker::draw_worker_bar(std::uint32_t first_of_core, TrackId track, const Dispatch& dispatch,
                                ArrowCursor& ends) {
  const Bar bar = worker_bar(dispatch);
  const std::uint32_t row = index(dispatch.slice);
  const SliceId slice = builder_.add_slice({.track = track,
                                            .start = bar.begin,
                                            .duration = bar.end - bar.begin,
                                            .name = text(dispatch.function),
                                            .category = words_.execution,
                                            .flags = scene_.trace.slices().flags[row]});
  add_identity(slice, first_of_core, dispatch);
  add_details(slice, dispatch);
  const std::span<const ArrowEnd> found = ends.of(row);
  add_ends(slice, found, Anchor::kWorkerBar);
  if (draws_local_arrow(dispatch, found))
    builder_.add_flow_end(slice, arrow_number(ArrowKind::kDispatchToStart, row),
                          words_.arrows[static_cast<std::size_t>(ArrowKind::kDispatchToStart)], false);
  SliceId kernel = slice;
  if (bar.begin < dispatch.start) {
    builder_.add_slice({.track = track,
                        .start = bar.begin,
                        .duration = dispatch.start - bar.begin,
                        .name = setup_name(dispatch),
                        .parent = slice});
    kernel = builder_.add_slice({.track = track,
                                 .start = dispatch.start,
                                 .duration = dispatch.end - dispatch.start,
                                 .name = words_.kernel,
                                 .parent = slice});
  }
  add_ends(kernel, found, Anchor::kKernel);
  add_violations(kernel, row);
}

// What both bars of a dispatch say: the task, and which dispatch of this core it is.
void PartMaker::add_identity(SliceId slice, std::uint32_t first_of_core, const Dispatch& dispatch) {
  const Trace& trace = scene_.trace;
  const std::uint32_t row = index(dispatch.slice);
  if (dispatch.task != TaskId::kNone)
    builder_.add_slice_arg(slice, words_.task,
                           Value::of_task(trace.tasks().external_id[index(dispatch.task)]));
  Value sequence = Value::of_uint(row - first_of_core + 1);
  const trace::ArgTable& args = trace.args();
  for (ArgId arg = trace.slices().first_arg[row]; arg != ArgId::kNone; arg = args.next[index(arg)])
    if (args.name[index(arg)] == sequence_of_trace_) sequence = args.value(arg);
  builder_.add_slice_arg(slice, words_.sequence, sequence);
}

void PartMaker::add_details(SliceId slice, const Dispatch& dispatch) {
  const Trace& trace = scene_.trace;
  if (dispatch.task != TaskId::kNone && trace.tasks().blocks[index(dispatch.task)] > 1)
    builder_.add_slice_arg(slice, words_.blocks, Value::of_uint(trace.tasks().blocks[index(dispatch.task)]));
  const trace::ArgTable& args = trace.args();
  for (ArgId arg = trace.slices().first_arg[index(dispatch.slice)]; arg != ArgId::kNone;
       arg = args.next[index(arg)])
    if (args.name[index(arg)] != sequence_of_trace_)
      builder_.add_slice_arg(slice, text(args.name[index(arg)]), value(args.value(arg)));
}

}  // namespace accelscope::views::swimlane
