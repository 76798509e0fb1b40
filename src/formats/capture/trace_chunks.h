// A whole Trace in a capture file, and back: every table, column, text and row of Quality, equal to what was
// saved. The trace keeps the sources that it was made from; the file itself is not one of them.
//
// Each call is independent of others. The Trace that is read owns all it holds.
//
//   ACCELSCOPE_CHECK(write(trace, file.output()));
//   ACCELSCOPE_TRY(const MappedFile saved, MappedFile::open("x.astrace"));
//   ACCELSCOPE_TRY(const trace::Trace again, read(saved));
#pragma once

#include <cstdint>
#include <functional>

#include "base/mapped_file.h"
#include "base/output.h"
#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::formats::capture {

base::Status write(const trace::Trace& trace, base::Output& out);

// Called now and then with the bytes read so far, when given.
using Progress = std::function<void(std::uint64_t bytes_done)>;

// A file that ended early or is damaged gives what comes before that place, and Quality says so.
base::Result<trace::Trace> read(const base::MappedFile& file, const Progress& progress = {});

}  // namespace accelscope::formats::capture
