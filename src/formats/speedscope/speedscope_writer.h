// Writes the slices of a trace as a speedscope file (JSON), for speedscope.app: one evented profile per track
// with slices, frames shared between them.
//
// Times are nanoseconds, rounded down (starts and ends, never durations), or "none" where the unit of the
// clock is unknown, counted from the first slice of any track of the same clock: speedscope computes with
// doubles, which cannot tell the nanoseconds of a date apart. Counters, states, instants, flows and arguments
// have no place in the format; the answer tells how much was left out, as Quality rows with ids
// "speedscope.*".
//
// Slices of one track must nest: run views::split_overlaps first if views::needs_lanes says so. Pure but for
// the Output; one call is one thread's work. The trace is only read.
//
//   ACCELSCOPE_TRY(base::OutputFile file, base::OutputFile::create("model.speedscope.json"));
//   ACCELSCOPE_TRY(const trace::QualityTable notes, formats::speedscope::write(trace, file.output()));
//   ACCELSCOPE_CHECK(file.commit());
#pragma once

#include "base/output.h"
#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::formats::speedscope {

// An error leaves the output unfinished; throw it away.
base::Result<trace::QualityTable> write(const trace::Trace& trace, base::Output& out);

}  // namespace accelscope::formats::speedscope
