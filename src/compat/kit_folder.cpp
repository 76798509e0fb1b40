#include "compat/kit_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/file_names.h"
#include "compat/kit_latency.h"

namespace accelscope::compat {
namespace {

namespace fs = std::filesystem;

using base::ErrorCode;
using base::Location;
using base::MappedFile;
using base::Result;

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed) && !failed;
}

// `name` begins with a slash, so that no file name looks like the id of a Quality row.
fs::path file_in(const fs::path& folder, std::string_view name) {
  return folder.native() + std::string(name);
}

// All files below the folder whose names end so, by path. What cannot be listed is passed over.
std::vector<fs::path> files_ending(const fs::path& folder, std::string_view ending) {
  std::vector<fs::path> found;
  std::error_code failed;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed))
    if (at->path().filename().native().ends_with(ending)) found.push_back(at->path());
  std::sort(found.begin(), found.end());
  return found;
}

// Python's str.replace(part, "").
std::string without(std::string text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
  return text;
}

class Discovery {
 public:
  explicit Discovery(const fs::path& folder) : folder_(folder) {}

  KitExperimentFiles& experiment_of(const fs::path& file, std::string_view ending) {
    const fs::path parent = file.parent_path();
    const std::string name =
        parent == folder_ ? without(file.stem().native(), ending) : parent.filename().native();
    for (KitExperimentFiles& known : found)
      if (known.name == name) return known;
    found.push_back({.name = name});
    return found.back();
  }

  std::vector<KitExperimentFiles> found;

 private:
  const fs::path& folder_;
};

std::vector<double> latencies_in(const std::string& timeline) {
  if (timeline.empty()) return {};
  const Result<MappedFile> file = MappedFile::open(timeline);
  if (!file) return {};
  const Result<KitTimeline> rows = read_kit_timeline(*file);
  if (!rows) return {};
  return kit_report_latencies(*rows).value_or(std::vector<double>{});
}

std::map<std::string, double> categories_in(const std::string& stats) {
  if (stats.empty()) return {};
  const Result<MappedFile> file = MappedFile::open(stats);
  if (!file) return {};
  const Result<std::vector<KitOperatorTotal>> rows = read_kit_operator_totals(*file);
  return rows ? kit_category_totals(*rows) : std::map<std::string, double>{};
}

// Where the kit looks for a runner: in the folders three and four levels above the runs.
KitRunner find_runner(const KitConfig::Experiment& experiment, const fs::path& run_dir) {
  KitRunner runner{.experiment = experiment.name, .path = experiment.runner_path};
  const fs::path path(experiment.runner_path);
  const auto settle = [&](const fs::path& full, KitRunner::Status status) {
    runner.full_path = full.native();
    runner.status = status;
    std::error_code failed;
    const std::uintmax_t bytes = fs::file_size(full, failed);
    if (!failed) runner.bytes = bytes;
  };
  if (path.empty()) return runner;
  if (path.is_absolute()) {
    settle(path, is_there(path) ? KitRunner::Status::kExists : KitRunner::Status::kMissing);
    return runner;
  }
  const fs::path third = run_dir.parent_path().parent_path().parent_path();
  for (const fs::path& root : {third.parent_path(), third})
    for (const fs::path& candidate : {root / "executorch" / path, root / path})
      if (runner.status == KitRunner::Status::kUnresolved && is_there(candidate))
        settle(resolved_path(candidate.native()), KitRunner::Status::kExists);
  return runner;
}

base::Status add_manifest(KitReportFacts& facts, const fs::path& run_dir, const std::string& working_folder) {
  const fs::path path = file_in(run_dir, "/manifest.json");
  if (!is_there(path)) return {};
  ACCELSCOPE_TRY(const MappedFile file, MappedFile::open(path.native()));
  ACCELSCOPE_TRY(const KitManifest manifest, read_kit_manifest(file));
  facts.model_path = manifest.model;
  facts.config_path = manifest.config;
  facts.executorch_sha = manifest.executorch_sha;
  facts.executorch_dirty = manifest.executorch_dirty;
  const fs::path config_path = fs::path(working_folder) / manifest.config;
  if (manifest.config.empty() || !is_there(config_path)) return {};
  ACCELSCOPE_TRY(const MappedFile config_file, MappedFile::open(config_path.native()));
  ACCELSCOPE_TRY(const KitConfig config, read_kit_config(config_file));
  for (const KitConfig::Experiment& experiment : config.experiments)
    facts.runners.push_back(find_runner(experiment, run_dir));
  return {};
}

// The report takes a metrics.json that it cannot read for none.
KitMetrics metrics_in(const fs::path& run_dir) {
  const Result<MappedFile> file = MappedFile::open(file_in(run_dir, "/metrics.json").native());
  return file ? read_kit_metrics(*file).value_or(KitMetrics{}) : KitMetrics{};
}

