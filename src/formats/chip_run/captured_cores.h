// The dispatches of a chip's cores as rows again. Internal to capture_of().
//
// One thread; reads the trace and fills the capture.
//
//   LeftOut left_out;
//   add_core_rows(trace, chip, capture, left_out);
#pragma once

#include <cstdint>

#include "formats/chip_swimlane/capture.h"
#include "trace/chip_run.h"

namespace accelscope::formats::chip_run {

// What of a trace does not become rows, and how much did.
struct LeftOut {
  std::uint64_t slices_written = 0;
  std::uint64_t rows_without_task = 0;
  std::uint64_t dispatches_with_arguments = 0;
  std::uint64_t absent_cores = 0;
};

// Expects that numbers of cores are those of a chip, each once.
void add_core_rows(const trace::Trace& trace, const trace::ChipRun& chip, chip_swimlane::Capture& capture,
                   LeftOut& left_out);

}  // namespace accelscope::formats::chip_run
