// A recording as a Trace: what recorders wrote into a capture file while a run went on, whole or as far as it
// got (docs/formats.md, "Recordings").
//
// Records become the rows of a swimlane and what lies beside one, and these a trace, so that a run is the
// same trace whether it was recorded or read from JSON. Each call is independent of others.
//
//   if (is_recording(file)) {
//     ACCELSCOPE_TRY(const trace::Trace trace, read_recording(file));
//   }
#pragma once

#include <cstdint>
#include <functional>

#include "base/mapped_file.h"
#include "base/result.h"
#include "formats/chip_run/chip_run_files.h"
#include "trace/trace.h"

namespace accelscope::formats::chip_run {

// Whether a capture file begins as recordings do. Looks at its first chunk only.
bool is_recording(const base::MappedFile& file);

// A recording before it becomes a trace.
struct Recording {
  chip_swimlane::Capture capture = {};
  Siblings siblings = {};
};

// Called now and then with the bytes read so far, when given.
using RecordingProgress = std::function<void(std::uint64_t bytes_done)>;

// What the pipes of cores did is most of a file that has it, and not everybody's business.
enum class RecordedParts : std::uint8_t { kAll, kWithoutPipes };

base::Result<Recording> read_recorded_rows(const base::MappedFile& file,
                                           const RecordingProgress& progress = {},
                                           RecordedParts parts = RecordedParts::kAll);
base::Result<trace::Trace> read_recording(const base::MappedFile& file,
                                          const RecordingProgress& progress = {},
                                          RecordedParts parts = RecordedParts::kAll);

}  // namespace accelscope::formats::chip_run
