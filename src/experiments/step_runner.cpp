#include "experiments/step_runner.h"

#include <fmt/core.h>

#include <filesystem>

#include "base/file_names.h"
#include "base/mapped_file.h"
#include "experiments/run_files.h"
#include "experiments/text_lines.h"

namespace accelscope::experiments {
namespace {

namespace fs = std::filesystem;

std::string path_of(const Config& config, const std::string& name) {
  return fmt::format("{}/{}", config.output_root, name);
}

void fail(StepRecord& record, std::string reason) {
  record.status = StepStatus::kFailed;
  record.reason = std::move(reason);
}

// Makes the model and the runner available, and says how commands call them.
struct Prepared {
  std::string model;
  std::string runner;
};

base::Result<Prepared> prepare(const Config& config, const Experiment& experiment, Target& target) {
  Prepared prepared;
  ACCELSCOPE_TRY(prepared.model, target.push(config.model_path,
                                             std::string(base::file_name(config.model_path)), Push::kFile));
  if (experiment.runner.empty()) {
    prepared.runner = target.program_called("executor_runner");
    return prepared;
  }
  ACCELSCOPE_TRY(prepared.runner,
                 target.push(experiment.runner, "executor_runner_" + experiment.name, Push::kProgram));
  return prepared;
}

TargetCommand command_for(const Experiment& experiment, const Step& step, const Prepared& prepared,
                          std::int64_t executions) {
  return {.program = prepared.runner,
          .arguments = {"--model_path", prepared.model, "--num_executions", fmt::format("{}", executions),
                        "--cpu_threads", fmt::format("{}", step.threads)},
          .environment = experiment.environment,
          .cpu_affinity = experiment.cpu_affinity,
          .timeout = experiment.timeout};
}

void add_extra_arguments(const Experiment& experiment, TargetCommand& command) {
  command.arguments.insert(command.arguments.end(), experiment.extra_args.begin(),
                           experiment.extra_args.end());
}

// The last thing a runner says is often why it ended.
std::string last_words(const std::string& log) {
  const auto file = base::MappedFile::open(log);
  if (!file) return {};
  constexpr std::size_t kMost = 200;
  std::string_view last;
  for (const std::string_view line : lines_of(file->text()))
    if (!trimmed(line).empty()) last = trimmed(line);
  if (last.empty()) return {};
  return fmt::format("; it last said: {}", last.substr(0, kMost));
}

void take_result(const ProcessResult& result, const std::string& log, StepRecord& record) {
  record.wall_seconds = static_cast<double>(result.wall_time.value) / 1e9;
  switch (result.end) {
    case ProcessEnd::kExited:
      record.exit_status = result.exit_status;
      record.status = result.exit_status == 0 ? StepStatus::kOk : StepStatus::kFailed;
      break;
    case ProcessEnd::kSignalled:
      record.status = StepStatus::kCrashed;
      record.signal = result.signal;
      break;
    case ProcessEnd::kTimedOut:
      record.status = StepStatus::kTimeout;
      break;
    case ProcessEnd::kInterrupted:
      record.status = StepStatus::kInterrupted;
      break;
  }
  if (record.status == StepStatus::kOk) return;
  record.reason = fmt::format("the runner {}{}", result.in_words(),
                              record.status == StepStatus::kInterrupted ? "" : last_words(log));
}

// As with the kit, a warm-up that fails is no reason to stop: the timed process will show what is wrong.
void run_separate_warmup(const Experiment& experiment, const Prepared& prepared, Target& target,
                         const std::atomic<bool>* interrupted, StepRecord& record) {
  TargetCommand command = command_for(experiment, record.step, prepared, record.step.separate_warmup);
  add_extra_arguments(experiment, command);
  command.interrupted = interrupted;
  record.warmup_command = target.words_of(command);
  const auto result = target.run(command);
  if (!result)
    record.remarks.push_back(fmt::format("the warm-up could not run: {}", result.error().to_string()));
  else if (!result->succeeded())
    record.remarks.push_back(fmt::format("the warm-up {}", result->in_words()));
}

void run_measured(const Config& config, const Prepared& prepared, Target& target,
                  const std::atomic<bool>* interrupted, StepRecord& record) {
  const Step& step = record.step;
  const Experiment& experiment = config.experiments[step.experiment];
  const bool timing = step.mode == Mode::kTiming;
  const std::string etdump = path_of(config, etdump_name(config, step));
  const std::string log = path_of(config, log_name(config, step));
  TargetCommand command = command_for(experiment, step, prepared, timing ? step.warmup + step.runs : 1);
  command.environment.emplace_back("XNN_LOG_LEVEL", timing ? "0" : "5");
  if (timing) {
    command.arguments.emplace_back("--etdump_path");
    command.arguments.push_back(target.name_of_output(etdump));
    if (const auto status = target.forget_output(etdump); !status)
      return fail(record, status.error().to_string());
  }
  add_extra_arguments(experiment, command);
  command.log_file = log;
  command.interrupted = interrupted;
  record.command = target.words_of(command);
  record.started_at = utc_now();
  const auto result = timing ? target.run(command) : target.run_traced(command);
  if (!result) return fail(record, result.error().to_string());
  take_result(*result, log, record);
  if (!timing || record.status == StepStatus::kInterrupted) return;
  const auto pulled = target.pull(etdump);
  if (!pulled && record.status == StepStatus::kOk)
    fail(record, fmt::format("{}; was the runner built with the event tracer?", pulled.error().to_string()));
}

void evaluate_trace_log(std::string_view log, StepRecord& record) {
  if (record.status == StepStatus::kOk && log.find("microkernel") == std::string_view::npos)
    record.remarks.emplace_back(
        "XNNPACK logged no microkernel: only a runner compiled with XNN_LOG_LEVEL of 4 or more does");
}

void evaluate_etdump(const std::string& etdump, StepRecord& record) {
  const Step& step = record.step;
  if (!record.has_etdump) return fail(record, "the ETDump is missing");
  auto latencies = read_latencies(etdump, step.warmup);
  if (!latencies)
    return fail(record, fmt::format("the ETDump cannot be read: {}", latencies.error().to_string()));
  record.latencies = *std::move(latencies);
  const std::int64_t expected = step.warmup + step.runs;
  if (record.latencies.executions != expected)
    record.remarks.push_back(fmt::format("the ETDump holds {} executions, {} were asked for",
                                         record.latencies.executions, expected));
  if (record.latencies.aborted > 0)
    record.remarks.push_back(fmt::format("{} executions have no end", record.latencies.aborted));
  if (record.latencies.measured_ms.empty())
    fail(record,
         fmt::format("the ETDump holds no complete execution after the {} of the warm-up", step.warmup));
}

}  // namespace

void evaluate_files(const Config& config, StepRecord& record) {
  const std::string etdump = path_of(config, etdump_name(config, record.step));
  const std::string log = path_of(config, log_name(config, record.step));
  const bool timing = record.step.mode == Mode::kTiming;
  record.has_log = is_file(log);
  record.has_etdump = timing && is_file(etdump);
  if (record.has_log) {
    if (const auto file = base::MappedFile::open(log)) {
      record.runner = parse_runner_log(file->text());
      if (!timing) evaluate_trace_log(file->text(), record);
    }
    if (record.runner.mentions_nan)
      record.remarks.emplace_back("the log mentions nan: the model's outputs may be broken");
  } else if (!timing && record.status == StepStatus::kOk) {
    fail(record, "the log is missing");
  }
  if (timing && record.status == StepStatus::kOk) evaluate_etdump(etdump, record);
}

StepRecord run_step(const Config& config, const Step& step, Target& target,
                    const std::atomic<bool>* interrupted) {
  StepRecord record{.step = step};
  const Experiment& experiment = config.experiments[step.experiment];
  std::error_code error;
  fs::create_directories(path_of(config, experiment.name), error);
  if (error) {
    fail(record, fmt::format("{}: cannot be created: {}", path_of(config, experiment.name), error.message()));
    return record;
  }
  const auto prepared = prepare(config, experiment, target);
  if (!prepared) {
    fail(record, prepared.error().to_string());
    return record;
  }
  record.state_before = device_state(target.read_facts(fact_patterns(Facts::kState)));
  if (step.separate_warmup > 0) run_separate_warmup(experiment, *prepared, target, interrupted, record);
  run_measured(config, *prepared, target, interrupted, record);
  evaluate_files(config, record);
  return record;
}

}  // namespace accelscope::experiments
