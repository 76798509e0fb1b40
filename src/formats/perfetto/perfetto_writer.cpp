#include "formats/perfetto/perfetto_writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <memory>

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

// What all parts of a file add up to.
struct FileCounts {
  std::uint64_t flows_against_time = 0;
  std::uint64_t flows_undecidable = 0;
  std::uint64_t slices_too_deep = 0;
  std::uint64_t latest = 0;

  void add(const FlowPlan& flows, const Tallies& tallies) {
    flows_against_time += flows.against_time;
    flows_undecidable += flows.undecidable;
    slices_too_deep += tallies.too_deep;
    latest = std::max(latest, tallies.latest);
  }
  void add(const FileCounts& other) {
    flows_against_time += other.flows_against_time;
    flows_undecidable += other.flows_undecidable;
    slices_too_deep += other.slices_too_deep;
    latest = std::max(latest, other.latest);
  }
};

constexpr std::size_t kUsualBytesOfSlice = 64;

// A part of the picture, as it is in the file.
struct EncodedPart {
  std::unique_ptr<base::MemoryOutput> bytes = std::make_unique<base::MemoryOutput>();
  FileCounts counts = {};
  views::TimeNotes time_notes;
};

void note_counts(const FileTime& time_of, const FileCounts& counts, const DescriptorPlan& descriptors,
                 QualityTable& notes) {
  const auto note = [&](std::uint64_t count, const char* id, Severity severity, std::string sentence) {
    if (count > 0)
      notes.add({.id = id, .severity = severity, .sentence = std::move(sentence), .count = count});
  };
  note(time_of.shift() < 0 ? 1 : 0, "perfetto.shifted", Severity::kInfo,
       fmt::format("All times are moved by {} ns, because the file cannot hold negative ones.",
                   0 - static_cast<std::uint64_t>(time_of.shift())));
  note(counts.flows_against_time, "perfetto.flow_against_time", Severity::kWarning,
       "Flows whose target starts before their source are not drawn as arrows; both slices name the other.");
  note(counts.flows_undecidable, "perfetto.flow_same_time", Severity::kInfo,
       "Flows between slices that start in one nanosecond are not drawn as arrows; both slices name the "
       "other.");
  note(counts.slices_too_deep, "perfetto.too_deep", Severity::kWarning,
       fmt::format("Slices nested deeper than {} are left out: Perfetto cannot hold them.", kMaxDepth));
  note(descriptors.made_up_numbers, "perfetto.made_up_ids", Severity::kInfo,
       "Processes and threads without a usable number of their own have pids and tids that are made up.");
}

base::Status write_tracks(const Trace& part, TrackWriter& tracks) {
  for (std::uint32_t id = 0; id < part.tracks().size(); ++id) ACCELSCOPE_CHECK(tracks.write(TrackId{id}));
  return {};
}

}  // namespace

base::Result<QualityTable> write(const Trace& trace, base::Output& out, const Options& options) {
  return write(views::picture_of(trace), out, options);
}

base::Result<QualityTable> write(const views::Picture& picture, base::Output& out, const Options& options) {
  const Trace& first = *picture.first;
  ACCELSCOPE_TRY(const views::Timeline timeline, views::Timeline::make(first, options.stretch));
  const FileTime time_of(picture.first_times, timeline);
  const DescriptorPlan descriptors = plan_descriptors(first);
  // The track behind the last one is ours.
  const auto track_count = static_cast<std::uint32_t>(first.tracks().size());
  const TrackId trust_track{track_count};
  write_descriptors(first, descriptors, uuid_of(trust_track), kTrustTrackName, out);

  FileCounts counts;
  views::TimeNotes time_notes(first, timeline, views::DrawnRows::kAll);
  const FlowPlan first_flows = plan_flows(first, time_of);
  TrackWriter first_tracks(first, time_of, first_flows, out);
  ACCELSCOPE_CHECK(write_tracks(first, first_tracks));
  counts.add(first_flows, first_tracks.tallies());
  time_notes.add_part(first);
  const auto encode = [&](const Trace& part, std::uint32_t number) -> base::Result<EncodedPart> {
    EncodedPart encoded{.time_notes = views::TimeNotes(first, timeline, views::DrawnRows::kAll)};
    encoded.bytes->reserve(part.slices().size() * kUsualBytesOfSlice);
    const FlowPlan flows = plan_flows(part, time_of);
    TrackWriter tracks(part, time_of, flows, *encoded.bytes, number * (track_count + 1));
    ACCELSCOPE_CHECK(write_tracks(part, tracks));
    encoded.counts.add(flows, tracks.tallies());
    encoded.time_notes.add_part(part);
    return encoded;
  };
  const auto write_part = [&](const EncodedPart& part, std::uint32_t) -> base::Status {
    out.append(part.bytes->bytes());
    counts.add(part.counts);
    time_notes.add(part.time_notes);
    return out.status();
  };
  ACCELSCOPE_CHECK(views::for_each_further_part(picture, encode, write_part));
  if (counts.latest > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return base::fail(ErrorCode::kTooLarge,
                      "the trace is longer than the 292 years that a Perfetto file can hold{}",
                      options.stretch > 1 ? "; use a smaller stretch" : "");

  QualityTable notes = time_notes.notes();
  note_counts(time_of, counts, descriptors, notes);
  write_trust_track(first, notes, sequence_of(trust_track), uuid_of(trust_track), time_of.first(),
                    first_tracks.events(), first_tracks.annotations());
  ACCELSCOPE_CHECK(out.status());
  return notes;
}

}  // namespace accelscope::formats::perfetto
