#include "views/time_notes.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <span>

#include "base/human.h"

namespace accelscope::views {
namespace {

using trace::ClockId;
using trace::Column;
using trace::QualityTable;
using trace::RowRange;
using trace::Severity;
using trace::Ticks;
using trace::Trace;
using trace::TrackId;

// Calls span(start, end) for every drawn row of a track; moments end when they start.
template <class Span>
void for_each_span(const Trace& trace, TrackId track, DrawnRows drawn, Span&& span) {
  const auto spans = [&](RowRange rows, const Column<Ticks>& starts, const Column<Ticks>& durations) {
    for (std::uint32_t row = rows.first; row < rows.end();) {
      const std::span<const Ticks> some = starts.chunk_from(row);
      const Ticks* const lengths = durations.chunk_from(row).data();
      const std::size_t count = std::min<std::size_t>(some.size(), rows.end() - row);
      for (std::size_t i = 0; i < count; ++i) span(some[i], some[i] + lengths[i]);
      row += static_cast<std::uint32_t>(count);
    }
  };
  const auto moments = [&](RowRange rows, const Column<Ticks>& times) {
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) span(times[row], times[row]);
  };
  spans(trace.slices_of(track), trace.slices().start, trace.slices().duration);
  if (drawn == DrawnRows::kSlices) return;
  spans(trace.states_of(track), trace.states().start, trace.states().duration);
  moments(trace.counters_of(track), trace.counters().time);
  moments(trace.instants_of(track), trace.instants().time);
}

bool has_drawn_rows(const Trace& trace, TrackId track, DrawnRows drawn) {
  if (!trace.slices_of(track).empty()) return true;
  if (drawn == DrawnRows::kSlices) return false;
  return !trace.states_of(track).empty() || !trace.counters_of(track).empty() ||
         !trace.instants_of(track).empty();
}

void note_clock(const Trace& trace, const Timeline& timeline, ClockId clock, QualityTable& notes) {
  const TimeScale& scale = timeline.scale(clock);
  const std::string_view name = trace.text(trace.clock(clock).name);
  const std::string_view reference = trace.text(trace.clock(Timeline::kReference).name);
  if (!scale.unit_known())
    notes.add({.id = "time.unknown_unit",
               .severity = Severity::kWarning,
               .sentence = fmt::format("The unit of clock '{}' is unknown: one tick counts as 1 ns.",
                                       scale.is_related() ? reference : name)});
  if (!scale.is_related())
    notes.add(
        {.id = "time.unrelated_clock",
         .severity = Severity::kWarning,
         .sentence = fmt::format("Clock '{}' has no known relation to clock '{}': its tracks have a time "
                                 "of their own, so what stands above each other did not happen together.",
                                 name, reference)});
  else if (clock != Timeline::kReference)
    notes.add({.id = "time.mapped_clock",
               .severity = Severity::kInfo,
               .sentence = fmt::format("Tracks of clock '{}' are drawn on the time of clock '{}'.", name,
                                       reference)});
}

struct Survey {
  std::uint64_t rounded_rows = 0;
  bool out_of_range = false;
};

Survey survey_track(const Trace& trace, TrackId track, const TimeScale& scale, DrawnRows drawn) {
  Survey survey;
  if (!scale.may_round() && !scale.may_saturate()) return survey;
  Ticks earliest = Ticks::max();
  Ticks latest = Ticks::min();
  for_each_span(trace, track, drawn, [&](Ticks start, Ticks end) {
    earliest = std::min(earliest, start);
    latest = std::max(latest, end);
  });
  if (scale.may_round())
    for_each_span(trace, track, drawn, [&](Ticks start, Ticks end) {
      if (scale.rounds(start) || scale.rounds(end)) ++survey.rounded_rows;
    });
  // Scales keep the order, so the extremes tell for all.
  survey.out_of_range = scale.nanoseconds(latest) == std::numeric_limits<std::int64_t>::max() ||
                        scale.nanoseconds(earliest) == std::numeric_limits<std::int64_t>::min();
  return survey;
}

}  // namespace

TimeNotes::TimeNotes(const Trace& first, const Timeline& timeline, DrawnRows drawn)
    : first_(first),
      timeline_(timeline),
      drawn_(drawn),
      is_drawn_(first.tracks().size()),
      out_of_range_(first.tracks().size()) {}

void TimeNotes::add_part(const Trace& part) {
  for (std::uint32_t id = 0; id < is_drawn_.size(); ++id) {
    const TrackId track{id};
    if (!has_drawn_rows(part, track, drawn_)) continue;
    is_drawn_[id] = true;
    const Survey survey = survey_track(part, track, timeline_.scale(first_.track(track).clock), drawn_);
    rounded_rows_ += survey.rounded_rows;
    if (survey.out_of_range) out_of_range_[id] = true;
  }
}

void TimeNotes::add(const TimeNotes& others) {
  for (std::size_t id = 0; id < is_drawn_.size(); ++id) {
    if (others.is_drawn_[id]) is_drawn_[id] = true;
    if (others.out_of_range_[id]) out_of_range_[id] = true;
  }
  rounded_rows_ += others.rounded_rows_;
}

QualityTable TimeNotes::notes() const {
  QualityTable notes;
  for (std::uint32_t id = 0; id < is_drawn_.size(); ++id)
    if (is_drawn_[id]) note_clock(first_, timeline_, first_.track(TrackId{id}).clock, notes);
  if (timeline_.stretch() > 1)
    notes.add({.id = "time.stretched",
               .severity = Severity::kInfo,
               .sentence = fmt::format("All times are stretched: 1 s of the trace is drawn as {} s.",
                                       base::format_count(static_cast<std::uint64_t>(timeline_.stretch())))});
  if (rounded_rows_ > 0)
    notes.add(
        {.id = "time.rounded_below_ns",
         .severity = Severity::kInfo,
         .sentence = "Times between two nanoseconds are rounded down; a larger stretch would show them.",
         .count = rounded_rows_});
  const auto tracks_out_of_range = std::count(out_of_range_.begin(), out_of_range_.end(), true);
  if (tracks_out_of_range > 0)
    notes.add({.id = "time.out_of_range",
               .severity = Severity::kError,
               .sentence = fmt::format("Tracks have times beyond the 292 years that 64 bits of nanoseconds "
                                       "hold: these are drawn at the end of that range{}.",
                                       timeline_.stretch() > 1 ? "; use a smaller stretch" : ""),
               .count = static_cast<std::uint64_t>(tracks_out_of_range)});
  return notes;
}

QualityTable time_notes(const Trace& trace, const Timeline& timeline, DrawnRows drawn) {
  TimeNotes notes(trace, timeline, drawn);
  notes.add_part(trace);
  return notes.notes();
}

}  // namespace accelscope::views
