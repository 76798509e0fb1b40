#include "experiments/run_records.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "experiments/json_tree.h"
#include "experiments/manifest.h"
#include "experiments/recorded_facts.h"
#include "experiments/run_files.h"

namespace accelscope::experiments {
namespace {

namespace fs = std::filesystem;
using trace::Severity;

constexpr std::string_view kSummaryEnding = "_pipeline_summary.json";

std::string joined(const std::string& folder, std::string_view name) {
  return (fs::path(folder) / name).string();
}

class RecordReader {
 public:
  RecordReader(RunDirectory& run, RunRecords& records) : run_(run), records_(records) {}

  void read(const RunDirectoryOptions& options) {
    read_manifest();
    read_metrics();
    read_summaries();
    if (!records_.lists_every_file || !options.config.empty()) read_config(options.config);
  }

 private:
  std::optional<JsonNode> object_in(const std::string& path) {
    if (!is_file(path)) return std::nullopt;
    auto root = read_python_json_file(path);
    if (root && root->is_object()) return *std::move(root);
    const std::string why = root ? "is no JSON object" : root.error().message;
    add_problem(run_, "run_directory.bad_json", Severity::kWarning,
                fmt::format("{} {}; it is left out.", fs::path(path).filename().string(), why), path);
    return std::nullopt;
  }

  void bad_field(const std::string& path, const JsonNode& where, std::string_view what) {
    add_problem(
        run_, "run_directory.bad_field", Severity::kWarning,
        fmt::format("{}, line {}: {}; it is left out.", fs::path(path).filename().string(), where.line, what),
        path);
  }

  void read_manifest() {
    const std::string path = joined(run_.path, kManifestFile);
    const std::optional<JsonNode> root = object_in(path);
    if (!root) return;
    run_.has_manifest = true;
    run_.ours = root->find_text("schema") == kManifestSchema;
    run_.config_path = root->find_text("config").value_or("");
    run_.model = root->find_text("model").value_or("");
    run_.generated_at = root->find_text("generated_at").value_or("");
    run_.etrecord = root->find_text("etrecord").value_or("");
    run_.order = root->find_text("order").value_or("");
    if (const JsonNode* executorch = root->find("executorch")) {
      run_.executorch_sha = executorch->find_text("sha").value_or("");
      if (!run_.executorch_sha.empty()) run_.executorch_dirty = executorch->find_bool("dirty");
    }
    run_.device_facts = recorded_device_facts(*root);
    const JsonNode* steps = root->find("steps");
    records_.lists_every_file = run_.ours && steps != nullptr && steps->is_array();
    // The kit warms up in a process of its own: nothing of that is in the ETDumps.
    records_.tells_warmup = true;
    read_results(path, *root, RecordSource::kManifest);
    read_steps(path, *root);
    if (!run_.ours) return;
    records_.experiments = recorded_experiments(root->find_items("experiments"));
    run_.compare_pairs = recorded_pairs(root->find_items("compare_pairs"), records_.experiments);
  }

  void read_metrics() {
    const std::string path = joined(run_.path, kMetricsFile);
    if (const std::optional<JsonNode> root = object_in(path))
      read_results(path, *root, RecordSource::kMetrics);
  }

  void read_results(const std::string& path, const JsonNode& root, RecordSource source) {
    const JsonNode* results = root.find("results");
    if (results == nullptr || !results->is_array())
      return bad_field(path, root, "it has no list \"results\"");
    std::set<std::pair<std::string, std::int64_t>> seen;
    for (const JsonNode& item : results->items) {
      const std::string name = item.find_text("experiment").value_or("");
      if (name.empty()) {
        bad_field(path, item, "a result without the name of an experiment");
        continue;
      }
      RecordedResult result = result_in(path, item, source);
      if (!seen.emplace(name, result.threads.value_or(0)).second) {
        duplicate(path, result);
        continue;
      }
      records_.results.push_back(std::move(result));
    }
  }

  void duplicate(const std::string& path, const RecordedResult& result) {
    add_problem(run_, "run_directory.duplicate_result", Severity::kWarning,
                fmt::format("{} lists {} on the same number of threads twice; the first counts.",
                            fs::path(path).filename().string(), result.name),
                path);
  }

  RecordedResult result_in(const std::string& path, const JsonNode& item, RecordSource source) {
    RecordedResult result{.source = source, .name = item.find_text("experiment").value_or("")};
    const JsonNode* metrics = item.find("metrics");
    if (metrics == nullptr || !metrics->is_object()) {
      bad_field(path, item, fmt::format("{} has no \"metrics\"", result.name));
      return result;
    }
    result.threads = metrics->find_integer("threads");
    result.runs = metrics->find_integer("runs");
    result.mode = recorded_mode(*metrics);
    result.status = metrics->find_text("status").value_or("");
    result.reason = metrics->find_text("reason").value_or("");
    result.latencies_ms = latencies_in(path, *metrics);
    const bool traced = result.mode == Mode::kXnntrace;
    add_file(*metrics, "etdump", ArtifactKind::kEtdump, result);
    add_file(*metrics, "log", traced ? ArtifactKind::kKernelLog : ArtifactKind::kLatencyLog, result);
    return result;
  }

