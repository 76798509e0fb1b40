// The jobs behind `accelscope memory measure` and `curve`: what a DRAM delivers under a load, and how its
// latency grows with it, as findings.
//
// Print nothing and write nothing. Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const findings::Findings findings, measure_memory({.preset = "hbm2"}));
//   ACCELSCOPE_TRY(const findings::Findings curve, memory_curve({.measure = {.preset = "hbm2"}}));
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "findings/findings.h"
#include "memory/dram_measure.h"

namespace accelscope::jobs {

struct MemoryMeasureOptions {
  std::string preset = {};  // a name or the path of a file
  memory::DramOptions dram = {};
  memory::DramLoad load = {};
  memory::Fidelity fidelity = memory::Fidelity::kEvent;
  bool whole_span = false;   // the load's span, else what fits of it
  std::string version = {};  // of the program, for provenance
};

base::Result<findings::Findings> measure_memory(const MemoryMeasureOptions& options);

struct MemoryCurveOptions {
  MemoryMeasureOptions measure = {};  // without its gap and writes
  std::vector<double> write_percents = {0, 20, 33, 50};
};

base::Result<findings::Findings> memory_curve(const MemoryCurveOptions& options);
// The table of a curve as CSV.
std::string curve_csv(const findings::Findings& curve);

}  // namespace accelscope::jobs
