// The jobs behind `accelscope report`, `latency`, `operators` and `kernels`: recordings in, findings out, and
// for a report the files people look for.
//
// Print nothing; write files only where the options say so, each under its name only when it is whole.
// Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const ReportOutcome outcome, report({.input = {.inputs = {"out/runs/mac"}}, .version =
//   "0.1.0"})); for (const WrittenFile& file : outcome.files) fmt::print("{}\n", file.path);
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "findings/findings.h"
#include "jobs/report_input.h"
#include "jobs/written_file.h"

namespace accelscope::jobs {

struct ReportOptions {
  ReportInputOptions input = {};
  // The Markdown file; for a run directory without it, report.md inside. A run directory's
  // operator_analysis.json, kernel_view.md and findings.json go beside it.
  std::string out = {};
  // Whether a run directory gets its files when `out` names no other place.
  bool fill_directory = true;
  // Also draws the recording of a chip, which is read only once then; by its ending, as convert does.
  std::string picture = {};
  // Of a chip's run: what recording costs, as `accelscope overhead` saved it, for the trust box. Without it,
  // an overhead.json beside the recording.
  std::string overhead = {};
  std::string version = {};  // of the program, for provenance
};

struct ReportOutcome {
  findings::Findings findings = {};
  std::vector<WrittenFile> files = {};
};

base::Result<ReportOutcome> report(const ReportOptions& options);

enum class View : unsigned char { kLatency, kOperators, kKernels };
base::Result<findings::Findings> view(View which, const ReportOptions& options);

struct PlatformFolder {
  std::string name = {};
  std::string folder = {};
};
// Several platforms in one report; a folder that is not there is named as missing, but one must be there.
base::Result<ReportOutcome> combined_report(const std::vector<PlatformFolder>& platforms,
                                            const ReportOptions& options);

base::Status write_markdown_file(const findings::Findings& findings, const std::string& path);
base::Status write_json_file(const findings::Findings& findings, const std::string& path);

}  // namespace accelscope::jobs
