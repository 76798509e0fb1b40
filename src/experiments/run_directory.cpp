#include "experiments/run_directory.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "experiments/run_files.h"
#include "experiments/run_records.h"

namespace accelscope::experiments {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Location;
using trace::Severity;

// A file that belongs to an experiment, with what decides when two claim to be the same thing.
struct Claim {
  std::size_t experiment = 0;
  ArtifactKind kind = ArtifactKind::kEtdump;
  std::optional<std::int64_t> round = {};
  bool recorded = false;  // a record names it
  bool legacy = false;
  bool flat = false;
  std::string name;  // relative to the run directory
  std::int64_t warmup = 0;

  auto slot() const { return std::tie(experiment, kind, round); }
  auto rank() const { return std::make_tuple(!recorded, legacy, flat, name); }
};

// What a manifest says about the process behind a recording; its CSV files inherit it.
struct NamedStep {
  std::int64_t warmup = 0;
  bool usable = true;
};

bool made_from_etdump(ArtifactKind kind) {
  return kind == ArtifactKind::kTimelineAll || kind == ArtifactKind::kTimelineRun0 ||
         kind == ArtifactKind::kOpsStats;
}

class Assembler {
 public:
  Assembler(RunDirectory& run, const RunRecords& records, const std::vector<FoundFile>& files)
      : run_(run), records_(records), files_(files) {}

  void assemble() {
    for (const RecordedResult& result : records_.results) take_result(result);
    claim_recorded_files();
    claim_found_files();
    settle_claims();
    add_facts();
    look_back();
  }

 private:
  std::string path_of(const std::string& name) const { return (fs::path(run_.path) / name).string(); }
  void problem(std::string id, Severity severity, std::string sentence, const std::string& name) {
    add_problem(run_, std::move(id), severity, std::move(sentence), path_of(name));
  }
  static std::string in_words(const RunExperiment& experiment) {
    return experiment.threads ? fmt::format("{} on {} threads", experiment.name, *experiment.threads)
                              : experiment.name;
  }

  // An unknown number of threads is that of the only one of this name.
  std::size_t experiment_called(const std::string& name, std::optional<std::int64_t> threads) {
    std::vector<std::size_t> same_name;
    for (std::size_t i = 0; i < run_.experiments.size(); ++i) {
      if (run_.experiments[i].name != name) continue;
      if (run_.experiments[i].threads == threads) return i;
      same_name.push_back(i);
    }
    if (same_name.size() == 1) {
      RunExperiment& only = run_.experiments[same_name.front()];
      if (!threads) return same_name.front();
      if (!only.threads) {
        only.threads = threads;
        return same_name.front();
      }
    }
    run_.experiments.push_back({.name = name, .threads = threads});
    modes_.emplace_back();
    return run_.experiments.size() - 1;
  }

  void take_result(const RecordedResult& result) {
    const std::size_t index = experiment_called(result.name, result.threads);
    RunExperiment& experiment = run_.experiments[index];
    if (!modes_[index]) modes_[index] = result.mode;
    if (!experiment.runs_asked) experiment.runs_asked = result.runs;
    if (experiment.status.empty()) {
      experiment.status = result.status;
      experiment.reason = result.reason;
    }
    if (result.median_ms) experiment.summary_median_ms = result.median_ms;
    if (result.mean_ms) experiment.summary_mean_ms = result.mean_ms;
    if (!result.latencies_ms) return;
    if (result.source == RecordSource::kMetrics && !experiment.recorded_latencies_ms.empty() &&
        experiment.recorded_latencies_ms != *result.latencies_ms)
      add_problem(run_, "run_directory.metrics_differ", Severity::kWarning,
                  fmt::format("manifest.json and metrics.json have different latencies of {}; those of "
                              "metrics.json are used.",
                              in_words(experiment)),
                  path_of("metrics.json"));
    experiment.recorded_latencies_ms = *result.latencies_ms;
  }

