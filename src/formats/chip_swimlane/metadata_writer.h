// The metadata of a chip swimlane file, as today's recorder writes them.
//
// One thread; keeps nothing.
//
//   write_metadata(capture, out);
#pragma once

#include "base/output.h"
#include "formats/chip_swimlane/capture.h"

namespace accelscope::formats::chip_swimlane {

void write_metadata(const Capture& capture, base::Output& out);

}  // namespace accelscope::formats::chip_swimlane
