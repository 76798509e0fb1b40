// What the JSON files of a run directory say: manifest.json, metrics.json, the kit's pipeline summary, and
// the config where the manifest does not hold it. As recorded; whether the files that they name are there, is
// run_directory.h's business.
//
// Reads small files and keeps nothing; safe from several threads. Whatever cannot be read is a problem of the
// RunDirectory, and the rest counts.
//
//   RunDirectory run{.path = "out_toy/results"};
//   const RunRecords records = read_run_records(run, {});
//   for (const RecordedResult& result : records.results) use(result.name, result.latencies_ms);
#pragma once

#include <string>
#include <vector>

#include "experiments/artifact_names.h"
#include "experiments/run_directory.h"

namespace accelscope::experiments {

struct RecordedFile {
  ArtifactKind kind = ArtifactKind::kEtdump;
  std::string path = {};  // as recorded: relative to something, or of another machine
  std::optional<std::int64_t> round = {};
  std::int64_t warmup = 0;
  bool usable = true;  // the process that wrote it ended well
};

enum class RecordSource : std::uint8_t { kManifest, kMetrics, kSummary };

struct RecordedResult {
  RecordSource source = RecordSource::kManifest;
  std::string name;
  std::optional<std::int64_t> threads = {};
  std::optional<Mode> mode = {};
  std::optional<std::vector<double>> latencies_ms = {};
  std::optional<double> median_ms = {};  // of a summary only
  std::optional<double> mean_ms = {};
  std::optional<std::int64_t> runs = {};
  std::string status = {};
  std::string reason = {};
  std::vector<RecordedFile> files = {};
};

// What a manifest of ours or a config says about an experiment, whatever the number of threads.
struct RecordedExperiment {
  std::string name;
  std::optional<Mode> mode = {};
  std::optional<std::int64_t> runs = {};
  std::vector<std::int64_t> threads = {};
  std::string runner_path = {};
  Fingerprint runner = {};
  NamedTexts build = {};
};

struct RunRecords {
  std::vector<RecordedResult> results = {};  // the manifest's, then those of metrics.json, then the summary's
  std::vector<RecordedExperiment> experiments = {};
  std::vector<std::string> summary_models = {};  // the stems that name the pipeline summaries, by name
  std::string output_root = {};                  // where the summary says that the files are
  bool lists_every_file = false;                 // a manifest of ours: what it does not list is left over
  bool tells_warmup = false;
};

// Fills in what RunDirectory says about the whole.
RunRecords read_run_records(RunDirectory& run, const RunDirectoryOptions& options);

void add_problem(RunDirectory& run, std::string id, trace::Severity severity, std::string sentence,
                 std::string path = {});

}  // namespace accelscope::experiments
