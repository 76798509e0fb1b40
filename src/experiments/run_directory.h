// Reads a run directory, whoever wrote it: this program or the profiling kit, with files in one flat folder
// or in a folder per experiment, in one round or several, with manifest.json and metrics.json, with the kit's
// pipeline summary, or with no record at all. What is missing, doubled or contradictory is a problem with an
// id (docs/quality.md); it does not make the reading fail.
//
// Looks at names and at small JSON files only: ETDumps and CSV files are not opened. Keeps nothing; safe from
// several threads. The result owns all it holds.
//
//   ACCELSCOPE_TRY(const RunDirectory run, read_run_directory("out_toy/results", {}));
//   for (const RunExperiment& experiment : run.experiments)
//     for (const RunRecording& dump : experiment.etdumps) use(dump.path, dump.warmup);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "experiments/config.h"
#include "experiments/fingerprint.h"
#include "trace/quality.h"

namespace accelscope::experiments {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

// An ETDump, or the timeline CSV made from it.
struct RunRecording {
  std::string path;
  std::int64_t warmup = 0;                 // the first executions of the file that are not to be counted
  std::optional<std::int64_t> round = {};  // from 1; nothing when there is only one
};

// One experiment on one number of threads. Paths begin with that of the run directory.
struct RunExperiment {
  std::string name;
  std::optional<std::int64_t> threads = {};  // nothing when no record and no file name tells
  Mode mode = Mode::kTiming;
  std::vector<RunRecording> etdumps = {};  // in the order of their rounds; without those of steps that failed
  std::vector<RunRecording> timeline_all_csvs = {};  // likewise, also where the ETDumps are gone
  std::string timeline_run0_csv = {};                // "" when there is none
  std::string ops_stats_csv = {};
  std::vector<std::string> kernel_logs = {};
  std::vector<std::string> kernels_csvs = {};
  std::vector<std::string> latency_logs = {};
  std::vector<double> recorded_latencies_ms = {};  // of metrics.json, else of manifest.json
  std::optional<double> summary_median_ms = {};    // of the pipeline summary
  std::optional<double> summary_mean_ms = {};
  std::optional<std::int64_t> runs_asked = {};
  std::string status = {};  // as recorded: "ok", "failed", "analysis-only", ...; "" when nothing says
  std::string reason = {};
  NamedTexts build = {};
  std::string runner_path = {};
  Fingerprint runner = {};  // unknown for the kit's

  bool has_files() const;
};

struct RunProblem {
  std::string id;  // a Quality id: "run_directory.<what>"
  trace::Severity severity = trace::Severity::kWarning;
  std::string sentence;
  std::string path = {};  // the file it is about; "" is the directory
};

struct RunDirectory {
  std::string path;
  bool has_manifest = false;     // one that could be read
  bool has_summary = false;      // likewise
  bool ours = false;             // the manifest is this program's
  std::string config_path = {};  // as recorded, or the one given; "" when it is not known
  std::string model = {};        // as recorded; "" when it is not known
  std::string etrecord = {};     // as recorded; only this program's manifests have it
  std::string generated_at = {};
  std::string executorch_sha = {};
  std::optional<bool> executorch_dirty = {};
  // What the manifest says about the machine that ran: nothing for the kit's, which records none of it.
  NamedTexts device_facts = {};
  std::string order = {};  // "interleaved", "sequential"; "" when it is not known
  std::vector<ComparePair> compare_pairs = {};
  std::vector<RunExperiment> experiments = {};  // as the records list them, then by file name
  std::vector<RunProblem> problems = {};

  // nullptr when there is none. Without threads, the first of this name.
  const RunExperiment* find(std::string_view name, std::optional<std::int64_t> threads = {}) const;
};

struct RunDirectoryOptions {
  // A config to take the pairs from, and what no manifest of ours says about experiments. Without it, the one
  // that a manifest of the kit names is looked for from the directory upwards.
  std::string config = {};
};

// An error only when the folder is not there or holds nothing that belongs to a run.
base::Result<RunDirectory> read_run_directory(const std::string& path, const RunDirectoryOptions& options);

}  // namespace accelscope::experiments
