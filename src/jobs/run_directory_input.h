// A run directory as input of the report: its experiments read into profiles, from ETDumps where they are,
// else from the CSV files beside them. Part of report_input; nothing is kept.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/report.h"
#include "base/result.h"
#include "experiments/run_directory.h"
#include "formats/open/open.h"
#include "jobs/roles.h"

namespace accelscope::jobs {

struct NamedKernelLog {
  std::string name = {};
  std::unique_ptr<trace::Trace> trace = {};
};

struct DirectoryInput {
  std::vector<findings::KeyValue> metadata = {};
  std::vector<findings::KeyValue> device = {};
  std::vector<findings::Input> inputs = {};
  std::vector<analysis::Experiment> experiments = {};
  std::vector<RoleCandidate> candidates = {};  // one per experiment
  std::vector<ConfigPair> config_pairs = {};
  std::vector<NamedKernelLog> kernel_logs = {};
  trace::QualityTable quality = {};
};

base::Result<DirectoryInput> read_directory_input(const std::string& path,
                                                  const formats::open::OpenOptions& open);

// Of a directory that was read already.
DirectoryInput read_directory_input(const experiments::RunDirectory& run,
                                    const formats::open::OpenOptions& open);

}  // namespace accelscope::jobs
