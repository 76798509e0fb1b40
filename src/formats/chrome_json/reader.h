// Reads traces in Chrome's JSON format (the "Trace Event Format"): an array of events, or an object whose
// "traceEvents" is that array.
//
// What becomes of what: a pid is a process track, a tid a thread track below it, "X" and "B"/"E" are slices,
// "i"/"I"/"R" instants (their scope, when it is not the thread, is the argument "scope"), every member of a
// "C" event's args a counter track, "b"/"e"/"n" (and the older "S"/"F"/"T"/"p") slices and instants on a
// track per category and id, "s"/"t"/"f" and bind_id flows between slices, "M" the names and the order of
// tracks. Times are nanoseconds of the clock "chrome", read as decimals and never as doubles. Slices that
// overlap are kept as they are. "tts" and "tdur" are kept as arguments; colours, stack frames and fields that
// the format does not know are left out and counted in Quality. A key that occurs twice in an event counts as
// its last occurrence. otherData, metadata and other members of the document become facts.
//
// Memory beside the trace is a window of the file at a time. Pure functions: safe from any thread. The trace
// owns all it holds; the file may go once read() returns.
//
//   ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open("trace.json"));
//   if (looks_like_chrome_json(file.text())) {
//     ACCELSCOPE_TRY(const trace::Trace trace, read(file, {}));
//     fmt::print("{} slices\n", trace.slices().size());
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/mapped_file.h"
#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::formats::chrome_json {

struct Options {
  bool keep_args = true;  // without: slices and instants have no arguments
  // Called now and then with the bytes read so far, when given.
  std::function<void(std::uint64_t bytes_done)> progress = {};
};

// By content alone, from the first 64 KiB.
bool looks_like_chrome_json(std::string_view bytes);

base::Result<trace::Trace> read(const base::MappedFile& file, const Options& options);

}  // namespace accelscope::formats::chrome_json
