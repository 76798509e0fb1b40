#include "formats/perfetto/perfetto_writer.h"

#include <fmt/format.h>

#include <limits>

#include "base/human.h"
#include "formats/perfetto/descriptors.h"
#include "formats/perfetto/flows.h"
#include "formats/perfetto/time_scale.h"
#include "formats/perfetto/track_writer.h"
#include "formats/perfetto/trust_track.h"

namespace accelscope::formats::perfetto {
namespace {

using base::ErrorCode;
using trace::QualityTable;
using trace::Severity;
using trace::Trace;
using trace::TrackId;

bool has_rows(const Trace& trace, TrackId track) {
  return !trace.slices_of(track).empty() || !trace.states_of(track).empty() ||
         !trace.counters_of(track).empty() || !trace.instants_of(track).empty();
}

base::Status check_clocks(const Trace& trace) {
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id)
    if (has_rows(trace, TrackId{id}) && index(trace.track(TrackId{id}).clock) >= trace.clocks().size())
      return base::fail(ErrorCode::kInternal, "track '{}' has events but no clock",
                        trace.text(trace.track(TrackId{id}).name));
  return {};
}

void note_clocks(const Trace& trace, const Timeline& timeline, QualityTable& notes) {
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) {
    if (!has_rows(trace, TrackId{id})) continue;
    const trace::ClockId clock = trace.track(TrackId{id}).clock;
    const std::string_view name = trace.text(trace.clock(clock).name);
    if (!timeline.scale(clock).unit_known())
      notes.add({.id = "perfetto.unknown_unit",
                 .severity = Severity::kWarning,
                 .sentence = fmt::format("The unit of clock '{}' is unknown: its tracks are drawn with 1 ns "
                                         "per tick.",
                                         name)});
    if (!timeline.scale(clock).is_related())
      notes.add(
          {.id = "perfetto.unrelated_clock",
           .severity = Severity::kWarning,
           .sentence = fmt::format(
               "Clock '{}' has no known relation to clock '{}': its tracks are drawn unshifted, so what "
               "stands above each other did not happen together.",
               name, trace.text(trace.clocks()[0].name))});
    else if (index(clock) != 0)
      notes.add({.id = "perfetto.mapped_clock",
                 .severity = Severity::kInfo,
                 .sentence = fmt::format("Tracks of clock '{}' are drawn on the time of clock '{}'.", name,
                                         trace.text(trace.clocks()[0].name))});
  }
}

void note_counts(const Timeline& timeline, const FlowPlan& flows, const DescriptorPlan& descriptors,
                 const Tallies& tallies, const Options& options, QualityTable& notes) {
  const auto note = [&](std::uint64_t count, const char* id, Severity severity, std::string sentence) {
    if (count > 0)
      notes.add({.id = id, .severity = severity, .sentence = std::move(sentence), .count = count});
  };
  note(options.stretch > 1 ? 1 : 0, "perfetto.stretched", Severity::kInfo,
       fmt::format("All times are stretched: 1 s of the trace is drawn as {} s.",
                   base::format_count(static_cast<std::uint64_t>(options.stretch))));
  note(timeline.shift() < 0 ? 1 : 0, "perfetto.shifted", Severity::kInfo,
       fmt::format("All times are moved by {} ns, because the file cannot hold negative ones.",
                   0 - static_cast<std::uint64_t>(timeline.shift())));
  note(tallies.rounded, "perfetto.rounded_below_ns", Severity::kInfo,
       "Times between two nanoseconds are rounded down; a larger stretch would show them.");
  note(flows.against_time, "perfetto.flow_against_time", Severity::kWarning,
       "Flows whose target starts before their source are not drawn as arrows; both slices name the other.");
  note(flows.undecidable, "perfetto.flow_same_time", Severity::kInfo,
       "Flows between slices that start in one nanosecond are not drawn as arrows; both slices name the "
       "other.");
  note(tallies.too_deep, "perfetto.too_deep", Severity::kWarning,
       fmt::format("Slices nested deeper than {} are left out: Perfetto cannot hold them.", kMaxDepth));
  note(descriptors.made_up_numbers, "perfetto.made_up_ids", Severity::kInfo,
       "Processes and threads without a usable number of their own have pids and tids that are made up.");
}

}  // namespace

base::Result<QualityTable> write(const Trace& trace, base::Output& out, const Options& options) {
  ACCELSCOPE_CHECK(check_clocks(trace));
  ACCELSCOPE_TRY(const Timeline timeline, Timeline::make(trace, options.stretch));
  const FlowPlan flows = plan_flows(trace, timeline);
  const DescriptorPlan descriptors = plan_descriptors(trace);
  // The track behind the last one is ours.
  const TrackId trust_track{static_cast<std::uint32_t>(trace.tracks().size())};
  write_descriptors(trace, descriptors, uuid_of(trust_track), kTrustTrackName, out);

  TrackWriter tracks(trace, timeline, flows, out);
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) ACCELSCOPE_CHECK(tracks.write(TrackId{id}));
  if (tracks.tallies().latest > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return base::fail(ErrorCode::kTooLarge,
                      "the trace is longer than the 292 years that a Perfetto file can hold{}",
                      options.stretch > 1 ? "; use a smaller stretch" : "");

  QualityTable notes;
  note_clocks(trace, timeline, notes);
  note_counts(timeline, flows, descriptors, tracks.tallies(), options, notes);
  write_trust_track(trace, notes, sequence_of(trust_track), uuid_of(trust_track), timeline.first(),
                    tracks.events(), tracks.annotations());
  ACCELSCOPE_CHECK(out.status());
  return notes;
}

}  // namespace accelscope::formats::perfetto