  // Where a recorded file is today: records keep names relative to various folders, and paths of the machine
  // that ran.
  std::optional<std::string> find_recorded(const std::string& recorded, const std::string& experiment) const {
    const fs::path path(recorded);
    std::vector<fs::path> candidates;
    if (path.is_relative()) candidates.push_back(path);
    std::error_code ignored;
    for (const std::string& root : {fs::absolute(run_.path, ignored).string(), records_.output_root})
      if (!root.empty()) candidates.push_back(path.lexically_relative(fs::path(root).lexically_normal()));
    candidates.push_back(fs::path(experiment) / path.filename());
    candidates.push_back(path.filename());
    for (const fs::path& candidate : candidates) {
      const fs::path name = candidate.lexically_normal();
      const bool inside = !name.empty() && name.is_relative() && *name.begin() != "..";
      if (inside && fs::is_regular_file(path_of(name.string()), ignored)) return name.string();
    }
    return std::nullopt;
  }

  void claim_recorded_files() {
    for (const RecordedResult& result : records_.results) {
      const std::size_t index = experiment_called(result.name, result.threads);
      for (const RecordedFile& file : result.files) {
        if (!made_from_etdump(file.kind))
          steps_.try_emplace({index, file.round}, NamedStep{file.warmup, file.usable});
        const auto name = find_recorded(file.path, result.name);
        if (!name) {
          missing(file, result);
          continue;
        }
        // An empty one is looked at again with those that no record names, and reported there.
        std::error_code ignored;
        if (fs::file_size(path_of(*name), ignored) == 0) continue;
        if (!owner_.emplace(*name, index).second) continue;
        if (file.usable)
          claim({.experiment = index,
                 .kind = file.kind,
                 .round = made_from_etdump(file.kind) ? round_in(*name) : file.round,
                 .recorded = true,
                 .name = *name,
                 .warmup = file.warmup});
      }
    }
  }

  // A pipeline summary names the CSV file of the first round only, and does not say that it is one of
  // several.
  static std::optional<std::int64_t> round_in(const std::string& name) {
    const std::string file_name = fs::path(name).filename().string();
    const auto artifact = parse_artifact_name(file_name);
    return artifact ? artifact->round : std::nullopt;
  }

  void claim(Claim claim) {
    if (made_from_etdump(claim.kind)) {
      const auto step = steps_.find({claim.experiment, claim.round});
      if (step == steps_.end()) {
        if (records_.lists_every_file && has_steps(claim.experiment)) return unlisted(claim.kind, claim.name);
      } else {
        if (!step->second.usable) return;
        claim.warmup = step->second.warmup;
      }
    }
    claims_.push_back(std::move(claim));
  }

  bool has_steps(std::size_t experiment) const {
    const auto first = steps_.lower_bound({experiment, std::nullopt});
    return first != steps_.end() && first->first.first == experiment;
  }

  void unlisted(ArtifactKind kind, const std::string& name) {
    problem("run_directory.unlisted_file", Severity::kWarning,
            fmt::format("The manifest does not list this {}: it is left over from something else, and left "
                        "out.",
                        artifact_kind_name(kind)),
            name);
  }

  void missing(const RecordedFile& file, const RecordedResult& result) {
    // A pipeline summary names files of failed runs, too; the manifest knows better.
    if (records_.lists_every_file && result.source == RecordSource::kSummary) return;
    if (!missing_.insert(file.path).second) return;
    problem("run_directory.missing_file", Severity::kWarning,
            fmt::format("The {} that is recorded for {} is not there.", artifact_kind_name(file.kind),
                        result.name),
            file.path);
  }

  Subjects subjects() const {
    std::vector<std::string> models = {fs::path(run_.model).stem().string()};
    for (const std::string& model : records_.summary_models)
      if (models.front().empty())
        models.front() = model;
      else if (model != models.front())
        models.push_back(model);
    std::set<std::string> names;
    for (const RecordedResult& result : records_.results) names.insert(result.name);
    for (const RecordedExperiment& experiment : records_.experiments) names.insert(experiment.name);
    return {files_, std::move(models), std::move(names)};
  }

