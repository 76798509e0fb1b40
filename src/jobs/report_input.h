// From what a user names to what the analyses take: a run directory or single files become experiments with
// their profiles, kernel logs, facts and roles.
//
// Reads files, prints nothing. What is missing or unreadable inside a directory becomes a row of Quality and
// the rest goes on; a file named by the user must be readable. The result owns everything; the kernel logs
// point into it, so it is moved, not copied.
//
//   ACCELSCOPE_TRY(const LoadedInput loaded, load_report_input({.inputs = {"out/runs/mac"}}));
//   const findings::Findings report = analysis::make_report(loaded.input);
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/samples.h"
#include "analysis/report.h"
#include "base/result.h"
#include "formats/open/open.h"
#include "jobs/roles.h"

namespace accelscope::jobs {

struct ReportInputOptions {
  std::vector<std::string> inputs = {};
  formats::open::OpenOptions open = {};
  RoleOptions roles = {};
  bool find_roles = true;  // false: experiments are only listed
  std::string title = {};
  std::string notes = {};  // a file
  analysis::CompareOptions compare = {};
  analysis::Thresholds thresholds = {};
};

struct LoadedInput {
  analysis::ReportInput input = {};
  std::vector<findings::Input> inputs = {};  // every file that was read
  std::string directory = {};                // the run directory, "" for single files
  std::string roles_chosen_by = {};
  trace::QualityTable quality = {};  // of the directory and of the choice of roles
  std::vector<std::unique_ptr<trace::Trace>> kernel_traces = {};
  // The recording of a chip, which is no experiment and comes alone; or what a saved report on one holds.
  std::unique_ptr<trace::Trace> chip_run = {};
  std::optional<analysis::chip::RunSamples> chip_samples = std::nullopt;
};

base::Result<LoadedInput> load_report_input(const ReportInputOptions& options);

// Findings with the provenance that only the job knows.
void add_provenance(findings::Findings& findings, const LoadedInput& loaded, const std::string& version);

}  // namespace accelscope::jobs
