// What `accelscope report` and `compare` do with the recording of a chip, which is explained by itself:
// findings of another kind than a model's.
//
// Print nothing. Independent calls may run in parallel.
//
//   if (loaded.chip_run) outcome.findings = chip_report(loaded, options.input);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/measured_overhead.h"
#include "base/result.h"
#include "findings/findings.h"
#include "jobs/compare.h"
#include "jobs/report_input.h"

namespace accelscope::jobs {

// Whether the input is the recording of a chip, or a saved report on one.
bool is_chip_input(const LoadedInput& loaded);

// loaded.chip_run must be there. `overhead`: what recording costs, for the trust box.
findings::Findings chip_report(const LoadedInput& loaded, const ReportInputOptions& options,
                               std::optional<analysis::chip::MeasuredOverhead> overhead = std::nullopt);

struct ChipComparisonOutcome {
  findings::Findings findings = {};
  std::vector<report::GateCase> gate = {};  // one per function, and the makespan; empty without a gate
};

base::Result<ChipComparisonOutcome> compare_chips(const LoadedInput& baseline, const LoadedInput& candidate,
                                                  const CompareJobOptions& options);

}  // namespace accelscope::jobs
