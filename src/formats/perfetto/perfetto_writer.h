// Writes a trace as a Perfetto trace file (.pftrace), for ui.perfetto.dev.
//
// - One packet sequence per track, delta timestamps, interned names: about 30 bytes per slice.
// - Tracks keep their tree and order. A root process with threads is a process; other groups are plain
// tracks.
// - Slices and states are begin and end events, their arguments typed debug annotations; states carry their
//   cause. Flags, task, owner, stages and run of a slice are annotations that start with "AccelScope".
// - Times are drawn as views/time_scale.h says: nanoseconds, rounded down (starts and ends, never durations),
//   on the first clock where a relation to it is known; a stretch of 1000 shows picoseconds as nanoseconds.
// - Perfetto draws flows forwards in time only. One that goes against time is not drawn; both slices say
// where
//   it goes.
// - Slices nested deeper than 512 are left out, because Perfetto cannot hold them; the notes say how many.
// - A track "AccelScope: trust" holds Quality, facts, sources, clocks and accounting.
//
// Slices of one track must nest: run views::split_overlaps first if views::needs_lanes says so. What had to
// be rounded, assumed or left out is the answer, as Quality rows with ids "time.*" (views/time_notes.h) and
// "perfetto.*"; the file says so too.
//
// A picture of several parts (views/picture.h) is written part by part: one packet sequence per track and
// part, so that only one part is in memory.
//
// Pure but for the Output; one call is one thread's work. The trace is only read.
//
//   ACCELSCOPE_TRY(base::OutputFile file, base::OutputFile::create("model.pftrace"));
//   ACCELSCOPE_TRY(const trace::QualityTable notes, formats::perfetto::write(trace, file.output(), {}));
//   ACCELSCOPE_CHECK(file.commit());
#pragma once

#include <cstdint>

#include "base/output.h"
#include "base/result.h"
#include "trace/trace.h"
#include "views/picture.h"

namespace accelscope::formats::perfetto {

struct Options {
  std::int64_t stretch = 1;  // multiplies all times, before they are rounded
};

// An error leaves the output unfinished; throw it away.
base::Result<trace::QualityTable> write(const trace::Trace& trace, base::Output& out,
                                        const Options& options = {});
base::Result<trace::QualityTable> write(const views::Picture& picture, base::Output& out,
                                        const Options& options = {});

}  // namespace accelscope::formats::perfetto
