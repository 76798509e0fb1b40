// A track of our own that tells whoever opens the file what it is made of and how far to trust it: facts,
// sources, clocks, accounting, and one mark per row of Quality, all at the first moment of the file.
//
// A free function over read-only data; the writer's sequences before and after are not disturbed.
//
//   write_trust_track(trace, notes, sequence, uuid, first_time, tracks.events(), tracks.annotations());
#pragma once

#include "formats/perfetto/annotations.h"
#include "formats/perfetto/sequence_writer.h"
#include "trace/trace.h"

namespace accelscope::formats::perfetto {

inline constexpr std::string_view kTrustTrackName = "AccelScope: trust";

// `notes` are what the writer itself has to say.
void write_trust_track(const trace::Trace& trace, const trace::QualityTable& notes, std::uint32_t sequence,
                       std::uint64_t uuid, std::uint64_t time, SequenceWriter& events,
                       Annotations& annotations);

}  // namespace accelscope::formats::perfetto
