#include "formats/perfetto/track_writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "formats/perfetto/descriptors.h"
#include "formats/perfetto/schema.h"
#include "trace/run_names.h"
#include "views/nested_walk.h"

namespace accelscope::formats::perfetto {
namespace {

using base::ErrorCode;
using trace::ArgId;
using trace::CategoryId;
using trace::RowRange;
using trace::SliceFlag;
using trace::SliceId;
using trace::SliceTable;
using trace::StringId;
using trace::TaskId;
using trace::TrackId;
using wire::Message;

std::string flag_names(SliceFlag flags) {
  static constexpr std::pair<SliceFlag, std::string_view> kNames[] = {
      {SliceFlag::kBeginUnknown, "begin unknown"},
      {SliceFlag::kEndUnknown, "end unknown"},
      {SliceFlag::kEstimated, "estimated"},
      {SliceFlag::kSynthetic, "synthetic"},
      {SliceFlag::kWrapped, "wrapped"},
      {SliceFlag::kMarker, "marker"},
  };
  std::string text;
  for (const auto& [flag, name] : kNames) {
    if (!has_flag(flags, flag)) continue;
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

}  // namespace

// The instants of one track that wait until every event of their time has been written.
class TrackWriter::PendingInstants {
 public:
  PendingInstants(TrackWriter& writer, RowRange rows, const Clockwork& drawn)
      : writer_(writer), next_(rows.first), end_(rows.end()), drawn_(drawn) {
    look_ahead();
  }

  // Writes those before `now`, where an event is about to be written.
  void flush_before(Ticks now) {
    while (next_time_ < now && next_ < end_) [[unlikely]] write_next();
  }
  void flush() {
    while (next_ < end_) write_next();
  }

 private:
  void write_next() {
    writer_.write_instant(next_++, drawn_(next_time_));
    look_ahead();
  }
  void look_ahead() { next_time_ = next_ < end_ ? writer_.trace_.instants().time[next_] : Ticks::max(); }

  TrackWriter& writer_;
  std::uint32_t next_;
  std::uint32_t end_;
  const Clockwork& drawn_;
  Ticks next_time_;
};

TrackWriter::TrackWriter(const trace::Trace& trace, const FileTime& time_of, const FlowPlan& flows,
                         base::Output& out, std::uint32_t sequence_offset)
    : trace_(trace),
      time_of_(time_of),
      flows_(flows),
      events_(out, trace),
      annotations_(trace, events_),
      sequence_offset_(sequence_offset) {
  mark_extras();
  const trace::FlowEndTable& ends = trace.flow_ends();
  if (ends.size() == 0) return;
  first_flow_end_.resize(std::size_t{trace.slices().size()} + 1);
  for (std::uint32_t row = 0; row < ends.size(); ++row) ++first_flow_end_[index(ends.slice[row]) + 1];
  std::partial_sum(first_flow_end_.begin(), first_flow_end_.end(), first_flow_end_.begin());
}

void TrackWriter::mark_extras() {
  const std::uint32_t slices = trace_.slices().size();
  const auto mark = [&](std::uint32_t slice) {
    if (extras_.empty()) extras_.resize(slices);
    extras_[slice] = true;
  };
  for (const FlowEnd& end : flows_.ends) mark(end.slice);
  for (std::uint32_t row = 0; row < trace_.stages().size(); ++row) mark(index(trace_.stages().slice[row]));
  for (const trace::Run& run : trace_.runs())
    if (run.root != SliceId::kNone) mark(index(run.root));
}

base::Status TrackWriter::write(TrackId track) {
  const RowRange counters = trace_.counters_of(track);
  const bool has_spans = !trace_.slices_of(track).empty() || !trace_.states_of(track).empty() ||
                         !trace_.instants_of(track).empty();
  if (counters.empty() && !has_spans) return {};
  const std::string_view name = trace_.text(trace_.track(track).name);
  const bool is_counter = trace_.track(track).kind == trace::TrackKind::kCounter;
  if ((is_counter && has_spans) || (!is_counter && !counters.empty()) ||
      (!trace_.slices_of(track).empty() && !trace_.states_of(track).empty()))
    return base::fail(ErrorCode::kInternal,
                      "track '{}' mixes counters, states and slices; a track can have one kind only", name);
  events_.start(sequence_of(track) + sequence_offset_, uuid_of(track), time_of_.first());
  const Clockwork drawn = time_of_.of_one_clock(trace_.track(track).clock);
  if (is_counter) {
    write_counters(track, drawn);
  } else {
    const bool has_states = !trace_.states_of(track).empty();
    ACCELSCOPE_CHECK(has_states ? write_states(track, drawn) : write_slices(track, drawn));
  }
  tallies_.latest = std::max(tallies_.latest, events_.last_time());
  return {};
}

base::Status TrackWriter::write_slices(TrackId track, const Clockwork& drawn) {
  PendingInstants instants(*this, trace_.instants_of(track), drawn);
  std::size_t open_left_out = 0;
  const auto misfit = views::walk_nested(
      trace_.slices(), trace_.slices_of(track),
      [&](std::uint32_t row, Ticks start, std::size_t depth) {
        instants.flush_before(start);
        if (depth >= kMaxDepth) [[unlikely]] {
          ++open_left_out;
          ++tallies_.too_deep;
          return;
        }
        begin_slice(row, drawn(start), drawn);
      },
      [&](std::uint32_t row, Ticks end) {
        instants.flush_before(end);
        if (open_left_out > 0) [[unlikely]] {
          --open_left_out;  // the innermost, which close first
          return;
        }
        end_slice(row, drawn(end));
      });
  if (misfit)
    return base::fail(
        ErrorCode::kInternal,
        "on track '{}', slice '{}' overlaps what it is not nested in; split the track into lanes first",
        trace_.text(trace_.track(track).name), trace_.text(trace_.slices().name[index(misfit->slice)]));
  instants.flush();
  return {};
}

void TrackWriter::begin_slice(std::uint32_t row, std::uint64_t time, const Clockwork& drawn) {
  const SliceTable& slices = trace_.slices();
  const bool is_plain =
      slices.first_arg[row] == ArgId::kNone && !has_origin(row) && !has_extras(row) && !has_flow_ends(row);
  if (is_plain)
    events_.begin(time, slices.name[row], slices.category[row]);
  else
    begin_rich_slice(row, time, drawn);
}

void TrackWriter::begin_rich_slice(std::uint32_t row, std::uint64_t time, const Clockwork& drawn) {
  const SliceTable& slices = trace_.slices();
  Message& event = events_.open_begin(slices.name[row], slices.category[row]);
  annotations_.add_list(event, slices.first_arg[row]);
  if (has_origin(row)) add_origin(event, row);
  if (has_extras(row)) {
    add_run(event, SliceId{row});
    add_stages(event, SliceId{row}, drawn);
    add_flows(event, SliceId{row});
  }
  if (has_flow_ends(row)) add_flow_ends(event, row);
  events_.close(time);
}

void TrackWriter::end_slice(std::uint32_t row, std::uint64_t time) {
  if (!has_extras(row)) return events_.end(time);
  Message& event = events_.open(EventType::kSliceEnd, StringId::kEmpty, CategoryId::kNone);
  for (const FlowEnd& end : flows_.of(SliceId{row}))
    if (end.part == FlowPart::kArrivesAtEnd)
      event.fixed64(track_event::kTerminatingFlowIds, std::uint64_t{end.flow} + 1);
  events_.close(time);
}

bool TrackWriter::has_origin(std::uint32_t row) const {
  const SliceTable& slices = trace_.slices();
  return slices.flags[row] != SliceFlag::kNone || slices.owner[row] != SliceId::kNone ||
         slices.task[row] != TaskId::kNone;
}

void TrackWriter::add_origin(Message& event, std::uint32_t row) {
  const SliceTable& slices = trace_.slices();
  if (slices.flags[row] != SliceFlag::kNone)
    event.message(track_event::kAnnotations,
                  text_annotation("AccelScope flags", flag_names(slices.flags[row])));
  if (const SliceId owner = slices.owner[row]; owner != SliceId::kNone)
    event.message(track_event::kAnnotations,
                  text_annotation("AccelScope owner", trace_.text(slices.name[index(owner)])));
  if (const TaskId task = slices.task[row]; task != TaskId::kNone) {
    Message details;
    details.text(annotation::kName, "AccelScope task");
    details.message(annotation::kDictEntries, uint_annotation("id", trace_.tasks().external_id[index(task)]));
    details.message(annotation::kDictEntries,
                    text_annotation("name", trace_.text(trace_.tasks().name[index(task)])));
    event.message(track_event::kAnnotations, details);
  }
}

void TrackWriter::add_run(Message& event, SliceId slice) {
  const trace::RunId id = trace_.slices().run[index(slice)];
  if (id == trace::RunId::kNone || trace_.run(id).root != slice) return;
  const trace::Run& run = trace_.run(id);
  Message details;
  details.text(annotation::kName, "AccelScope run");
  details.message(annotation::kDictEntries, text_annotation("name", trace_.text(run.name)));
  details.message(annotation::kDictEntries, text_annotation("method", trace_.text(run.method)));
  details.message(annotation::kDictEntries, uint_annotation("index", run.index));
  details.message(annotation::kDictEntries, text_annotation("status", trace::name_of(run.status)));
  event.message(track_event::kAnnotations, details);
}

void TrackWriter::add_stages(Message& event, SliceId slice, const Clockwork& drawn) {
  const trace::StageTable& stages = trace_.stages();
  const trace::RowRange rows = trace_.stages_of(slice);
  if (rows.empty()) return;
  const Ticks start = trace_.slices().start[index(slice)];
  Message details;
  details.text(annotation::kName, "AccelScope stages, ns from start");
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    const auto moment = base::checked_add(start.value, stages.offset[row].value);
    if (!moment) continue;  // nonsense that no number can say
    const std::uint64_t from_start = drawn(Ticks{*moment}) - drawn(start);
    details.message(annotation::kDictEntries,
                    int_annotation(trace_.text(stages.stage[row]), static_cast<std::int64_t>(from_start)));
  }
  event.message(track_event::kAnnotations, details);
}

void TrackWriter::add_flows(Message& event, SliceId slice) {
  const trace::FlowTable& flows = trace_.flows();
  for (const FlowEnd& end : flows_.of(slice)) {
    const std::uint64_t id = std::uint64_t{end.flow} + 1;
    if (end.part == FlowPart::kLeaves) event.fixed64(track_event::kFlowIds, id);
    if (end.part == FlowPart::kArrives) event.fixed64(track_event::kTerminatingFlowIds, id);
    const bool not_drawn = end.part == FlowPart::kShouldLeave || end.part == FlowPart::kShouldArrive;
    const bool leaves = end.part == FlowPart::kLeaves || end.part == FlowPart::kShouldLeave;
    // Perfetto's arrows have no text; a label goes to where the arrow leaves.
    if (!not_drawn && (flows.label[end.flow] == StringId::kEmpty || !leaves)) continue;
    event.message(track_event::kAnnotations, describe_flow(end.flow, leaves, not_drawn));
  }
}

void TrackWriter::add_flow_ends(Message& event, std::uint32_t row) {
  const trace::FlowEndTable& ends = trace_.flow_ends();
  for (std::uint32_t end = first_flow_end_[row]; end < first_flow_end_[row + 1]; ++end)
    event.fixed64(ends.leaves[end] ? track_event::kFlowIds : track_event::kTerminatingFlowIds,
                  ends.flow[end]);
}

Message TrackWriter::describe_flow(std::uint32_t flow, bool leaves, bool not_drawn) const {
  const trace::FlowTable& flows = trace_.flows();
  const SliceTable& slices = trace_.slices();
  const auto drawn_start = [&](SliceId slice) {
    return time_of_(trace_.track(slices.track[index(slice)]).clock, slices.start[index(slice)]);
  };
  const SliceId other = leaves ? flows.to[flow] : flows.from[flow];
  Message details;
  details.text(annotation::kName,
               fmt::format("AccelScope flow {}{}", leaves ? "to" : "from", not_drawn ? ", not drawn" : ""));
  const auto add = [&](const Message& entry) { details.message(annotation::kDictEntries, entry); };
  add(text_annotation("slice", trace_.text(slices.name[index(other)])));
  add(text_annotation("track", trace_.text(trace_.track(slices.track[index(other)]).name)));
  add(uint_annotation("starts at ns", drawn_start(other)));
  add(text_annotation("type", trace_.text(flows.type[flow])));
  if (flows.label[flow] != StringId::kEmpty) add(text_annotation("label", trace_.text(flows.label[flow])));
  if (not_drawn) {
    const bool against_time = drawn_start(flows.to[flow]) < drawn_start(flows.from[flow]);
    add(text_annotation("why not drawn", against_time ? "against time" : "both start in one nanosecond"));
  }
  return details;
}

base::Status TrackWriter::write_states(TrackId track, const Clockwork& drawn) {
  const trace::StateTable& states = trace_.states();
  const RowRange rows = trace_.states_of(track);
  PendingInstants instants(*this, trace_.instants_of(track), drawn);
  Ticks previous_end = Ticks::min();
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    const Ticks start = states.start[row];
    if (start < previous_end)
      return base::fail(ErrorCode::kInternal,
                        "on track '{}', state '{}' begins before the state before it has ended",
                        trace_.text(trace_.track(track).name), trace_.text(states.state[row]));
    previous_end = start + states.duration[row];
    instants.flush_before(start);
    Message& event = events_.open(EventType::kSliceBegin, states.state[row], CategoryId::kNone);
    if (states.cause[row] != StringId::kEmpty) {
      Message cause;
      cause.text(annotation::kName, "cause");
      cause.varint(annotation::kStringId, events_.annotation_string(states.cause[row]));
      event.message(track_event::kAnnotations, cause);
    }
    events_.close(drawn(start));
    instants.flush_before(previous_end);
    events_.end(drawn(previous_end));
  }
  instants.flush();
  return {};
}

void TrackWriter::write_counters(TrackId track, const Clockwork& drawn) {
  const trace::CounterTable& counters = trace_.counters();
  const RowRange rows = trace_.counters_of(track);
  const bool is_double = trace_.track(track).counter_type == trace::CounterType::kDouble;
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    const Ticks time = counters.time[row];
    if (is_double)
      events_.counter(drawn(time), std::bit_cast<double>(counters.bits[row]));
    else
      events_.counter(drawn(time), static_cast<std::int64_t>(counters.bits[row]));
  }
}

void TrackWriter::write_instant(std::uint32_t row, std::uint64_t time) {
  const trace::InstantTable& instants = trace_.instants();
  Message& event = events_.open(EventType::kInstant, instants.name[row], instants.category[row]);
  annotations_.add_list(event, instants.first_arg[row]);
  events_.close(time);
}

}  // namespace accelscope::formats::perfetto