class Checks {
 public:
  void add(bool passed, std::string_view good, std::string_view bad) {
    result.text += fmt::format("{} {}\n", passed ? "✅" : "❌", passed ? good : bad);
    result.valid = result.valid && passed;
  }
  KitValidation result{.valid = true, .text = {}};
};

}  // namespace

std::string resolved_path(const std::string& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  if (failed) return path;
  fs::path real = fs::weakly_canonical(absolute, failed);
  if (failed) real = absolute.lexically_normal();
  const std::string& text = real.native();
  return text.size() > 1 && text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
}

Result<std::vector<KitExperimentFiles>> discover_kit_experiments(const std::string& folder) {
  const fs::path root(folder.size() > 1 && folder.ends_with('/') ? folder.substr(0, folder.size() - 1)
                                                                 : folder);
  std::error_code failed;
  if (!fs::is_directory(root, failed))
    return base::fail_at(Location::of_file(folder), ErrorCode::kNotFound, "no such folder");
  Discovery discovery(root);
  for (const fs::path& file : files_ending(root, "_all_runs_timeline.csv"))
    discovery.experiment_of(file, "_exec_all_runs_timeline").timeline = file.native();
  for (const fs::path& file : files_ending(root, "_run0_timeline.csv")) {
    KitExperimentFiles& experiment = discovery.experiment_of(file, "_exec_run0_timeline");
    if (experiment.timeline.empty()) experiment.timeline = file.native();
  }
  for (const fs::path& file : files_ending(root, "_ops_stats.csv"))
    discovery.experiment_of(file, "_exec_ops_stats").stats = file.native();
  return std::move(discovery.found);
}

Result<std::vector<KitExperiment>> load_kit_experiments(const std::vector<KitExperimentFiles>& files,
                                                        const KitMetrics& metrics) {
  std::vector<KitExperiment> experiments;
  for (const KitExperimentFiles& entry : files) {
    KitExperiment experiment{.name = entry.name};
    experiment.timeline_csv = base::file_name(entry.timeline);
    experiment.stats_csv = base::file_name(entry.stats);
    experiment.latencies = latencies_in(entry.timeline);
    experiment.category_ms = categories_in(entry.stats);
    const auto known =
        std::find_if(metrics.results.begin(), metrics.results.end(),
                     [&](const KitMetrics::Result& result) { return result.experiment == entry.name; });
    if (experiment.latencies.empty() && known != metrics.results.end()) {
      if (known->single_number)
        return base::fail(ErrorCode::kMalformed,
                          "metrics.json has one number where the latencies of '{}' are to be listed, and its "
                          "timeline CSV has none",
                          entry.name);
      experiment.latencies = known->latencies;
    }
    experiments.push_back(std::move(experiment));
  }
  return experiments;
}

Result<KitReportFacts> kit_report_facts(const std::string& folder, const std::string& working_folder) {
  KitReportFacts facts;
  facts.run_dir = resolved_path(folder);
  ACCELSCOPE_TRY(const std::vector<KitExperimentFiles> files, discover_kit_experiments(facts.run_dir));
  if (files.empty())
    return base::fail_at(Location::of_file(facts.run_dir), ErrorCode::kNotFound,
                         "No CSV files found: the folder has no *_timeline.csv and no *_ops_stats.csv; "
                         "convert its ETDump files first");
  ACCELSCOPE_CHECK(add_manifest(facts, facts.run_dir, working_folder));
  ACCELSCOPE_TRY(facts.experiments, load_kit_experiments(files, metrics_in(facts.run_dir)));
  return facts;
}

KitValidation kit_validate(const std::string& folder) {
  const fs::path run_dir(resolved_path(folder));
  const fs::path manifest_path = file_in(run_dir, "/manifest.json");
  Checks checks;
  checks.add(is_there(run_dir), fmt::format("run dir exists: {}", run_dir.native()),
             fmt::format("missing run dir: {}", run_dir.native()));
  checks.add(is_there(manifest_path), "manifest.json exists", "manifest.json missing");
  checks.add(is_there(file_in(run_dir, "/metrics.json")), "metrics.json exists", "metrics.json missing");
  const std::size_t dumps = files_ending(run_dir, ".etdump").size();
  checks.add(dumps > 0, fmt::format("found {} .etdump file(s)", dumps), "no .etdump found");
  if (!is_there(manifest_path)) return std::move(checks.result);
  const Result<KitManifest> manifest = MappedFile::open(manifest_path.native()).and_then(read_kit_manifest);
  if (!manifest) {
    checks.add(false, "", fmt::format("manifest JSON parse error: {}", manifest.error().message));
    return std::move(checks.result);
  }
  checks.add(manifest->has_model, "manifest contains model", "manifest missing model field");
  checks.add(manifest->has_results, "manifest contains results[]", "manifest missing results[]");
  return std::move(checks.result);
}

}  // namespace accelscope::compat
