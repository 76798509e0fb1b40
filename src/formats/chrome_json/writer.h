// Writes a trace in Chrome's JSON format, for chrome://tracing, Perfetto and everything that reads it.
//
// An object with one event per line: first the names and the order of tracks, then each track's slices ("X",
// in the order of time), states (as slices) and instants, then counters, then flows ("s" and "f"). A track
// without a parent is a process, every track below it a thread; tracks in between give their names to those
// below. Ids are the source's where they are unique, else made up. Times are microseconds with up to three
// decimals, drawn as views/time_scale.h says: starts and ends are rounded down to nanoseconds, on the first
// clock where a relation to it is known, and lengths are what that leaves; a stretch of 1000 shows
// picoseconds as nanoseconds. Facts become otherData. Not written, for lack of a place: runs, tasks, stages,
// owners and flags of slices, Quality. What had to be rounded or assumed is the answer, as Quality rows with
// ids "time.*" (views/time_notes.h).
//
// read() gives back slices, names, parents (where times imply them), arguments, flows, counters and instants.
// Unsigned integers that fit an int64 come back as those; a flow whose slice has no moment of its own,
// because an inner one begins with it and fills it, says so in a field "levels_up" that only our reader
// knows.
//
// A picture of several parts (views/picture.h) is written part by part, so that only one is in memory.
//
// Same trace, same bytes. Reading the trace is all it does to it: safe from many threads with an Output each.
//
//   base::MemoryOutput out;
//   ACCELSCOPE_TRY(const trace::QualityTable notes, write(trace, out));
//   out.bytes();
#pragma once

#include <cstdint>

#include "base/output.h"
#include "base/result.h"
#include "trace/trace.h"
#include "views/picture.h"

namespace accelscope::formats::chrome_json {

struct WriteOptions {
  std::int64_t stretch = 1;  // multiplies all times, before they are rounded
};

// An error leaves the output unfinished; throw it away.
base::Result<trace::QualityTable> write(const trace::Trace& trace, base::Output& out,
                                        const WriteOptions& options = {});
base::Result<trace::QualityTable> write(const views::Picture& picture, base::Output& out,
                                        const WriteOptions& options = {});

}  // namespace accelscope::formats::chrome_json
