// Scheduler phases, submits and uploads of a trace as rows again. Internal to capture_of().
//
// One thread; reads the trace and fills the capture.
//
//   add_phase_rows(trace, chip, capture, left_out);
//   add_submit_rows(trace, chip, capture, left_out);
#pragma once

#include "formats/chip_run/captured_cores.h"

namespace accelscope::formats::chip_run {

// In the order in which a scheduler records them: by their ends, inner ones before outer ones.
void add_phase_rows(const trace::Trace& trace, const trace::ChipRun& chip, chip_swimlane::Capture& capture,
                    LeftOut& left_out);

// Of orchestrators on the device and on the host. A call that the reader made of its steps is its steps
// again.
void add_submit_rows(const trace::Trace& trace, const trace::ChipRun& chip, chip_swimlane::Capture& capture,
                     LeftOut& left_out);

void add_upload_rows(const trace::Trace& trace, chip_swimlane::Capture& capture, LeftOut& left_out);

}  // namespace accelscope::formats::chip_run
