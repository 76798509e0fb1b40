#include "jobs/run_directory_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file_names.h"
#include "base/mapped_file.h"
#include "jobs/timeline_names.h"

namespace accelscope::jobs {
namespace {

using analysis::Experiment;
using analysis::Recording;
using analysis::TimingUse;
using base::Location;
using base::Result;
using experiments::RunDirectory;
using experiments::RunExperiment;
using trace::Severity;
using trace::Trace;

// One file to read and what is known of it.
struct Source {
  std::string path = {};
  std::uint32_t warm_up = 0;
};

class DirectoryReader {
 public:
  DirectoryReader(const RunDirectory& run, const formats::open::OpenOptions& open) : run_(run), open_(open) {
    if (open_.etrecord.empty()) open_.etrecord = run.etrecord;
  }

  DirectoryInput read() && {
    for (const experiments::RunProblem& problem : run_.problems)
      result_.quality.add(
          {.id = problem.id,
           .severity = problem.severity,
           .sentence = problem.sentence,
           .first_place = Location::of_file(problem.path.empty() ? run_.path : problem.path)});
    add_metadata();
    for (const experiments::ComparePair& pair : run_.compare_pairs)
      result_.config_pairs.push_back({.baseline = pair.baseline.experiment,
                                      .baseline_threads = pair.baseline.threads,
                                      .candidate = pair.candidate.experiment,
                                      .candidate_threads = pair.candidate.threads});
    for (const RunExperiment& experiment : run_.experiments) add_experiment(experiment);
    return std::move(result_);
  }

 private:
  void add_metadata() {
    const auto add = [&](std::string key, std::string value) {
      result_.metadata.push_back({std::move(key), std::move(value)});
    };
    if (!run_.model.empty()) {
      add("Model", std::string(base::file_name(run_.model)));
      add("Model Path", run_.model);
    }
    add("Run Directory", run_.path);
    add("Config File", run_.config_path.empty() ? "not recorded" : run_.config_path);
    if (!run_.generated_at.empty()) add("Recorded", run_.generated_at);
    if (!run_.executorch_sha.empty())
      add("ExecuTorch",
          fmt::format("{}{}", run_.executorch_sha,
                      run_.executorch_dirty ? *run_.executorch_dirty ? " (dirty)" : " (clean)" : ""));
    if (!run_.order.empty()) add("Order", run_.order);
    for (const RunExperiment& experiment : run_.experiments)
      add(fmt::format("Experiment {}", label_of(experiment)), experiment_text(experiment));
    for (const auto& [key, value] : run_.device_facts) result_.device.push_back({key, value});
  }

