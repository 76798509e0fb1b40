// The rows of each track, as packets: slices and states as begin and end, counters, instants.
//
// A slice's begin carries its arguments, and what else the trace knows of it: flags, task, owner, stages, the
// run it is the root of. An instant at the moment of other events comes after them. One thread uses one
// TrackWriter; everything it is made from must outlive it.
//
//   TrackWriter tracks(trace, time_of, flows, out);
//   ACCELSCOPE_CHECK(tracks.write(track));
//   tracks.tallies().too_deep
#pragma once

#include "formats/perfetto/annotations.h"
#include "formats/perfetto/file_time.h"
#include "formats/perfetto/flows.h"
#include "formats/perfetto/sequence_writer.h"
#include "trace/trace.h"

namespace accelscope::formats::perfetto {

// Perfetto ignores the begin of a slice below this depth, but not its end, which would then close another.
inline constexpr std::size_t kMaxDepth = 512;

struct Tallies {
  std::uint64_t too_deep = 0;  // slices left out, being deeper than kMaxDepth
  std::uint64_t latest = 0;    // the last drawn time
};

class TrackWriter {
 public:
  // Sequences of a file have distinct numbers: those of this trace are moved by `sequence_offset`.
  TrackWriter(const trace::Trace& trace, const FileTime& time_of, const FlowPlan& flows, base::Output& out,
              std::uint32_t sequence_offset = 0);

  // An error names the track whose slices do not nest or whose states overlap.
  base::Status write(trace::TrackId track);
  const Tallies& tallies() const { return tallies_; }

  SequenceWriter& events() { return events_; }
  Annotations& annotations() { return annotations_; }

 private:
  using Clockwork = FileTime::OfOneClock;
  class PendingInstants;

  base::Status write_slices(trace::TrackId track, const Clockwork& drawn);
  base::Status write_states(trace::TrackId track, const Clockwork& drawn);
  void write_counters(trace::TrackId track, const Clockwork& drawn);
  void begin_slice(std::uint32_t row, std::uint64_t time, const Clockwork& drawn);
  void begin_rich_slice(std::uint32_t row, std::uint64_t time, const Clockwork& drawn);
  void end_slice(std::uint32_t row, std::uint64_t time);
  bool has_origin(std::uint32_t row) const;
  void add_origin(wire::Message& event, std::uint32_t row);
  void add_run(wire::Message& event, trace::SliceId slice);
  void add_stages(wire::Message& event, trace::SliceId slice, const Clockwork& drawn);
  void add_flows(wire::Message& event, trace::SliceId slice);
  void add_flow_ends(wire::Message& event, std::uint32_t row);
  wire::Message describe_flow(std::uint32_t flow, bool leaves, bool not_drawn) const;
  void write_instant(std::uint32_t row, std::uint64_t time);
  bool has_extras(std::uint32_t row) const { return !extras_.empty() && extras_[row]; }
  bool has_flow_ends(std::uint32_t row) const {
    return !first_flow_end_.empty() && first_flow_end_[row] != first_flow_end_[row + 1];
  }
  void mark_extras();

  const trace::Trace& trace_;
  const FileTime& time_of_;
  const FlowPlan& flows_;
  SequenceWriter events_;
  Annotations annotations_;
  std::vector<bool> extras_;  // by slice: has flows or stages, or is the root of a run; empty when none has
  // By slice, where its rows of the table of flow ends begin, and one more; empty when there are none.
  std::vector<std::uint32_t> first_flow_end_;
  std::uint32_t sequence_offset_;
  Tallies tallies_;
};

}  // namespace accelscope::formats::perfetto