  void claim_found_files() {
    const Subjects subjects = this->subjects();
    // Files that do not tell their threads come last: by then it is known which there are.
    std::vector<const FoundFile*> order;
    for (const FoundFile& file : files_)
      if (!owner_.contains(file.name)) order.push_back(&file);
    std::stable_partition(order.begin(), order.end(),
                          [](const FoundFile* file) { return file->threads.has_value(); });
    bool names_hold_model = false;
    for (const FoundFile* file : order) {
      if (is_left_out(*file, subjects)) continue;
      const std::string name = subjects.experiment_of(*file);
      if (name.empty()) {
        problem("run_directory.unassigned_file", Severity::kWarning,
                fmt::format("Nothing tells which experiment this {} belongs to; it is left out.",
                            artifact_kind_name(file->kind)),
                file->name);
        continue;
      }
      names_hold_model = names_hold_model || subjects.name_holds_model(*file);
      claim({.experiment = experiment_called(name, file->threads),
             .kind = file->kind,
             .round = file->round,
             .legacy = file->legacy,
             .flat = file->name.find('/') == std::string::npos,
             .name = file->name});
    }
    if (names_hold_model)
      add_problem(run_, "run_directory.model_unknown", Severity::kInfo,
                  "Nothing names the model: the names of experiments still begin with its name.");
  }

  bool is_left_out(const FoundFile& file, const Subjects& subjects) {
    if (subjects.of_another_model(file)) return true;
    if (file.empty) {
      problem("run_directory.empty_file", Severity::kWarning,
              fmt::format("The {} is empty; it is left out.", artifact_kind_name(file.kind)), file.name);
      return true;
    }
    if (file.xtrace) {
      problem("run_directory.other_profiler", Severity::kInfo,
              fmt::format("The {} was recorded while another profiler watched; it is left out.",
                          artifact_kind_name(file.kind)),
              file.name);
      return true;
    }
    const bool written_by_steps = file.kind == ArtifactKind::kEtdump ||
                                  file.kind == ArtifactKind::kLatencyLog ||
                                  file.kind == ArtifactKind::kKernelLog;
    if (!records_.lists_every_file || !written_by_steps) return false;
    unlisted(file.kind, file.name);
    return true;
  }

  void settle_claims() {
    std::sort(claims_.begin(), claims_.end(), [](const Claim& a, const Claim& b) {
      return a.slot() != b.slot() ? a.slot() < b.slot() : a.rank() < b.rank();
    });
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      if (i > 0 && claims_[i].slot() == claims_[i - 1].slot())
        note_duplicate(first_of_slot_, claims_[i]);
      else {
        first_of_slot_ = i;
        grant(claims_[i]);
      }
    }
  }

  void note_duplicate(std::size_t first, const Claim& second) {
    const auto one = fingerprint_of_file(path_of(claims_[first].name));
    const auto two = fingerprint_of_file(path_of(second.name));
    const bool same = one && two && *one == *two;
    problem("run_directory.duplicate_file", same ? Severity::kInfo : Severity::kWarning,
            fmt::format("A second {} of {}{}; {} is used.", artifact_kind_name(second.kind),
                        in_words(run_.experiments[second.experiment]), same ? ", the same in every byte" : "",
                        claims_[first].name),
            second.name);
  }

  void grant(const Claim& claim) {
    RunExperiment& experiment = run_.experiments[claim.experiment];
    std::string path = path_of(claim.name);
    switch (claim.kind) {
      case ArtifactKind::kEtdump:
        experiment.etdumps.push_back({std::move(path), claim.warmup, claim.round});
        return;
      case ArtifactKind::kTimelineAll:
        experiment.timeline_all_csvs.push_back({std::move(path), claim.warmup, claim.round});
        return;
      case ArtifactKind::kTimelineRun0:
        if (experiment.timeline_run0_csv.empty()) experiment.timeline_run0_csv = std::move(path);
        return;
      case ArtifactKind::kOpsStats:
        if (experiment.ops_stats_csv.empty()) experiment.ops_stats_csv = std::move(path);
        return;
      case ArtifactKind::kKernelLog:
        experiment.kernel_logs.push_back(std::move(path));
        return;
      case ArtifactKind::kKernelsCsv:
        experiment.kernels_csvs.push_back(std::move(path));
        return;
      case ArtifactKind::kLatencyLog:
        experiment.latency_logs.push_back(std::move(path));
        return;
    }
  }

