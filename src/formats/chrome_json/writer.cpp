#include "formats/chrome_json/writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "base/json_writer.h"
#include "formats/chrome_json/writer_layout.h"
#include "formats/chrome_json/writer_text.h"
#include "views/time_notes.h"
#include "views/time_scale.h"

namespace accelscope::formats::chrome_json {
namespace {

using base::Ticks;
using trace::ArgId;
using trace::RowRange;
using trace::SliceId;
using trace::StringId;
using trace::Trace;
using trace::Track;
using trace::TrackId;

// Of two times that saturate at either end of 64 bits, the distance does, too.
std::int64_t length(std::int64_t start, std::int64_t end) {
  const std::uint64_t distance = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(start);
  return static_cast<std::int64_t>(std::min(distance, static_cast<std::uint64_t>(Ticks::max().value)));
}

// Writes one part of a picture; all parts have the layout of the first.
class Writer {
 public:
  Writer(const Trace& trace, const views::Timeline& timeline, const Layout& layout, bool is_first_part,
         base::Output& out)
      : trace_(trace), timeline_(timeline), text_(trace, out, is_first_part), layout_(layout) {
    if (trace.flows().size() > 0 || trace.flow_ends().size() > 0) levels_up_.resize(trace.slices().size());
  }

  // Everything before the first part's rows.
  void write_head() {
    text_.put("{\"displayTimeUnit\":\"ns\",");
    write_facts();
    text_.put("\"traceEvents\":[");
    for (const TrackId track : layout_.order) name_track(track);
  }

  void write_rows() {
    for (const TrackId track : layout_.order) {
      write_slices(track);
      write_states(track);
      write_instants(track);
    }
    for (const TrackId track : layout_.order) write_counters(track);
    for (std::uint32_t flow = 0; flow < trace_.flows().size(); ++flow) write_flow(flow);
    const trace::FlowEndTable& ends = trace_.flow_ends();
    for (std::uint32_t end = 0; end < ends.size(); ++end)
      write_flow_end(ends.slice[end], ends.leaves[end], ends.flow[end], ends.type[end], ends.type[end]);
  }

 private:
  const Place& place_of(TrackId track) const { return layout_.places[index(track)]; }
  // Of a track with rows: others may have no clock.
  const views::TimeScale& scale_of(TrackId track) const { return timeline_.scale(trace_.track(track).clock); }

  void write_facts();
  void name_track(TrackId track);
  void write_metadata(std::string_view kind, const Place& place, bool with_thread, std::string_view member,
                      std::string_view json);
  void write_slices(TrackId track);
  void write_states(TrackId track);
  void write_instants(TrackId track);
  void write_counters(TrackId track);
  void write_flow(std::uint32_t flow);
  void write_flow_end(SliceId slice, bool leaves, std::uint64_t id, StringId type, StringId label);

  void begin_event(char phase, const Place& place, bool with_thread);
  void order_equal_starts(std::uint32_t first, std::uint32_t end);

  struct Moment {
    std::int64_t nanoseconds = 0;
    std::uint32_t levels_up = 0;
  };
  Moment moment_inside(SliceId slice) const;

