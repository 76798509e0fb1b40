#include "experiments/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "experiments/manifest.h"
#include "experiments/step_runner.h"

namespace accelscope::experiments {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Location;
using Clock = std::chrono::steady_clock;

tl::unexpected<base::Error> refused(const Config& config, std::string why) {
  return base::fail_at(Location::of_file(config.output_root), ErrorCode::kUsage, "{}", why);
}

// Whether the steps of an earlier session may be continued, and if not, why.
base::Status check_resumable(const BenchState& state, const EarlierManifest& earlier) {
  const Config& config = state.config;
  if (!earlier.ours)
    return refused(config, "holds a manifest.json that another program wrote; choose another output_root");
  if (earlier.config_hash != config.text_hash)
    return refused(config,
                   fmt::format("holds the run of another config ({}), or of this one before it was changed; "
                               "choose another output_root, or replace that run",
                               earlier.config));
  if (!state.device.empty() && !earlier.device.empty() && earlier.device != state.device)
    return refused(config, fmt::format("was begun on {}, this is {}", earlier.device, state.device));
  const bool same_plan = earlier.steps.size() == state.steps.size() &&
                         std::equal(earlier.steps.begin(), earlier.steps.end(), state.steps.begin(),
                                    [&](const JsonNode& node, const StepRecord& record) {
                                      return describes(node, config, record.step);
                                    });
  if (!same_plan)
    return refused(
        config, fmt::format("was begun with another schedule (order {}, warm-up {}, or other rounds); resume "
                            "with the same options",
                            earlier.order, earlier.warm_up));
  return {};
}

base::Status check_existing(const BenchState& state, const std::optional<EarlierManifest>& earlier,
                            const BenchOptions& options) {
  if (!earlier) return {};
  if (options.analysis_only && !earlier->ours) return {};
  if (options.analysis_only || options.if_exists == IfExists::kResume)
    return check_resumable(state, *earlier);
  if (options.if_exists == IfExists::kReplace) return {};
  return refused(state.config,
                 "holds a run already; resume it (--resume), replace it (--replace), or choose another "
                 "output_root");
}

void take_over(const JsonNode& earlier, StepRecord& record) {
  record.status = status_called(earlier.find_text("status").value_or(""));
  record.reason = earlier.find_text("reason").value_or("");
  record.wall_seconds = earlier.find_number("wall_seconds").value_or(0);
  record.kept = earlier;
}

// When nothing is run, the manifest goes on describing the machine and the files that ran.
void keep_earlier_facts(BenchState& state, const EarlierManifest& earlier) {
  state.kept_device_facts = earlier.device_facts;
  state.model = earlier.model;
  for (std::size_t i = 0; i < state.runners.size(); ++i)
    if (const auto runner = earlier.runners.find(state.config.experiments[i].name);
        runner != earlier.runners.end())
      state.runners[i] = runner->second;
}

// Steps of an earlier session that are still good: same runner, same model, files that can be read.
void keep_earlier_steps(BenchState& state, const EarlierManifest& earlier) {
  for (std::size_t i = 0; i < state.steps.size(); ++i) {
    StepRecord& record = state.steps[i];
    const std::string& name = state.config.experiments[record.step.experiment].name;
    const auto runner = earlier.runners.find(name);
    const bool same_files = earlier.model == state.model && runner != earlier.runners.end() &&
                            runner->second == state.runners[record.step.experiment];
    if (!same_files) continue;
    take_over(earlier.steps[i], record);
    if (record.status != StepStatus::kOk) continue;
    StepRecord checked{.step = record.step, .status = StepStatus::kOk};
    evaluate_files(state.config, checked);
    record.latencies = checked.latencies;
    record.has_etdump = checked.has_etdump;
    record.has_log = checked.has_log;
    if (checked.status == StepStatus::kOk) continue;
    record = {.step = record.step, .reason = checked.reason};
  }
}

// The files of a run that is replaced, and the tables made from them: none of it may be taken for the new
// one's.
void remove_earlier_files(const Config& config, const EarlierManifest& earlier) {
  std::error_code ignored;
  for (const JsonNode& step : earlier.steps) {
    for (const std::string_view key : {"etdump_rel", "log_rel"}) {
      const fs::path name = step.find_text(key).value_or("");
      const bool inside =
          !name.empty() && name.is_relative() && std::find(name.begin(), name.end(), "..") == name.end();
      if (!inside) continue;
      const fs::path path = config.output_root / name;
      fs::remove(path, ignored);
      if (key != "etdump_rel") continue;
      for (const std::string_view table : {"all_runs_timeline", "run0_timeline", "ops_stats"})
        fs::remove(path.parent_path() / fmt::format("{}_exec_{}.csv", path.stem().string(), table), ignored);
    }
  }
}

std::int64_t executions_of(const Step& step) {
  return step.separate_warmup + step.warmup + step.runs;
}

// Tells how far the bench is, and guesses from what it has done how long the rest takes.
class ProgressTeller {
 public:
  ProgressTeller(const BenchState& state, const std::vector<std::size_t>& todo, const BenchOptions& options)
      : state_(state), todo_(todo), options_(options) {
    for (const std::size_t index : todo) executions_left_ += executions_of(state.steps[index].step);
  }

  void begin(std::size_t position) const { tell(position, nullptr); }
  void finish(std::size_t position, const StepRecord& record) {
    executions_done_ += executions_of(record.step);
    executions_left_ -= executions_of(record.step);
    tell(position, &record);
  }

