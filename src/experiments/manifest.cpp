#include "experiments/manifest.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/output_file.h"
#include "experiments/recorded_facts.h"
#include "stats/quantile.h"

namespace accelscope::experiments {
namespace {

using base::JsonWriter;

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  json.key(key).begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void write_numbers(JsonWriter& json, std::string_view key, const std::vector<double>& numbers) {
  json.key(key).begin_array();
  for (const double number : numbers) json.value(number);
  json.end_array();
}

void write_fingerprint(JsonWriter& json, std::string_view key, const Fingerprint& fingerprint) {
  if (!fingerprint.known()) return;
  json.key(key).begin_object();
  json.member("size_bytes", fingerprint.size.value);
  json.member("xxh3", fingerprint.xxh3);
  json.end_object();
}

void write_runner_log(JsonWriter& json, const RunnerLog& log) {
  if (log.empty()) return;
  json.key("runner").begin_object();
  if (log.load_ms) json.member("load_ms", *log.load_ms);
  if (log.executions) json.member("executions", *log.executions);
  if (log.total_ms) json.member("total_ms", *log.total_ms);
  if (!log.iteration_ms.empty()) write_numbers(json, "iteration_ms", log.iteration_ms);
  json.end_object();
}

void write_identity(JsonWriter& json, const Config& config, const Step& step) {
  json.member("experiment", config.experiments[step.experiment].name);
  json.member("threads", step.threads);
  json.member("mode", mode_name(step.mode));
  json.member("round", step.round + 1);
  json.member("rounds", step.rounds);
  json.member("runs", step.runs);
  json.member("warmup", step.warmup);
  json.member("separate_warmup", step.separate_warmup);
}

void write_step(JsonWriter& json, const Config& config, const StepRecord& record) {
  if (record.kept) {
    write_json(json, *record.kept);
    return;
  }
  json.begin_object();
  write_identity(json, config, record.step);
  json.member("status", status_name(record.status));
  if (!record.reason.empty()) json.member("reason", record.reason);
  write_texts(json, "remarks", record.remarks);
  write_texts(json, "warmup_command", record.warmup_command);
  write_texts(json, "command", record.command);
  if (record.exit_status) json.member("exit_status", *record.exit_status);
  if (record.signal != 0) json.member("signal", record.signal);
  if (!record.started_at.empty()) {
    json.member("started_at", record.started_at);
    json.member("wall_seconds", record.wall_seconds);
  }
  if (record.has_etdump) json.member("etdump_rel", etdump_name(config, record.step));
  if (record.has_log) json.member("log_rel", log_name(config, record.step));
  if (record.status == StepStatus::kOk && record.step.mode == Mode::kTiming) {
    write_numbers(json, "warmup_ms", record.latencies.warmup_ms);
    write_numbers(json, "latency_ms", record.latencies.measured_ms);
  }
  write_runner_log(json, record.runner);
  const DeviceFacts& state = record.state_before;
  if (!state.named.empty() || !state.cores.empty() || !state.temperatures.empty()) {
    json.key("device_state");
    write_device_facts(json, state);
  }
  json.end_object();
}

// The steps of one experiment on one number of threads, in the order of their rounds.
using StepsOfResult = std::vector<const StepRecord*>;

std::vector<StepsOfResult> steps_by_result(const BenchState& state) {
  std::vector<StepsOfResult> results;
  for (std::size_t i = 0; i < state.config.experiments.size(); ++i) {
    for (const std::int64_t threads : state.config.experiments[i].threads) {
      StepsOfResult steps;
      for (const StepRecord& record : state.steps)
        if (record.step.experiment == i && record.step.threads == threads) steps.push_back(&record);
      std::sort(steps.begin(), steps.end(),
                [](const StepRecord* a, const StepRecord* b) { return a->step.round < b->step.round; });
      if (!steps.empty()) results.push_back(std::move(steps));
    }
  }
  return results;
}

void write_file_of(JsonWriter& json, const BenchState& state, const StepsOfResult& steps,
                   std::string_view key, bool StepRecord::*there,
                   std::string (*name)(const Config&, const Step&)) {
  for (const StepRecord* record : steps) {
    if (!(record->*there)) continue;
    const std::string relative = name(state.config, record->step);
    json.member(key, fmt::format("{}/{}", state.config.output_root, relative));
    json.member(fmt::format("{}_rel", key), relative);
    return;
  }
}

void write_result(JsonWriter& json, const BenchState& state, const StepsOfResult& steps) {
  const Step& first = steps.front()->step;
  const Experiment& experiment = state.config.experiments[first.experiment];
  const auto trouble = std::find_if(
      steps.begin(), steps.end(), [](const StepRecord* record) { return record->status != StepStatus::kOk; });
  std::vector<double> latencies;
  for (const StepRecord* record : steps)
    if (record->status == StepStatus::kOk)
      latencies.insert(latencies.end(), record->latencies.measured_ms.begin(),
                       record->latencies.measured_ms.end());

  json.begin_object();
  json.member("experiment", experiment.name);
  json.key("metrics").begin_object();
  json.member("runs", first.mode == Mode::kTiming ? experiment.runs : std::int64_t{1});
  json.member("threads", first.threads);
  if (first.mode == Mode::kTiming) write_numbers(json, "latency_ms", latencies);
  if (!latencies.empty()) {
    json.member("median_ms", stats::median(latencies));
    json.member("min_ms", *std::min_element(latencies.begin(), latencies.end()));
    json.member("max_ms", *std::max_element(latencies.begin(), latencies.end()));
  }
  write_file_of(json, state, steps, "etdump", &StepRecord::has_etdump, etdump_name);
  write_file_of(json, state, steps, "log", &StepRecord::has_log, log_name);
  json.member("mode", mode_name(first.mode));
  json.member("status", status_name(trouble == steps.end() ? StepStatus::kOk : (*trouble)->status));
  if (trouble != steps.end() && !(*trouble)->reason.empty()) json.member("reason", (*trouble)->reason);
  json.end_object();
  json.end_object();
}

void write_results(JsonWriter& json, const BenchState& state) {
  json.key("results").begin_array();
  for (const StepsOfResult& steps : steps_by_result(state)) write_result(json, state, steps);
  json.end_array();
}

void write_experiment(JsonWriter& json, const Experiment& experiment, const Fingerprint& runner) {
  json.begin_object();
  json.member("name", experiment.name);
  json.member("mode", mode_name(experiment.mode));
  if (!experiment.runner.empty()) {
    json.member("runner_path", experiment.runner_path);
    json.member("runner", experiment.runner);
  }
  write_fingerprint(json, "runner_fingerprint", runner);
  json.key("threads").begin_array();
  for (const std::int64_t threads : experiment.threads) json.value(threads);
  json.end_array();
  json.member("runs", experiment.runs);
  json.member("warmup", experiment.warmup);
  write_texts(json, "extra_args", experiment.extra_args);
  if (!experiment.cpu_affinity.empty()) json.member("cpu_affinity", experiment.cpu_affinity);
  if (!experiment.environment.empty()) {
    json.key("environment").begin_object();
    for (const auto& [name, value] : experiment.environment) json.member(name, value);
    json.end_object();
  }
  json.member("timeout_seconds", static_cast<double>(experiment.timeout.count()) / 1000);
  if (experiment.build.is_object()) {
    json.key("build");
    write_json(json, experiment.build);
  }
  json.end_object();
}

void write_side(JsonWriter& json, std::string_view key, const ExperimentRef& ref) {
  json.key(key).begin_object();
  json.member("experiment", ref.experiment);
  json.member("threads", ref.threads);
  json.end_object();
}

void write_pairs(JsonWriter& json, const Config& config) {
  json.key("compare_pairs").begin_array();
  for (const ComparePair& pair : config.compare_pairs) {
    json.begin_object();
    write_side(json, "baseline", pair.baseline);
    write_side(json, "candidate", pair.candidate);
    if (!pair.label.empty()) json.member("label", pair.label);
    json.end_object();
  }
  json.end_array();
}

void write_device(JsonWriter& json, const BenchState& state) {
  json.member("platform", state.config.platform == Platform::kAndroid ? "android" : "local");
  json.member("device", state.device);
  json.key("device_facts");
  if (state.kept_device_facts) return write_json(json, *state.kept_device_facts);
  json.begin_object();
  json.key("before");
  write_device_facts(json, state.before);
  if (state.after) {
    json.key("after");
    write_device_facts(json, *state.after);
  }
  json.end_object();
}

base::Status save(const std::string& path, const BenchState& state,
                  void (*write)(JsonWriter&, const BenchState&)) {
  ACCELSCOPE_TRY(base::OutputFile file, base::OutputFile::create(path));
  JsonWriter json(file.output(), JsonWriter::Style::kIndented);
  write(json, state);
  file.output().append('\n');
  return file.commit();
}

}  // namespace

void write_manifest(JsonWriter& json, const BenchState& state) {
  const Config& config = state.config;
  const bool complete = std::all_of(state.steps.begin(), state.steps.end(), [](const StepRecord& record) {
    return record.status == StepStatus::kOk;
  });
  json.begin_object();
  json.member("generated_at", utc_now());
  json.member("config", config.path);
  json.member("model", config.model);
  json.key("executorch").begin_object();
  json.member("present", state.checkout.present);
  json.member("sha", state.checkout.sha);
  json.member("dirty", state.checkout.dirty);
  json.end_object();
  write_results(json, state);
  json.member("schema", kManifestSchema);
  json.member("tool_version", state.tool_version);
  json.member("complete", complete);
  json.member("config_hash", config.text_hash);
  if (!config.etrecord.empty()) json.member("etrecord", config.etrecord);
  json.member("order", order_name(state.schedule.order));
  json.member("warm_up", warm_up_name(state.schedule.warm_up));
  write_fingerprint(json, "model_fingerprint", state.model);
  write_device(json, state);
  write_pairs(json, config);
  json.key("experiments").begin_array();
  for (std::size_t i = 0; i < config.experiments.size(); ++i)
    write_experiment(json, config.experiments[i], state.runners[i]);
  json.end_array();
  json.key("steps").begin_array();
  for (const StepRecord& record : state.steps) write_step(json, config, record);
  json.end_array();
  json.end_object();
}

void write_metrics(JsonWriter& json, const BenchState& state) {
  json.begin_object();
  write_results(json, state);
  json.end_object();
}

base::Status save_manifest(const BenchState& state) {
  const std::filesystem::path root = state.config.output_root;
  // The manifest last: what it says is then there.
  ACCELSCOPE_CHECK(save((root / kMetricsFile).string(), state, write_metrics));
  return save((root / kManifestFile).string(), state, write_manifest);
}

base::Result<std::optional<EarlierManifest>> read_earlier_manifest(const std::string& directory) {
  const std::string path = (std::filesystem::path(directory) / kManifestFile).string();
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  ACCELSCOPE_TRY(const JsonNode root, read_json_file(path));
  EarlierManifest earlier;
  earlier.ours = root.find_text("schema") == kManifestSchema;
  earlier.config = root.find_text("config").value_or("");
  earlier.config_hash = root.find_text("config_hash").value_or("");
  earlier.device = root.find_text("device").value_or("");
  earlier.order = root.find_text("order").value_or("");
  earlier.warm_up = root.find_text("warm_up").value_or("");
  earlier.model = recorded_fingerprint(root.find("model_fingerprint"));
  for (const JsonNode& experiment : root.find_items("experiments"))
    earlier.runners[experiment.find_text("name").value_or("")] =
        recorded_fingerprint(experiment.find("runner_fingerprint"));
  if (const JsonNode* facts = root.find("device_facts")) earlier.device_facts = *facts;
  earlier.steps = root.find_items("steps");
  return earlier;
}

bool describes(const JsonNode& earlier, const Config& config, const Step& step) {
  return earlier.find_text("experiment") == config.experiments[step.experiment].name &&
         earlier.find_integer("threads") == step.threads &&
         earlier.find_text("mode") == mode_name(step.mode) &&
         earlier.find_integer("round") == step.round + 1 && earlier.find_integer("rounds") == step.rounds &&
         earlier.find_integer("runs") == step.runs && earlier.find_integer("warmup") == step.warmup &&
         earlier.find_integer("separate_warmup") == step.separate_warmup;
}

}  // namespace accelscope::experiments