  static void add_file(const JsonNode& node, const std::string& key, ArtifactKind kind,
                       RecordedResult& result) {
    auto path = node.find_text(key + "_rel");
    if (!path) path = node.find_text(key);
    if (path && !path->empty()) result.files.push_back({.kind = kind, .path = *path});
  }

  // A list or a single number, under the one name or the older one.
  std::optional<std::vector<double>> latencies_in(const std::string& path, const JsonNode& metrics) {
    const JsonNode* node = metrics.find("latency_ms");
    if (node == nullptr) node = metrics.find("avg_latency_ms");
    if (node == nullptr || node->kind == JsonNode::Kind::kNull) return std::nullopt;
    std::vector<double> values;
    const auto take = [&](const JsonNode& value) {
      if (value.is_number() && std::isfinite(value.real) && value.real >= 0)
        values.push_back(value.real);
      else
        bad_field(path, value, "a latency that is no number from zero up");
    };
    if (node->is_array())
      for (const JsonNode& value : node->items) take(value);
    else
      take(*node);
    return values;
  }

  // The files of our own manifests are those of its steps; a result names only the first of them.
  void read_steps(const std::string& path, const JsonNode& root) {
    if (!records_.lists_every_file) return;
    for (RecordedResult& result : records_.results) result.files.clear();
    std::size_t pending = 0;
    const std::vector<JsonNode>& steps = root.find_items("steps");
    for (const JsonNode& step : steps) {
      if (step.find_text("status").value_or("pending") == "pending") ++pending;
      read_step(path, step);
    }
    if (pending > 0)
      add_problem(run_, "run_directory.incomplete", Severity::kWarning,
                  fmt::format("{} of {} steps have not run: the bench was interrupted, or goes on still.",
                              pending, steps.size()),
                  path);
  }

  void read_step(const std::string& path, const JsonNode& step) {
    const std::string name = step.find_text("experiment").value_or("");
    const auto threads = step.find_integer("threads");
    const auto result =
        std::find_if(records_.results.begin(), records_.results.end(),
                     [&](const RecordedResult& one) { return one.name == name && one.threads == threads; });
    if (result == records_.results.end()) return bad_field(path, step, "a step of no result");
    const std::string status = step.find_text("status").value_or("pending");
    const bool traced = recorded_mode(step) == Mode::kXnntrace;
    RecordedFile file{.round = step.find_integer("round"),
                      .warmup = std::max<std::int64_t>(0, step.find_integer("warmup").value_or(0)),
                      .usable = status == "ok"};
    if (step.find_integer("rounds").value_or(1) <= 1) file.round = std::nullopt;
    if (const auto etdump = step.find_text("etdump_rel")) {
      file.kind = ArtifactKind::kEtdump;
      file.path = *etdump;
      result->files.push_back(file);
    }
    if (const auto log = step.find_text("log_rel")) {
      file.kind = traced ? ArtifactKind::kKernelLog : ArtifactKind::kLatencyLog;
      file.path = *log;
      result->files.push_back(file);
    }
    if (status == "ok" || status == "pending") return;
    add_problem(
        run_, "run_directory.step_not_ok", Severity::kWarning,
        fmt::format("{} on {} threads{}: {}{}{}; what it left is not used.", name, threads.value_or(0),
                    file.round ? fmt::format(", round {}", *file.round) : "", status,
                    step.find_text("reason") ? ": " : "", step.find_text("reason").value_or("")),
        file.path.empty() ? path : joined(run_.path, file.path));
  }

  void read_summaries() {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(run_.path, error), end; !error && at != end; at.increment(error))
      if (std::string name = at->path().filename().string(); name.ends_with(kSummaryEnding))
        names.push_back(std::move(name));
    std::sort(names.begin(), names.end());
    for (const std::string& name : names)
      records_.summary_models.push_back(name.substr(0, name.size() - kSummaryEnding.size()));
    if (names.empty()) return;
    // With several models in one folder, the manifest says which one counts, else the first does.
    const std::string stem = fs::path(run_.model).stem().string();
    const auto chosen = std::find(records_.summary_models.begin(), records_.summary_models.end(), stem);
    const std::size_t index = chosen == records_.summary_models.end()
                                  ? 0
                                  : static_cast<std::size_t>(chosen - records_.summary_models.begin());
    std::rotate(records_.summary_models.begin(),
                records_.summary_models.begin() + static_cast<std::ptrdiff_t>(index),
                records_.summary_models.begin() + static_cast<std::ptrdiff_t>(index) + 1);
    if (names.size() > 1)
      add_problem(run_, "run_directory.several_models", Severity::kWarning,
                  fmt::format("The folder holds the runs of {} models; those of {} are read.", names.size(),
                              records_.summary_models.front()),
                  joined(run_.path, names[index]));
    read_summary(joined(run_.path, names[index]));
  }

