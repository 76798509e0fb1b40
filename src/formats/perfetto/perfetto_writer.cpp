#include "formats/perfetto/perfetto_writer.h"

#include <fmt/format.h>

#include <limits>

#include "formats/perfetto/descriptors.h"
#include "formats/perfetto/file_time.h"
#include "formats/perfetto/flows.h"
#include "formats/perfetto/track_writer.h"
#include "formats/perfetto/trust_track.h"
#include "views/time_notes.h"

namespace accelscope::formats::perfetto {
namespace {

using base::ErrorCode;
using trace::QualityTable;
using trace::Severity;
using trace::Trace;
using trace::TrackId;

void note_counts(const FileTime& time_of, const FlowPlan& flows, const DescriptorPlan& descriptors,
                 const Tallies& tallies, QualityTable& notes) {
  const auto note = [&](std::uint64_t count, const char* id, Severity severity, std::string sentence) {
    if (count > 0)
      notes.add({.id = id, .severity = severity, .sentence = std::move(sentence), .count = count});
  };
  note(time_of.shift() < 0 ? 1 : 0, "perfetto.shifted", Severity::kInfo,
       fmt::format("All times are moved by {} ns, because the file cannot hold negative ones.",
                   0 - static_cast<std::uint64_t>(time_of.shift())));
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
  ACCELSCOPE_TRY(const views::Timeline timeline, views::Timeline::make(trace, options.stretch));
  const FileTime time_of(trace, timeline);
  const FlowPlan flows = plan_flows(trace, time_of);
  const DescriptorPlan descriptors = plan_descriptors(trace);
  // The track behind the last one is ours.
  const TrackId trust_track{static_cast<std::uint32_t>(trace.tracks().size())};
  write_descriptors(trace, descriptors, uuid_of(trust_track), kTrustTrackName, out);

  TrackWriter tracks(trace, time_of, flows, out);
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) ACCELSCOPE_CHECK(tracks.write(TrackId{id}));
  if (tracks.tallies().latest > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return base::fail(ErrorCode::kTooLarge,
                      "the trace is longer than the 292 years that a Perfetto file can hold{}",
                      options.stretch > 1 ? "; use a smaller stretch" : "");

  QualityTable notes = views::time_notes(trace, timeline, views::DrawnRows::kAll);
  note_counts(time_of, flows, descriptors, tracks.tallies(), notes);
  write_trust_track(trace, notes, sequence_of(trust_track), uuid_of(trust_track), time_of.first(),
                    tracks.events(), tracks.annotations());
  ACCELSCOPE_CHECK(out.status());
  return notes;
}

}  // namespace accelscope::formats::perfetto
