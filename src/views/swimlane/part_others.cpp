// What is drawn of everything but the cores' dispatches: as it was recorded, with names for people.
#include <fmt/core.h>

#include "trace/vocabulary.h"
#include "views/swimlane/part.h"

namespace accelscope::views::swimlane {

using trace::RowRange;
using trace::SliceFlag;
using trace::SliceId;
using trace::SliceTable;
using trace::StringId;
using trace::TaskId;
using trace::Trace;
using trace::Value;

// Submissions and markers say what for.
StringId PartMaker::slice_name(std::uint32_t row) {
  const Trace& trace = scene_.trace;
  const SliceTable& slices = trace.slices();
  const TaskId task = slices.task[row];
  if (task == TaskId::kNone || trace.category_name(slices.category[row]) != trace::category::kSubmit)
    return text(slices.name[row]);
  const std::string_view kind = trace.text(trace.tasks().kind[index(task)]);
  if (kind == trace::task_kind::kAllocation) return builder_.intern("alloc");
  const std::string_view function = trace.text(trace.tasks().name[index(task)]);
  return builder_.intern(fmt::format("submit {}", function.empty() ? kind : function));
}

void PartMaker::draw_slices(TrackId track) {
  const Trace& trace = scene_.trace;
  const SliceTable& slices = trace.slices();
  const RowRange rows = trace.slices_of(track);
  if (rows.empty()) return;
  const TrackId itself = scene_.layout.of_source[index(track)];
  const TrackId markers = scene_.layout.markers[index(track)];
  ArrowCursor ends(scene_.arrows.of(rows));
  std::vector<SliceId> drawn(rows.count, SliceId::kNone);
  const auto add = [&](std::uint32_t row, TrackId where, Anchor anchor) {
    const SliceId slice = builder_.add_slice(
        {.track = where,
         .start = slices.start[row],
         .duration = slices.duration[row],
         .name = slice_name(row),
         .category = builder_.category(text(trace.categories()[index(slices.category[row])])),
         .flags = slices.flags[row]});
    add_args(slice, slices.first_arg[row]);
    add_task(slice, slices.task[row]);
    add_ends(slice, ends.of(row), anchor);
    return slice;
  };
  // A marker is drawn in the worker view only; an allocation there and as the submission that it is.
  const auto is_drawn_here = [&](std::uint32_t row) {
    return markers == TrackId::kNone || !is_marker(trace, row) ||
           trace.category_name(slices.category[row]) == trace::category::kSubmit;
  };
  for (std::uint32_t row = rows.first; row < rows.end(); ++row)
    if (is_drawn_here(row)) drawn[row - rows.first] = add(row, itself, Anchor::kItself);
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    const SliceId slice = drawn[row - rows.first];
    if (slice == SliceId::kNone || slices.parent[row] == SliceId::kNone) continue;
    builder_.set_parent(slice, drawn[index(slices.parent[row]) - rows.first]);
  }
  if (markers == TrackId::kNone) return;
  ends = ArrowCursor(scene_.arrows.of(rows));
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    if (!is_marker(trace, row)) continue;
    const SliceId marker = add(row, markers, Anchor::kMarker);
    add_violations(marker, row);
  }
}

void PartMaker::draw_side_rows(TrackId track) {
  const Trace& trace = scene_.trace;
  const TrackId where = scene_.layout.of_source[index(track)];
  const trace::StateTable& states = trace.states();
  const RowRange state_rows = trace.states_of(track);
  for (std::uint32_t row = state_rows.first; row < state_rows.end(); ++row)
    builder_.add_state(where, states.start[row], states.duration[row], text(states.state[row]),
                       text(states.cause[row]));
  const trace::CounterTable& counters = trace.counters();
  const RowRange counter_rows = trace.counters_of(track);
  const bool is_double = trace.track(track).counter_type == trace::CounterType::kDouble;
  for (std::uint32_t row = counter_rows.first; row < counter_rows.end(); ++row) {
    if (is_double)
      builder_.add_counter(where, counters.time[row], std::bit_cast<double>(counters.bits[row]));
    else
      builder_.add_counter(where, counters.time[row], static_cast<std::int64_t>(counters.bits[row]));
  }
  const trace::InstantTable& instants = trace.instants();
  const RowRange instant_rows = trace.instants_of(track);
  for (std::uint32_t row = instant_rows.first; row < instant_rows.end(); ++row) {
    const std::uint32_t added = builder_.add_instant(
        {.track = where,
         .time = instants.time[row],
         .name = text(instants.name[row]),
         .category = builder_.category(text(trace.categories()[index(instants.category[row])]))});
    for (trace::ArgId arg = instants.first_arg[row]; arg != trace::ArgId::kNone;
         arg = trace.args().next[index(arg)])
      builder_.add_instant_arg(added, text(trace.args().name[index(arg)]), value(trace.args().value(arg)));
  }
}

void PartMaker::draw_envelopes() {
  const Trace& trace = scene_.trace;
  for (const Envelope& envelope : scene_.survey.envelopes) {
    const StringId name = trace.tasks().name[index(envelope.task)];
    const SliceId slice =
        builder_.add_slice({.track = scene_.layout.graphs,
                            .start = envelope.begin,
                            .duration = envelope.end - envelope.begin,
                            .name = name == StringId::kEmpty ? builder_.intern("graph") : text(name),
                            .category = builder_.category(trace::task_kind::kGraph),
                            .flags = SliceFlag::kSynthetic});
    add_task(slice, envelope.task);
    builder_.add_slice_arg(slice, words_.nodes, Value::of_uint(envelope.nodes));
    if (envelope.prepare != kNoRow)
      add_ends(slice, scene_.arrows.of({envelope.prepare, 1}), Anchor::kEnvelope);
  }
}

}  // namespace accelscope::views::swimlane
