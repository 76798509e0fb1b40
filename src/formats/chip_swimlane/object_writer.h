// Writes chip swimlane files of the first generation: an object per dispatch, times in microseconds with
// three decimals that begin at the first one, `version` 0, 1 or 2 for cores only, with dispatch, finish and
// fan-out, and with phases.
//
// Objects have the keys of that generation and no others. Phases also have those of today's files where they
// were recorded, and the metadata list the cores where one ran nothing: readers of that generation pass over
// keys that they do not know. One thread; reads the capture, keeps nothing.
//
//   ACCELSCOPE_TRY(const trace::QualityTable remarks, write_objects(capture, out));
#pragma once

#include "base/output.h"
#include "base/result.h"
#include "formats/chip_swimlane/capture.h"

namespace accelscope::formats::chip_swimlane {

// The answer says what the capture has and the file has not. An error when nothing tells how long a tick is.
base::Result<trace::QualityTable> write_objects(const Capture& capture, base::Output& out);

}  // namespace accelscope::formats::chip_swimlane
