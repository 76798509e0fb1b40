// What a recording says of itself: facts and accounting.
//
//   add_run_facts(capture, builder);
#pragma once

#include "formats/chip_swimlane/capture.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::chip_run {

// Must come before the rows of the cores are given up.
void add_run_facts(const chip_swimlane::Capture& capture, trace::TraceBuilder& builder);

}  // namespace accelscope::formats::chip_run
