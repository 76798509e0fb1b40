// Writes where the time goes as folded stacks, the input of flame graph tools: one line per distinct stack,
// "process;thread;root;child 1234", sorted, with the self time of all its slices together.
//
// The frames are the names of the track and its parents, then of the slice and its parents. Tracks of any
// clock but the first stand under a frame "(clock: <name>)" of their own, because times of two clocks do not
// add up. Numbers are nanoseconds, rounded down per line, or ticks where the unit of the clock is unknown.
// The format has no way to quote: a ';' in a name is written as ':', a line break as a space; a missing name
// is "(unnamed)". Stacks deeper than 1000 frames count for their first 1000. Negative self times count as
// zero. The answer tells what of this happened, as Quality rows with ids "folded.*" and
// "time.unknown_unit".
//
// Pure but for the Output; one call is one thread's work. The trace is only read.
//
//   ACCELSCOPE_TRY(base::OutputFile file, base::OutputFile::create("model.folded"));
//   ACCELSCOPE_TRY(const trace::QualityTable notes, formats::folded::write(trace, file.output()));
//   ACCELSCOPE_CHECK(file.commit());
#pragma once

#include "base/output.h"
#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::formats::folded {

base::Result<trace::QualityTable> write(const trace::Trace& trace, base::Output& out);

}  // namespace accelscope::formats::folded
