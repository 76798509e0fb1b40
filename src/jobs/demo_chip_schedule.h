// The chip's run of the demonstration, made up: a small decoder whose layers are scheduled on 8 clusters of
// one cube and two vector cores, by three scheduler threads, while an orchestrator submits the tasks.
//
// A simulation in the ticks of the chip's counter: threads poll their cores, see what has ended, wake the
// consumers, and hand out what is ready, each step with its cost. So every moment of the recording has its
// reason, and everything that must hold in one does. The same call gives the same rows. Pure function; the
// answer owns what it holds.
//
//   const DemoChipSchedule before = demo_chip_schedule({.slow_submission = true});
//   write_capture(before.capture, out);
#pragma once

#include <array>
#include <string_view>

#include "formats/chip_swimlane/capture.h"
#include "formats/deps/deps.h"

namespace accelscope::jobs {

struct DemoChipOptions {
  bool slow_submission = false;  // the orchestrator is slow in two layers, so that the cores run out of work
  bool slow_norm = false;        // the kernels of RMSNORM take a quarter longer
};

struct DemoChipSchedule {
  formats::chip_swimlane::Capture capture = {};  // of level 4
  formats::deps::Dependencies dependencies = {};
};

// Names of the functions, by their numbers.
inline constexpr std::array<std::string_view, 4> kDemoChipFunctions{"MATMUL", "ATTENTION", "SOFTMAX",
                                                                    "RMSNORM"};

DemoChipSchedule demo_chip_schedule(const DemoChipOptions& options);

}  // namespace accelscope::jobs
