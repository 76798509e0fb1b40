// What rows of cycles cannot say, made sayable or said: their times are counted from 1, because 0 stands for
// a time that was not taken.
//
// Changes the capture in place; one thread.
//
//   ACCELSCOPE_TRY(const trace::QualityTable remarks, fit_to_cycles(capture));
//   write_capture(capture, out);
#pragma once

#include "base/result.h"
#include "formats/chip_swimlane/capture.h"

namespace accelscope::formats::chip_swimlane {

// Moves all times of the device so that the first is 1, where 0 or less is among those that must not be, and
// forgets receives behind their starts. An error for times that 63 bits cannot hold, and for a clock without
// a whole number of ticks in a second.
base::Result<trace::QualityTable> fit_to_cycles(Capture& capture);

}  // namespace accelscope::formats::chip_swimlane
