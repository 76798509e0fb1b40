// Writes the slices of a trace as a speedscope file (JSON), for speedscope.app: one evented profile per track
// with slices, frames shared between them.
//
// Times are drawn as views/time_scale.h says: nanoseconds, rounded down (starts and ends, never durations),
// on the first clock where a relation to it is known; a stretch of 1000 shows picoseconds as nanoseconds. The
// unit is "none" where it is unknown. Times count from the first slice of all tracks that share a clock or
// are drawn on one: speedscope computes with doubles, which cannot tell the nanoseconds of a date apart.
// Counters, states, instants, flows and arguments have no place in the format; the answer tells what was left
// out, rounded or assumed, as Quality rows with ids "speedscope.*" and "time.*" (views/time_notes.h).
//
// Slices of one track must nest: run views::split_overlaps first if views::needs_lanes says so. Pure but for
// the Output; one call is one thread's work. The trace is only read.
//
//   ACCELSCOPE_TRY(base::OutputFile file, base::OutputFile::create("model.speedscope.json"));
//   ACCELSCOPE_TRY(const trace::QualityTable notes, formats::speedscope::write(trace, file.output()));
//   ACCELSCOPE_CHECK(file.commit());
#pragma once

#include <cstdint>

#include "base/output.h"
#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::formats::speedscope {

struct Options {
  std::int64_t stretch = 1;  // multiplies all times, before they are rounded
};

// An error leaves the output unfinished; throw it away.
base::Result<trace::QualityTable> write(const trace::Trace& trace, base::Output& out,
                                        const Options& options = {});

}  // namespace accelscope::formats::speedscope
