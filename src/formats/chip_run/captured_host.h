// What a swimlane's metadata say of the host, from a trace: readings of both clocks and how much of the
// host's records is there. Internal to capture_of().
//
// One thread; reads the trace and fills the capture, whose rows must be there already.
//
//   add_host_facts(trace, chip, capture);
#pragma once

#include "formats/chip_swimlane/capture.h"
#include "trace/chip_run.h"

namespace accelscope::formats::chip_run {

// Nothing for a run that the device orchestrated. Readings are written only where they relate the clocks:
// others would, in a reader's eyes.
void add_host_facts(const trace::Trace& trace, const trace::ChipRun& chip, chip_swimlane::Capture& capture);

}  // namespace accelscope::formats::chip_run
