// The pipes of the cores as tracks below them: when each was busy, the marks of its code, and when nothing is
// known of them. Every interval gets the dispatch that it belongs to.
//
// An interval belongs to the dispatch in which it begins; to the one in which it ends when it begins in none;
// and to the first one that it covers when it does neither. Those that reach beyond their dispatch are
// counted, and so are those that belong to none. Belongs to one builder; one thread.
//
//   const std::vector<trace::RowRange> dispatches = rows_of_dispatches(capture, builder.slice_count());
//   add_dispatches(capture, cores, sources, builder);
//   add_pipe_lanes(pipes, cores, dispatches, builder);
#pragma once

#include <vector>

#include "formats/chip_run/recorded_pipes.h"
#include "formats/chip_swimlane/capture.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::chip_run {

// The slices that the dispatches of each core will be, when the first one gets this number.
std::vector<trace::RowRange> rows_of_dispatches(const chip_swimlane::Capture& capture,
                                                std::uint32_t first_slice);

// `cores` are the tracks by number, kNone for those that are not there.
void add_pipe_lanes(const PipeRecording& pipes, const std::vector<trace::TrackId>& cores,
                    const std::vector<trace::RowRange>& dispatches, trace::TraceBuilder& builder);

}  // namespace accelscope::formats::chip_run
