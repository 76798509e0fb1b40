#include "jobs/bench.h"

#include <fmt/core.h>

#include <charconv>

#include "base/human.h"
#include "cli/analysis_arguments.h"
#include "cli/failure.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "cli/verbs.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;
using experiments::StepStatus;

void show_progress(const experiments::BenchProgress& progress) {
  if (progress.finished == nullptr) {
    fmt::print(
        stderr, "[{}/{}] {}{}\n", progress.step, progress.steps, progress.label,
        progress.time_left ? fmt::format(", about {} left", base::format_duration(*progress.time_left)) : "");
    return;
  }
  if (progress.finished->status != StepStatus::kOk)
    fmt::print(stderr, "[{}/{}] {}: {}, {}\n", progress.step, progress.steps, progress.label,
               status_name(progress.finished->status), progress.finished->reason);
}

Result<std::int64_t> parse_count(std::string_view option, std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1)
    return base::fail(ErrorCode::kUsage, "{} {}: expected a number from one up", option, text);
  return count;
}

Result<jobs::BenchJobOptions> bench_options(const Arguments& arguments) {
  jobs::BenchJobOptions options{.config = arguments.positionals.front()};
  ACCELSCOPE_TRY(options.analysis, analysis_options(arguments));
  options.compat = arguments.flag("--compat");
  options.config_options.compat = options.compat;
  options.adb.serial = arguments.value("--device").value_or("");
  options.adb.remote = arguments.value("--remote-device").value_or("");
  options.adb.program = arguments.value("--adb").value_or("adb");
  if (arguments.flag("--android") || !options.adb.serial.empty() || !options.adb.remote.empty())
    options.config_options.platform = experiments::Platform::kAndroid;
  if (arguments.value("--order").value_or("interleaved") == "sequential")
    options.run.schedule.order = experiments::Order::kSequential;
  if (arguments.value("--warmup").value_or("in-process") == "separate")
    options.run.schedule.warm_up = experiments::WarmUp::kSeparateProcess;
  if (const std::optional<std::string> rounds = arguments.value("--rounds")) {
    ACCELSCOPE_TRY(options.run.schedule.rounds, parse_count("--rounds", *rounds));
  }
  options.run.only = split_list(arguments.value("--only").value_or(""));
  options.run.analysis_only = arguments.flag("--analysis-only");
  if (arguments.flag("--resume") && arguments.flag("--replace"))
    return base::fail(ErrorCode::kUsage, "--resume and --replace exclude each other");
  if (arguments.flag("--resume")) options.run.if_exists = experiments::IfExists::kResume;
  if (arguments.flag("--replace")) options.run.if_exists = experiments::IfExists::kReplace;
  options.run.tool_version = ACCELSCOPE_VERSION;
  options.run.progress = show_progress;
  return options;
}

int run_bench(const Arguments& arguments) {
  Result<jobs::BenchJobOptions> options = bench_options(arguments);
  if (!options) return report_failure(options.error());
  options->run.interrupted = &watch_for_interrupt();
  const Result<jobs::BenchOutcome> outcome = jobs::bench(*options);
  if (!outcome) return report_failure(outcome.error());
  for (const std::string& warning : outcome->warnings) fmt::print(stderr, "warning: {}\n", warning);
  if (outcome->no_report.empty()) {
    if (const base::Status printed = print_findings(outcome->findings, arguments); !printed)
      return report_failure(printed.error());
  } else {
    fmt::print(stderr, "no report: {}\n", outcome->no_report);
  }
  for (const jobs::WrittenFile& file : outcome->files)
    fmt::print(stderr, "wrote {}: {}\n", file.path, file.what);
  const experiments::BenchResult& result = outcome->result;
  const std::size_t steps = result.state.steps.size();
  // What was not asked for is no failure.
  const std::size_t left_out = options->run.only.empty() ? 0 : result.count(StepStatus::kPending);
  fmt::print(stderr, "{} of {} steps ok{}\n", result.count(StepStatus::kOk), steps,
             result.skipped > 0 ? fmt::format(", {} of them from before", result.skipped) : "");
  if (result.interrupted) return kExitInterrupted;
  return result.count(StepStatus::kOk) + left_out == steps && outcome->no_report.empty() ? kExitOk
                                                                                         : kExitFailure;
}

}  // namespace

Command bench_command() {
  std::vector<OptionSpec> options{
      {.name = "--only",
       .short_name = "",
       .value = "NAMES",
       .help = "only these experiments, separated by commas"},
      {.name = "--order",
       .short_name = "",
       .value = "ORDER",
       .help =
           "interleaved (default): experiments take turns, so that drift does not favour one; or sequential",
       .choices = {"interleaved", "sequential"}},
      {.name = "--rounds",
       .short_name = "",
       .value = "N",
       .help = "processes per experiment (default: 5 interleaved, 1 sequential)"},
      {.name = "--warmup",
       .short_name = "",
       .value = "WHERE",
       .help = "in-process (default), or separate: a process of its own, as the profiling kit does",
       .choices = {"in-process", "separate"}},
      {.name = "--resume", .short_name = "", .value = "", .help = "do what an interrupted run left undone"},
      {.name = "--replace",
       .short_name = "",
       .value = "",
       .help = "begin anew in a directory that has results"},
      {.name = "--analysis-only",
       .short_name = "",
       .value = "",
       .help = "run nothing; analyse what is there"},
      {.name = "--android", .short_name = "", .value = "", .help = "run on the only device that adb knows"},
      {.name = "--device", .short_name = "", .value = "SERIAL", .help = "run on this device, through adb"},
      {.name = "--remote-device", .short_name = "", .value = "HOST:PORT", .help = "connect adb to it first"},
      {.name = "--adb", .short_name = "", .value = "PROGRAM", .help = "the adb to use (default: adb)"},
      {.name = "--compat",
       .short_name = "",
       .value = "",
       .help =
           "unknown keys of the config are warnings; also write the profiling kit's per-recording files"}};
  for (OptionSpec& option : print_option_specs()) options.push_back(std::move(option));
  for (OptionSpec& option : analysis_option_specs()) options.push_back(std::move(option));
  return {
      .name = "bench",
      .summary = "run the experiments of a config, here or on a device, and report",
      .description =
          "Runs every experiment of the config (docs/bench.md), writes a run directory with recordings, "
          "logs, "
          "manifest.json and metrics.json, and then the report. A failed experiment is recorded and the rest "
          "go "
          "on; Ctrl-C keeps what is finished, and --resume does the rest. Exit code 1 when a step failed, "
          "130 when "
          "interrupted.",
      .examples = {"accelscope bench toy.json",
                   "accelscope bench toy.json --only sme2_on,sme2_off --rounds 10",
                   "accelscope bench android.json --device R5CT1234", "accelscope bench toy.json --resume"},
      .positionals = {{.name = "CONFIG", .help = "the experiments, as JSON"}},
      .options = std::move(options),
      .run = run_bench};
}

}  // namespace accelscope::cli
