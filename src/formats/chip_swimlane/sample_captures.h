// Swimlane files made up for demonstrations, tests, benchmarks and as seeds of fuzzing: one of every
// generation and level, and runs of any size. The same call gives the same bytes.
//
// Pure functions, safe from any thread; the caller owns the result.
//
//   for (const SampleCapture& sample : sample_captures()) read(sample.json);
//   write_synthetic_run({.tasks = 10'000'000, .level = 2}, out);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/output.h"
#include "formats/chip_swimlane/capture.h"

namespace accelscope::formats::chip_swimlane {

struct SampleCapture {
  std::string name = {};  // "pr500-version-1", "chip-level-4-host"
  std::string json = {};
  Era era = Era::kRawCycles;
  int stated_level = 0;
  int level = 0;
};

// Every generation at every level, all of the same four dispatches on two cores.
std::vector<SampleCapture> sample_captures();

// What the recorder's level 1 defect writes: cores 0 and 2 have rows that core 1 left in their last buffers.
// Three rows of cores 0 and 2 and nine of core 1 are real; six of the 21 are not.
std::string phantom_capture();

// Tasks that go around the cores, a third of them cube; each core has its next task at hand when one ends.
struct SyntheticRun {
  std::uint64_t tasks = 1000;
  int level = 4;
  std::uint32_t cores = 24;
};

// Everything but rows: what a CaptureWriter starts with.
Capture synthetic_facts(const SyntheticRun& run);
CoreRows synthetic_core(const SyntheticRun& run, std::uint32_t core);
// One core in memory at a time.
void write_synthetic_run(const SyntheticRun& run, base::Output& out);

}  // namespace accelscope::formats::chip_swimlane