  void read_summary(const std::string& path) {
    const std::optional<JsonNode> root = object_in(path);
    if (!root) return;
    run_.has_summary = true;
    records_.tells_warmup = true;
    if (run_.model.empty()) run_.model = root->find_text("model").value_or("");
    if (run_.generated_at.empty()) run_.generated_at = root->find_text("generated_at").value_or("");
    records_.output_root = root->find_text("output_root").value_or("");
    const JsonNode* runs = root->find("runs");
    if (runs == nullptr || !runs->is_array()) return bad_field(path, *root, "it has no list \"runs\"");
    std::set<std::pair<std::string, std::int64_t>> seen;
    for (const JsonNode& item : runs->items) {
      RecordedResult result = summary_run_in(item);
      if (result.name.empty())
        bad_field(path, item, "a run without the name of an experiment");
      else if (!seen.emplace(result.name, result.threads.value_or(0)).second)
        duplicate(path, result);
      else
        records_.results.push_back(std::move(result));
    }
  }

  static RecordedResult summary_run_in(const JsonNode& item) {
    RecordedResult result{.source = RecordSource::kSummary,
                          .name = item.find_text("experiment").value_or(""),
                          .threads = item.find_integer("threads"),
                          .mode = recorded_mode(item),
                          .runs = item.find_integer("runs"),
                          .status = item.find_text("status").value_or("")};
    if (const JsonNode* metrics = item.find("metrics")) {
      result.median_ms = metrics->find_number("median_ms");
      result.mean_ms = metrics->find_number("mean_ms");
    }
    const JsonNode* paths = item.find("paths");
    if (paths == nullptr) return result;
    // The summary lists files of timing for trace runs as well; those never exist.
    if (result.mode == Mode::kXnntrace) {
      add_file(*paths, "xnntrace_log", ArtifactKind::kKernelLog, result);
      add_file(*paths, "kernel_csv", ArtifactKind::kKernelsCsv, result);
    } else {
      add_file(*paths, "etdump", ArtifactKind::kEtdump, result);
      add_file(*paths, "latency_log", ArtifactKind::kLatencyLog, result);
      add_file(*paths, "timeline_all", ArtifactKind::kTimelineAll, result);
      add_file(*paths, "timeline_run0", ArtifactKind::kTimelineRun0, result);
    }
    return result;
  }

  // A relative name is relative to where the kit was called, which lies above what it wrote.
  std::string find_config() const {
    if (run_.config_path.empty()) return {};
    if (fs::path(run_.config_path).is_absolute()) return is_file(run_.config_path) ? run_.config_path : "";
    std::error_code error;
    fs::path folder = fs::absolute(run_.path, error).lexically_normal();
    for (int level = 0; !error && level < 8; ++level, folder = folder.parent_path())
      if (std::string path = (folder / run_.config_path).string(); is_file(path)) return path;
    return is_file(run_.config_path) ? run_.config_path : "";
  }

  void read_config(const std::string& given) {
    const std::string path = given.empty() ? find_config() : given;
    if (path.empty() || !is_file(path)) {
      const std::string& name = given.empty() ? run_.config_path : given;
      add_problem(run_, "run_directory.no_config", Severity::kInfo,
                  name.empty() ? "Nothing names the config: what is compared with what is not recorded."
                               : fmt::format("The config {} is not there: what is compared with what is not "
                                             "recorded.",
                                             name));
      return;
    }
    const std::optional<JsonNode> root = object_in(path);
    if (!root) return;
    if (!given.empty()) run_.config_path = given;
    if (run_.model.empty()) run_.model = root->find_text("model").value_or("");
    const auto experiments = recorded_experiments(root->find_items("experiments"));
    if (const JsonNode* analysis = root->find("analysis"))
      run_.compare_pairs = recorded_pairs(analysis->find_items("compare_pairs"), experiments);
    if (records_.experiments.empty()) records_.experiments = experiments;
  }

  RunDirectory& run_;
  RunRecords& records_;
};

}  // namespace

void add_problem(RunDirectory& run, std::string id, trace::Severity severity, std::string sentence,
                 std::string path) {
  run.problems.push_back({std::move(id), severity, std::move(sentence), std::move(path)});
}

RunRecords read_run_records(RunDirectory& run, const RunDirectoryOptions& options) {
  RunRecords records;
  RecordReader(run, records).read(options);
  return records;
}

}  // namespace accelscope::experiments