  static std::string experiment_text(const RunExperiment& experiment) {
    std::vector<std::string> parts{std::string(experiments::mode_name(experiment.mode))};
    if (experiment.threads)
      parts.push_back(fmt::format("{} thread{}", *experiment.threads, *experiment.threads == 1 ? "" : "s"));
    if (!experiment.runner_path.empty()) parts.push_back(fmt::format("runner {}", experiment.runner_path));
    if (experiment.runner.known()) parts.push_back(fmt::format("XXH3 {}", experiment.runner.xxh3));
    if (!experiment.status.empty()) parts.push_back(experiment.status);
    if (!experiment.reason.empty()) parts.push_back(experiment.reason);
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  // With its threads only where the directory has the experiment on several.
  std::string label_of(const RunExperiment& experiment) const {
    const auto same =
        std::count_if(run_.experiments.begin(), run_.experiments.end(),
                      [&](const RunExperiment& other) { return other.name == experiment.name; });
    return same > 1 && experiment.threads ? fmt::format("{} t{}", experiment.name, *experiment.threads)
                                          : experiment.name;
  }

  void add_experiment(const RunExperiment& experiment) {
    for (const std::string& path : experiment.kernel_logs) add_kernels(experiment, path);
    if (experiment.kernel_logs.empty())
      for (const std::string& path : experiment.kernels_csvs) add_kernels(experiment, path);
    const bool timing = experiment.mode == experiments::Mode::kTiming;
    const bool recorded = !experiment.etdumps.empty() || !experiment.timeline_all_csvs.empty() ||
                          !experiment.timeline_run0_csv.empty();
    if (!timing && !recorded) return;
    Experiment read = read_experiment(experiment);
    result_.candidates.push_back(
        {.name = experiment.name,
         .threads = experiment.threads,
         .timing = timing && read.profile.use == TimingUse::kTiming && !read.profile.methods.empty()});
    result_.experiments.push_back(std::move(read));
  }

  Experiment read_experiment(const RunExperiment& experiment) {
    Experiment read;
    read.facts.threads = experiment.threads;
    if (experiment.runs_asked && *experiment.runs_asked > 0)
      read.facts.runs_asked = static_cast<std::uint64_t>(*experiment.runs_asked);
    read.facts.order = run_.order;
    read.facts.runner = experiment.runner.xxh3;
    for (const auto& [key, value] : experiment.build) read.facts.build.push_back({key, value});
    if (!experiment.status.empty() && experiment.status != "ok" && experiment.status != "analysis-only" &&
        experiment.etdumps.empty())
      read.facts.failure = experiment.reason.empty() ? experiment.status : experiment.reason;
    if (!experiment.recorded_latencies_ms.empty())
      read.references.push_back({.source = "metrics.json", .values = experiment.recorded_latencies_ms});
    if (experiment.summary_median_ms)
      read.references.push_back(
          {.source = "the pipeline summary", .values = {*experiment.summary_median_ms}});
    read_times(experiment, read);
    return read;
  }

  static std::vector<Source> sources_of(const std::vector<experiments::RunRecording>& recordings) {
    std::vector<Source> sources;
    sources.reserve(recordings.size());
    for (const experiments::RunRecording& recording : recordings)
      sources.push_back(
          {recording.path, static_cast<std::uint32_t>(std::max<std::int64_t>(0, recording.warmup))});
    return sources;
  }

  // ETDumps where they can be read, else the CSV files made from them, else the extract of one run.
  void read_times(const RunExperiment& experiment, Experiment& read) {
    const std::vector<Source> dumps = sources_of(experiment.etdumps);
    const std::vector<Source> tables = sources_of(experiment.timeline_all_csvs);
    const TimingUse use =
        experiment.mode == experiments::Mode::kTiming ? TimingUse::kTiming : TimingUse::kKernelTrace;
    if (read_sources(experiment, dumps, use, read)) return;
    if (read_sources(experiment, tables, use, read)) return;
    std::vector<Source> extract;
    if (!experiment.timeline_run0_csv.empty()) extract.push_back({experiment.timeline_run0_csv, 0});
    if (read_sources(experiment, extract, TimingUse::kOneRunOfSeveral, read)) return;
    read.profile = analysis::Profile{.name = label_of(experiment), .use = use};
  }

  // Whether at least one of them could be read; those that cannot are rows of Quality.
  bool read_sources(const RunExperiment& experiment, const std::vector<Source>& sources, TimingUse use,
                    Experiment& read) {
    std::vector<Trace> traces;
    std::vector<Recording> recordings;
    traces.reserve(sources.size());
    for (const Source& source : sources) {
      Result<Trace> trace = open(source.path);
      if (!trace) continue;
      read.quality.append(trace->quality());
      traces.push_back(*std::move(trace));
      recordings.push_back({&traces.back(), source.warm_up, source.path});
    }
    if (traces.empty()) return false;
    read.profile = analysis::profile_of(label_of(experiment), recordings, use);
    return true;
  }

  Result<Trace> open(const std::string& path) {
    Result<Trace> trace = formats::open::open_trace(path, open_);
    if (!trace) {
      result_.quality.add({.id = "report.unreadable_file",
                           .severity = Severity::kError,
                           .sentence = fmt::format("A file of the run cannot be read and is left out: {}",
                                                   trace.error().message),
                           .first_place = Location::of_file(path)});
      return trace;
    }
    note_input(path, trace->sources().empty() ? "" : trace->sources().front().format);
    return trace;
  }

  void note_input(const std::string& path, const std::string& format) {
    const Result<base::MappedFile> file = base::MappedFile::open(path);
    if (!file) return;
    result_.inputs.push_back(
        {.path = path, .format = format, .bytes = file->size(), .hash = experiments::xxh3_of(file->text())});
  }

  void add_kernels(const RunExperiment& experiment, const std::string& path) {
    Result<Trace> trace = open(path);
    if (!trace || !is_kernel_log(*trace)) return;
    result_.kernel_logs.push_back({label_of(experiment), std::make_unique<Trace>(*std::move(trace))});
  }

  const RunDirectory& run_;
  formats::open::OpenOptions open_;
  DirectoryInput result_;
};

}  // namespace

Result<DirectoryInput> read_directory_input(const std::string& path, const formats::open::OpenOptions& open) {
  ACCELSCOPE_TRY(const RunDirectory run, experiments::read_run_directory(path, {}));
  return read_directory_input(run, open);
}

DirectoryInput read_directory_input(const RunDirectory& run, const formats::open::OpenOptions& open) {
  return DirectoryReader(run, open).read();
}

}  // namespace accelscope::jobs
