// The job behind `accelscope bench`: runs the experiments of a config, writes the run directory, and reports
// on it.
//
// Prints nothing; progress goes to a callback. A failed experiment is recorded and the rest go on. The
// interruption flag may be set from a signal handler: what was finished is kept and the directory can be
// resumed.
//
//   ACCELSCOPE_TRY(const BenchOutcome outcome, bench({.config = "toy.json"}));
//   for (const WrittenFile& file : outcome.files) fmt::print("{}\n", file.path);
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "experiments/run.h"
#include "experiments/target.h"
#include "findings/findings.h"
#include "jobs/report_input.h"
#include "jobs/written_file.h"

namespace accelscope::jobs {

struct BenchJobOptions {
  std::string config = {};
  experiments::ConfigOptions config_options = {};
  experiments::AdbOptions adb = {};
  experiments::BenchOptions run = {};
  ReportInputOptions analysis = {};  // everything but the inputs
  bool compat = false;  // also the kit's robust statistics and operator tables of every recording
};

struct BenchOutcome {
  experiments::BenchResult result = {};
  std::vector<std::string> warnings = {};
  std::vector<WrittenFile> files = {};
  // Of the report; empty when the run was interrupted or nothing was recorded.
  findings::Findings findings = {};
  std::string no_report = {};  // why there is none
};

base::Result<BenchOutcome> bench(const BenchJobOptions& options);

}  // namespace accelscope::jobs