  void add_facts() {
    for (std::size_t i = 0; i < run_.experiments.size(); ++i) {
      RunExperiment& experiment = run_.experiments[i];
      const auto facts =
          std::find_if(records_.experiments.begin(), records_.experiments.end(),
                       [&](const RecordedExperiment& one) { return one.name == experiment.name; });
      if (facts != records_.experiments.end()) {
        if (!modes_[i]) modes_[i] = facts->mode;
        if (!experiment.runs_asked) experiment.runs_asked = facts->runs;
        experiment.runner_path = facts->runner_path;
        experiment.runner = facts->runner;
        experiment.build = facts->build;
      }
      const bool only_kernels = experiment.etdumps.empty() && experiment.timeline_all_csvs.empty() &&
                                (!experiment.kernel_logs.empty() || !experiment.kernels_csvs.empty());
      experiment.mode = modes_[i].value_or(only_kernels ? Mode::kXnntrace : Mode::kTiming);
    }
  }

  void look_back() {
    if (!run_.has_manifest && !run_.has_summary)
      add_problem(run_, "run_directory.no_record", Severity::kInfo,
                  "There is no manifest.json and no pipeline summary that could be read: experiments are "
                  "told from the names of files.");
    bool has_etdumps = false;
    for (const RunExperiment& experiment : run_.experiments) {
      has_etdumps = has_etdumps || !experiment.etdumps.empty();
      const bool should_have_some =
          experiment.status.empty() || experiment.status == "ok" || experiment.status == "analysis-only";
      if (!experiment.has_files() && should_have_some)
        add_problem(run_, "run_directory.no_files", Severity::kWarning,
                    fmt::format("{} is recorded, but there is no file of it.", in_words(experiment)));
    }
    if (has_etdumps && !records_.tells_warmup)
      add_problem(run_, "run_directory.warmup_unknown", Severity::kInfo,
                  "Nothing tells how many executions of the ETDumps are warm-up: none is left out.");
  }

  RunDirectory& run_;
  const RunRecords& records_;
  const std::vector<FoundFile>& files_;
  std::vector<std::optional<Mode>> modes_ = {};  // of run_.experiments
  std::vector<Claim> claims_ = {};
  std::map<std::string, std::size_t> owner_ = {};  // of recorded files
  std::map<std::pair<std::size_t, std::optional<std::int64_t>>, NamedStep> steps_ = {};
  std::set<std::string> missing_ = {};
  std::size_t first_of_slot_ = 0;
};

}  // namespace

bool RunExperiment::has_files() const {
  return !etdumps.empty() || !timeline_all_csvs.empty() || !timeline_run0_csv.empty() ||
         !ops_stats_csv.empty() || !kernel_logs.empty() || !kernels_csvs.empty() || !latency_logs.empty();
}

const RunExperiment* RunDirectory::find(std::string_view name, std::optional<std::int64_t> threads) const {
  for (const RunExperiment& experiment : experiments)
    if (experiment.name == name && (!threads || experiment.threads == threads)) return &experiment;
  return nullptr;
}

base::Result<RunDirectory> read_run_directory(const std::string& path, const RunDirectoryOptions& options) {
  std::error_code error;
  if (!fs::is_directory(path, error))
    return base::fail_at(Location::of_file(path), ErrorCode::kNotFound, "{}; a run directory is expected",
                         fs::exists(path, error) ? "is no folder" : "there is no such folder");
  RunDirectory run{.path = path};
  const RunRecords records = read_run_records(run, options);
  const FoundFiles found = find_run_files(path);
  if (found.files.empty() && records.results.empty() && !run.has_manifest && !run.has_summary)
    return base::fail_at(Location::of_file(path), ErrorCode::kUnknownFormat,
                         "is no run directory: it holds no manifest.json, metrics.json or "
                         "*_pipeline_summary.json that can be read, and no *.etdump, *_timeline.csv, "
                         "*_ops_stats.csv, *_kernels.csv, *_xnntrace.log or *_latency.log");
  for (const std::string& folder : found.unlisted)
    add_problem(run, "run_directory.unlisted_folder", Severity::kWarning,
                "The folder cannot be looked into, or holds too many files.", folder);
  Assembler(run, records, found.files).assemble();
  return run;
}

}  // namespace accelscope::experiments