  const Trace& trace_;
  const views::Timeline& timeline_;
  EventText text_;
  const Layout& layout_;
  // For flows: how many slices begin with a slice, inside it.
  std::vector<std::uint32_t> levels_up_;
  std::vector<std::uint32_t> ordered_;  // rows that begin together, as they are written
  std::vector<std::uint32_t> depths_;
};

void Writer::write_facts() {
  if (trace_.facts().empty()) return;
  text_.put("\"otherData\":{");
  bool first = true;
  for (const trace::Fact& fact : trace_.facts()) {
    text_.put(first ? std::string_view("\n") : std::string_view(",\n"));
    first = false;
    text_.put_quoted(fact.key);
    text_.put(":");
    text_.put_value(fact.value);
  }
  text_.put("\n},");
}

void Writer::begin_event(char phase, const Place& place, bool with_thread) {
  text_.begin_event();
  text_.put("\"ph\":\"");
  text_.put(std::string_view(&phase, 1));
  text_.put("\",\"pid\":");
  text_.put_integer(place.process);
  if (!with_thread) return;
  text_.put(",\"tid\":");
  text_.put_integer(place.thread);
}

void Writer::write_metadata(std::string_view kind, const Place& place, bool with_thread,
                            std::string_view member, std::string_view json) {
  begin_event('M', place, with_thread);
  text_.put(",\"name\":\"");
  text_.put(kind);
  text_.put("\",\"args\":{\"");
  text_.put(member);
  text_.put("\":");
  text_.put(json);
  text_.put("}");
  text_.end_event();
}

void Writer::name_track(TrackId track) {
  const Place& place = place_of(track);
  base::MemoryOutput quoted;
  if (place.is_process) {
    base::append_json_string(quoted, trace_.text(trace_.track(track).name));
    write_metadata("process_name", place, false, "name", quoted.bytes());
    write_metadata("process_sort_index", place, false, "sort_index", fmt::format("{}", place.sort_index));
  }
  if (place.is_thread) {
    quoted.clear();
    base::append_json_string(quoted, thread_name(trace_, track));
    write_metadata("thread_name", place, true, "name", quoted.bytes());
    write_metadata("thread_sort_index", place, true, "sort_index",
                   fmt::format("{}", place.is_process ? 0 : place.sort_index));
  }
}

// Rows [first, end) begin in the same nanosecond. Readers take the first of equal slices for the outer one,
// so parents go before children and longer ones before shorter ones.
void Writer::order_equal_starts(std::uint32_t first, std::uint32_t end) {
  ordered_.clear();
  for (std::uint32_t row = first; row < end; ++row) ordered_.push_back(row);
  if (ordered_.size() == 1) return;
  constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  const trace::SliceTable& slices = trace_.slices();
  depths_.assign(ordered_.size(), kUnknown);
  std::vector<std::uint32_t> chain;
  for (std::uint32_t row = first; row < end; ++row) {
    std::uint32_t current = row;
    // kNone is beyond every row.
    while (current >= first && current < end && depths_[current - first] == kUnknown) {
      chain.push_back(current);
      current = index(slices.parent[current]);
    }
    const bool known = current >= first && current < end;
    std::uint32_t depth = known ? depths_[current - first] + 1 : 0;
    for (; !chain.empty(); chain.pop_back()) depths_[chain.back() - first] = depth++;
  }
  const views::TimeScale& scale = scale_of(slices.track[first]);
  const auto rank = [&](std::uint32_t row) {
    const Ticks end_time = slices.start[row] + slices.duration[row];
    // The complement turns the order round, as a minus sign would, and cannot overflow.
    return std::tuple(~scale.nanoseconds(end_time), depths_[row - first], row);
  };
  std::sort(ordered_.begin(), ordered_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
}

void Writer::write_slices(TrackId track) {
  const RowRange rows = trace_.slices_of(track);
  if (rows.empty()) return;
  const trace::SliceTable& slices = trace_.slices();
  const views::TimeScale& scale = scale_of(track);
  const Place& place = place_of(track);
  const std::string prefix =
      fmt::format("\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":", place.process, place.thread);
  for (std::uint32_t first = rows.first; first < rows.end();) {
    const std::int64_t start = scale.nanoseconds(slices.start[first]);
    std::uint32_t end = first + 1;
    while (end < rows.end() && scale.nanoseconds(slices.start[end]) == start) ++end;
    order_equal_starts(first, end);
    for (std::size_t i = 0; i < ordered_.size(); ++i) {
      const std::uint32_t row = ordered_[i];
      if (!levels_up_.empty()) levels_up_[row] = static_cast<std::uint32_t>(ordered_.size() - 1 - i);
      text_.begin_event();
      text_.put(prefix);
      text_.put_microseconds(start);
      text_.put(",\"dur\":");
      text_.put_microseconds(length(start, scale.nanoseconds(slices.start[row] + slices.duration[row])));
      text_.put(",\"name\":");
      text_.put_quoted(slices.name[row]);
      if (slices.category[row] != trace::CategoryId::kNone) {
        text_.put(",\"cat\":");
        text_.put_quoted(trace_.categories()[index(slices.category[row])]);
      }
      text_.put_arguments(slices.first_arg[row]);
      text_.end_event();
    }
    first = end;
  }
}

void Writer::write_states(TrackId track) {
  const RowRange rows = trace_.states_of(track);
  if (rows.empty()) return;
  const trace::StateTable& states = trace_.states();
  const views::TimeScale& scale = scale_of(track);
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    const std::int64_t start = scale.nanoseconds(states.start[row]);
    const std::int64_t end = scale.nanoseconds(states.start[row] + states.duration[row]);
    begin_event('X', place_of(track), true);
    text_.put(",\"ts\":");
    text_.put_microseconds(start);
    text_.put(",\"dur\":");
    text_.put_microseconds(length(start, end));
    text_.put(",\"name\":");
    text_.put_quoted(states.state[row]);
    text_.put(",\"cat\":\"state\"");
    if (states.cause[row] != StringId::kEmpty) {
      text_.put(",\"args\":{\"cause\":");
      text_.put_quoted(states.cause[row]);
      text_.put("}");
    }
    text_.end_event();
  }
}

void Writer::write_instants(TrackId track) {
  const RowRange rows = trace_.instants_of(track);
  if (rows.empty()) return;
  const trace::InstantTable& instants = trace_.instants();
  const views::TimeScale& scale = scale_of(track);
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    // The reader keeps a scope beyond the thread as the first argument.
    const ArgId first = instants.first_arg[row];
    const bool scoped = first != ArgId::kNone && trace_.text(trace_.args().name[index(first)]) == "scope" &&
                        trace_.args().value(first).type == trace::ValueType::kString;
    const std::string_view scope =
        scoped ? trace_.text(trace_.args().value(first).as_text()) : std::string_view();
    const char letter = scope == "process" ? 'p' : scope == "global" ? 'g' : 't';
    begin_event('i', place_of(track), true);
    text_.put(",\"s\":\"");
    text_.put(std::string_view(&letter, 1));
    text_.put("\",\"ts\":");
    text_.put_microseconds(scale.nanoseconds(instants.time[row]));
    text_.put(",\"name\":");
    text_.put_quoted(instants.name[row]);
    if (instants.category[row] != trace::CategoryId::kNone) {
      text_.put(",\"cat\":");
      text_.put_quoted(trace_.categories()[index(instants.category[row])]);
    }
    text_.put_arguments(first, letter == 't' ? ArgId::kNone : first);
    text_.end_event();
  }
}

void Writer::write_counters(TrackId track) {
  const RowRange rows = trace_.counters_of(track);
  if (rows.empty()) return;
  const trace::CounterTable& counters = trace_.counters();
  const views::TimeScale& scale = scale_of(track);
  const Track& row_of_track = trace_.track(track);
  const bool is_double = row_of_track.counter_type == trace::CounterType::kDouble;
  const trace::ValueType type = is_double ? trace::ValueType::kDouble : trace::ValueType::kInt;
  const Place& place = place_of(track);
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    begin_event('C', place, false);
    if (place.counter != 0) {
      text_.put(",\"id\":");
      text_.put_integer(place.counter);
    }
    text_.put(",\"ts\":");
    text_.put_microseconds(scale.nanoseconds(counters.time[row]));
    text_.put(",\"name\":");
    text_.put_quoted(row_of_track.name);
    if (row == rows.first && row_of_track.counter_unit != StringId::kEmpty) {
      text_.put(",\"unit\":");
      text_.put_quoted(row_of_track.counter_unit);
    }
    text_.put(",\"args\":{\"value\":");
    text_.put_value({type, counters.bits[row]});
    text_.put("}");
    text_.end_event();
  }
}

// A time at which this slice is the innermost one; where a few rows show none, its start, and how many slices
// begin inside it there.
Writer::Moment Writer::moment_inside(SliceId slice) const {
  constexpr std::uint32_t kSearchedRows = 64;
  const trace::SliceTable& slices = trace_.slices();
  const std::uint32_t row = index(slice);
  const views::TimeScale& scale = scale_of(slices.track[row]);
  const auto start_of = [&](std::uint32_t i) { return scale.nanoseconds(slices.start[i]); };
  const auto end_of = [&](std::uint32_t i) {
    return scale.nanoseconds(slices.start[i] + slices.duration[i]);
  };
  const Moment at_start{start_of(row), levels_up_[row]};
  if (at_start.levels_up == 0) return at_start;
  const RowRange rows = trace_.slices_of(slices.track[row]);
  std::uint32_t first = row;
  while (first > rows.first && row - first < kSearchedRows && start_of(first - 1) == at_start.nanoseconds)
    --first;
  if (row - first == kSearchedRows) return at_start;
  std::int64_t free_from = at_start.nanoseconds;
  for (std::uint32_t i = first; i < rows.end() && start_of(i) <= free_from; ++i) {
    if (i - first == kSearchedRows) return at_start;
    const bool inside = start_of(i) > at_start.nanoseconds || levels_up_[i] < at_start.levels_up;
    // One without length covers its moment nevertheless.
    if (inside)
      free_from = std::max({free_from, end_of(i), base::checked_add(start_of(i), 1).value_or(free_from)});
  }
  if (free_from >= end_of(row)) return at_start;
  return {free_from, 0};
}

void Writer::write_flow(std::uint32_t flow) {
  const trace::FlowTable& flows = trace_.flows();
  const StringId type = flows.type[flow];
  const StringId label = flows.label[flow] == StringId::kEmpty ? type : flows.label[flow];
  const std::uint64_t id = std::uint64_t{flow} + 1;
  write_flow_end(flows.from[flow], true, id, type, label);
  write_flow_end(flows.to[flow], false, id, type, label);
}

void Writer::write_flow_end(SliceId slice, bool leaves, std::uint64_t id, StringId type, StringId label) {
  const Moment moment = moment_inside(slice);
  begin_event(leaves ? 's' : 'f', place_of(trace_.slices().track[index(slice)]), true);
  text_.put(leaves ? std::string_view(",\"id\":") : std::string_view(",\"bp\":\"e\",\"id\":"));
  text_.put_integer(id);
  text_.put(",\"ts\":");
  text_.put_microseconds(moment.nanoseconds);
  text_.put(",\"name\":");
  text_.put_quoted(label);
  text_.put(",\"cat\":");
  text_.put_quoted(type);
  if (moment.levels_up > 0) {
    text_.put(",\"levels_up\":");
    text_.put_integer(moment.levels_up);
  }
  text_.end_event();
}

}  // namespace

base::Result<trace::QualityTable> write(const Trace& trace, base::Output& out, const WriteOptions& options) {
  return write(views::picture_of(trace), out, options);
}

base::Result<trace::QualityTable> write(const views::Picture& picture, base::Output& out,
                                        const WriteOptions& options) {
  ACCELSCOPE_TRY(const views::Timeline timeline, views::Timeline::make(*picture.first, options.stretch));
  const Layout layout = lay_out(*picture.first);
  views::TimeNotes notes(*picture.first, timeline, views::DrawnRows::kAll);
  const auto write_part = [&](const Trace& part, std::uint32_t number) -> base::Status {
    Writer writer(part, timeline, layout, number == 0, out);
    if (number == 0) writer.write_head();
    writer.write_rows();
    notes.add_part(part);
    return out.status();
  };
  ACCELSCOPE_CHECK(views::for_each_part(picture, write_part));
  out.append("\n]}\n");
  ACCELSCOPE_CHECK(out.status());
  return notes.notes();
}

}  // namespace accelscope::formats::chrome_json
