#include "formats/speedscope/speedscope_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/json_writer.h"
#include "views/nested_walk.h"
#include "views/time_notes.h"
#include "views/time_scale.h"

namespace accelscope::formats::speedscope {
namespace {

using base::ErrorCode;
using base::JsonWriter;
using trace::ClockId;
using trace::QualityTable;
using trace::Severity;
using trace::Ticks;
using trace::Trace;
using trace::TrackId;

constexpr std::uint32_t kUnused = 0xFFFFFFFF;

// "process / thread / lane".
std::string profile_name(const Trace& trace, TrackId track) {
  std::vector<std::string_view> names;
  for (TrackId at = track; at != TrackId::kNone; at = trace.track(at).parent)
    names.push_back(trace.text(trace.track(at).name));
  std::reverse(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, " / "));
}

class Writer {
 public:
  Writer(const Trace& trace, const views::Timeline& timeline, base::Output& out)
      : trace_(trace),
        timeline_(timeline),
        json_(out),
        frame_of_name_(trace.strings().size(), kUnused),
        zero_of_clock_(trace.clocks().size(), std::numeric_limits<std::int64_t>::max()) {}

  base::Result<QualityTable> write();

 private:
  // Clocks that are drawn together count from one zero; the reference stands for them.
  std::int64_t& zero_of(ClockId clock) {
    return zero_of_clock_[index(timeline_.scale(clock).is_related() ? views::Timeline::kReference : clock)];
  }
  // From that zero on. Cannot overflow where JSON's readers could follow.
  std::uint64_t shown(ClockId clock, Ticks time) {
    return static_cast<std::uint64_t>(timeline_.nanoseconds(clock, time)) -
           static_cast<std::uint64_t>(zero_of(clock));
  }
  void find_zeros();
  void write_frames();
  base::Status write_profile(TrackId track);
  QualityTable notes() const;

  const Trace& trace_;
  const views::Timeline& timeline_;
  JsonWriter json_;
  std::vector<std::uint32_t> frame_of_name_;
  std::vector<std::int64_t> zero_of_clock_;
};

void Writer::find_zeros() {
  for (std::uint32_t id = 0; id < trace_.tracks().size(); ++id) {
    const trace::RowRange rows = trace_.slices_of(TrackId{id});
    if (rows.empty()) continue;
    const ClockId clock = trace_.track(TrackId{id}).clock;
    std::int64_t& zero = zero_of(clock);
    zero = std::min(zero, timeline_.nanoseconds(clock, trace_.slices().start[rows.first]));
  }
}

void Writer::write_frames() {
  const trace::SliceTable& slices = trace_.slices();
  std::uint32_t count = 0;
  json_.key("shared").begin_object().key("frames").begin_array();
  for (std::uint32_t row = 0; row < slices.size(); ++row) {
    std::uint32_t& frame = frame_of_name_[index(slices.name[row])];
    if (frame != kUnused) continue;
    frame = count++;
    const std::string_view name = trace_.text(slices.name[row]);
    json_.begin_object().member("name", name.empty() ? "(unnamed)" : name).end_object();
  }
  json_.end_array().end_object();
}

base::Status Writer::write_profile(TrackId track) {
  const ClockId clock = trace_.track(track).clock;
  const trace::SliceTable& slices = trace_.slices();
  const trace::RowRange rows = trace_.slices_of(track);
  std::uint64_t last = 0;
  for (std::uint32_t row = rows.first; row < rows.end(); ++row)
    last = std::max(last, shown(clock, slices.start[row] + slices.duration[row]));
  json_.begin_object();
  json_.member("type", "evented");
  json_.member("name", profile_name(trace_, track));
  json_.member("unit", timeline_.scale(clock).unit_known() ? "nanoseconds" : "none");
  json_.member("startValue", 0);
  json_.member("endValue", last);
  json_.key("events").begin_array();
  const auto put = [&](const char* type, std::uint32_t row, Ticks time) {
    json_.begin_object();
    json_.member("type", type);
    json_.member("frame", frame_of_name_[index(slices.name[row])]);
    json_.member("at", shown(clock, time));
    json_.end_object();
  };
  const auto misfit = views::walk_nested(
      slices, rows, [&](std::uint32_t row, Ticks start, std::size_t) { put("O", row, start); },
      [&](std::uint32_t row, Ticks end) { put("C", row, end); });
  if (misfit)
    return base::fail(
        ErrorCode::kInternal,
        "on track '{}', slice '{}' overlaps what it is not nested in; split the track into lanes first",
        trace_.text(trace_.track(track).name), trace_.text(slices.name[index(misfit->slice)]));
  json_.end_array().end_object();
  return {};
}

QualityTable Writer::notes() const {
  QualityTable notes = views::time_notes(trace_, timeline_, views::DrawnRows::kSlices);
  const std::uint64_t left_out = std::uint64_t{trace_.counters().size()} + trace_.states().size() +
                                 trace_.instants().size() + trace_.flows().size();
  if (left_out > 0)
    notes.add({.id = "speedscope.left_out",
               .severity = Severity::kInfo,
               .sentence = "Counters, states, instants and flows have no place in a speedscope file.",
               .count = left_out});
  return notes;
}

base::Result<QualityTable> Writer::write() {
  find_zeros();
  json_.begin_object();
  json_.member("$schema", "https://www.speedscope.app/file-format-schema.json");
  json_.member("exporter", "AccelScope");
  write_frames();
  json_.key("profiles").begin_array();
  for (std::uint32_t id = 0; id < trace_.tracks().size(); ++id)
    if (!trace_.slices_of(TrackId{id}).empty()) ACCELSCOPE_CHECK(write_profile(TrackId{id}));
  json_.end_array().end_object();
  return notes();
}

}  // namespace

base::Result<QualityTable> write(const Trace& trace, base::Output& out, const Options& options) {
  ACCELSCOPE_TRY(const views::Timeline timeline, views::Timeline::make(trace, options.stretch));
  ACCELSCOPE_TRY(const QualityTable notes, Writer(trace, timeline, out).write());
  ACCELSCOPE_CHECK(out.status());
  return notes;
}

}  // namespace accelscope::formats::speedscope
