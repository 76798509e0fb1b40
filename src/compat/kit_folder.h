// What the profiling kit finds in a folder of runs: experiments by the names of folders and files, latencies,
// category totals, and the facts of its reports; and its check whether a folder looks like results.
//
// The kit takes files as the file system lists them; here they are sorted by path, so that reports do not
// change from machine to machine. Files are only read. Safe from any thread.
//
//   ACCELSCOPE_TRY(const auto files, discover_kit_experiments("out_toy/runs/mac"));
//   ACCELSCOPE_TRY(const auto experiments, load_kit_experiments(files, metrics));
//   const KitValidation validation = kit_validate("out_toy/runs/mac");
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compat/kit_manifest.h"
#include "compat/kit_report.h"

namespace accelscope::compat {

// Paths; empty where there is no such file.
struct KitExperimentFiles {
  std::string name;
  std::string timeline = {};  // of all runs where there is one, else of the first
  std::string stats = {};
};

// In order of discovery: by their timelines of all runs, then those with a timeline of the first run only,
// then those with statistics only. The name is that of the file's folder, or, directly in `folder`, what the
// file's name begins with; several files under one name replace each other.
base::Result<std::vector<KitExperimentFiles>> discover_kit_experiments(const std::string& folder);

// Files that cannot be read count as absent, as in the kit. An experiment without latencies takes those that
// metrics.json gives; an error where that is one number instead of a list.
base::Result<std::vector<KitExperiment>> load_kit_experiments(const std::vector<KitExperimentFiles>& files,
                                                              const KitMetrics& metrics);

// All facts of a report but its title, time and host. A relative configuration path is looked for in
// `working_folder`.
base::Result<KitReportFacts> kit_report_facts(const std::string& folder, const std::string& working_folder);

struct KitValidation {
  bool valid = false;
  std::string text;  // what validate_results prints
};
KitValidation kit_validate(const std::string& folder);

// As Python's Path.resolve(): absolute, without links, "." and "..".
std::string resolved_path(const std::string& path);

}  // namespace accelscope::compat
