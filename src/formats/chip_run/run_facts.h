// What a recording says of itself: facts and accounting.
//
//   add_run_facts(capture, builder);
#pragma once

#include "formats/chip_swimlane/capture.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::chip_run {

// Must come before the rows of the cores are given up. Where the recorder has an account of its own, that is
// added elsewhere (recorder_account.h).
void add_run_facts(const chip_swimlane::Capture& capture, bool has_account, trace::TraceBuilder& builder);

}  // namespace accelscope::formats::chip_run
