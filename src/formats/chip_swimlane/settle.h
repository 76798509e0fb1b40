// From a Draft, whose rows are as they were recorded, to a Capture: which generation and level it is, which
// rows are real, which belong together, and what is to be said about them.
//
// Takes the draft; each call is independent of others. Where the rows come from, a file of JSON or a
// recording (formats/chip_run/recording_reader.h), makes no difference here.
//
//   ACCELSCOPE_TRY(Capture capture, settled(std::move(draft), path));
#pragma once

#include <string>

#include "base/result.h"
#include "formats/chip_swimlane/capture.h"
#include "formats/chip_swimlane/draft.h"

namespace accelscope::formats::chip_swimlane {

base::Result<Capture> settled(Draft draft, const std::string& path);

}  // namespace accelscope::formats::chip_swimlane