 private:
  void tell(std::size_t position, const StepRecord* finished) const {
    if (!options_.progress) return;
    const std::string label = file_prefix(state_.config, state_.steps[todo_[position]].step);
    options_.progress({position + 1, todo_.size(), label, time_left(), finished});
  }
  std::optional<base::Nanoseconds> time_left() const {
    if (executions_done_ == 0) return std::nullopt;
    const double elapsed = std::chrono::duration<double, std::nano>(Clock::now() - started_).count();
    return base::Nanoseconds{static_cast<std::int64_t>(elapsed / static_cast<double>(executions_done_) *
                                                       static_cast<double>(executions_left_))};
  }

  const BenchState& state_;
  const std::vector<std::size_t>& todo_;
  const BenchOptions& options_;
  Clock::time_point started_ = Clock::now();
  std::int64_t executions_done_ = 0;
  std::int64_t executions_left_ = 0;
};

bool is_interrupted(const BenchOptions& options) {
  return options.interrupted != nullptr && options.interrupted->load();
}

base::Status run_steps(BenchResult& result, const std::vector<std::size_t>& todo, Target& target,
                       const BenchOptions& options) {
  BenchState& state = result.state;
  ProgressTeller teller(state, todo, options);
  for (std::size_t position = 0; position < todo.size(); ++position) {
    if (is_interrupted(options)) break;
    StepRecord& record = state.steps[todo[position]];
    teller.begin(position);
    record = run_step(state.config, record.step, target, options.interrupted);
    ACCELSCOPE_CHECK(save_manifest(state));
    teller.finish(position, record);
  }
  result.interrupted = is_interrupted(options);
  state.after = device_facts(target.read_facts(fact_patterns(Facts::kAll)));
  return save_manifest(state);
}

// Only what the files tell; how the processes ended, an earlier manifest knows.
void analyse_files(BenchState& state) {
  for (StepRecord& record : state.steps) {
    if (record.kept) continue;
    StepRecord found{.step = record.step, .status = StepStatus::kOk};
    evaluate_files(state.config, found);
    const bool nothing_there = !found.has_etdump && !found.has_log;
    record = nothing_there ? StepRecord{.step = record.step} : std::move(found);
  }
}

base::Result<BenchState> begin_state(const Config& config, const Target& target,
                                     const BenchOptions& options) {
  if (config.experiments.empty())
    return base::fail_at(Location::of_file(config.path), ErrorCode::kUsage,
                         "has no experiments: there is nothing to run");
  if (options.schedule.rounds && *options.schedule.rounds < 1)
    return base::fail(ErrorCode::kUsage, "{} rounds are too few; 1 is the least", *options.schedule.rounds);
  BenchState state{.config = config,
                   .schedule = options.schedule,
                   .tool_version = options.tool_version,
                   .device = target.identity()};
  for (const Step& step : make_schedule(config, options.schedule)) state.steps.push_back({.step = step});
  state.checkout = find_executorch_checkout(config.directory);
  auto model = fingerprint_of_file(config.model_path);
  if (model)
    state.model = *std::move(model);
  else if (!options.analysis_only)
    return base::fail_at(Location::of_file(config.model_path), model.error().code, "the model {}",
                         model.error().message);
  for (const Experiment& experiment : config.experiments) {
    const auto runner = fingerprint_of_file(experiment.runner);
    state.runners.push_back(runner ? *runner : Fingerprint{});
  }
  return state;
}

}  // namespace

std::size_t BenchResult::count(StepStatus status) const {
  return static_cast<std::size_t>(
      std::count_if(state.steps.begin(), state.steps.end(),
                    [&](const StepRecord& record) { return record.status == status; }));
}

base::Result<BenchResult> run_bench(const Config& config, Target& target, const BenchOptions& options) {
  ACCELSCOPE_TRY(const std::vector<bool> selected, selected_experiments(config, options.only));
  BenchResult result;
  ACCELSCOPE_TRY(result.state, begin_state(config, target, options));
  BenchState& state = result.state;
  ACCELSCOPE_TRY(const std::optional<EarlierManifest> earlier, read_earlier_manifest(config.output_root));
  ACCELSCOPE_CHECK(check_existing(state, earlier, options));
  if (!options.analysis_only) ACCELSCOPE_CHECK(target.connect());
  if (earlier && earlier->ours && options.if_exists == IfExists::kReplace && !options.analysis_only)
    remove_earlier_files(config, *earlier);
  if (earlier && earlier->ours && options.analysis_only) keep_earlier_facts(state, *earlier);
  if (earlier && earlier->ours && (options.analysis_only || options.if_exists == IfExists::kResume))
    keep_earlier_steps(state, *earlier);

  if (options.analysis_only) {
    analyse_files(state);
    // Writing records of nothing would hide what another program recorded here.
    if (result.count(StepStatus::kPending) == state.steps.size())
      return refused(
          config,
          "holds no file of these experiments and this schedule; run them first, or report on what "
          "is there with `accelscope report`");
    ACCELSCOPE_CHECK(save_manifest(state));
    return result;
  }
  std::error_code error;
  fs::create_directories(config.output_root, error);
  if (error)
    return base::fail_at(Location::of_file(config.output_root), ErrorCode::kWriteFailed,
                         "cannot be created: {}", error.message());
  std::vector<std::size_t> todo;
  for (std::size_t i = 0; i < state.steps.size(); ++i) {
    const bool done = state.steps[i].status == StepStatus::kOk;
    if (selected[state.steps[i].step.experiment] && !done) todo.push_back(i);
    if (selected[state.steps[i].step.experiment] && done) ++result.skipped;
  }
  state.before = device_facts(target.read_facts(fact_patterns(Facts::kAll)));
  ACCELSCOPE_CHECK(save_manifest(state));
  ACCELSCOPE_CHECK(run_steps(result, todo, target, options));
  return result;
}

}  // namespace accelscope::experiments
