#include "jobs/bench.h"

#include <fmt/core.h>

#include "experiments/manifest.h"
#include "jobs/bench_files.h"
#include "jobs/report.h"

namespace accelscope::jobs {
namespace {

using base::Result;
using experiments::BenchResult;
using experiments::Config;
using experiments::Platform;
using experiments::Target;

std::unique_ptr<Target> target_for(const Config& config, const BenchJobOptions& options) {
  if (config.platform == Platform::kLocal) return experiments::make_local_target();
  experiments::AdbOptions adb = options.adb;
  if (adb.serial.empty()) adb.serial = config.device;
  return experiments::make_adb_target(std::move(adb));
}

}  // namespace

Result<BenchOutcome> bench(const BenchJobOptions& options) {
  ACCELSCOPE_TRY(const Config config, experiments::load_config(options.config, options.config_options));
  const std::unique_ptr<Target> target = target_for(config, options);
  ACCELSCOPE_TRY(BenchResult result, experiments::run_bench(config, *target, options.run));
  BenchOutcome outcome;
  outcome.warnings = config.warnings;
  outcome.files = {{fmt::format("{}/manifest.json", config.output_root), "what was run, and how"},
                   {fmt::format("{}/metrics.json", config.output_root), "latency of every run"}};
  outcome.result = std::move(result);
  if (outcome.result.interrupted) {
    outcome.no_report = "interrupted; go on with --resume";
    return outcome;
  }
  ACCELSCOPE_TRY(const std::vector<WrittenFile> written,
                 write_bench_files(outcome.result.state, options.compat));
  outcome.files.insert(outcome.files.end(), written.begin(), written.end());
  ReportOptions report_options{.input = options.analysis, .version = options.run.tool_version};
  report_options.input.inputs = {config.output_root};
  Result<ReportOutcome> made = report(report_options);
  if (!made) {
    outcome.no_report = made.error().to_string();
    return outcome;
  }
  outcome.findings = std::move(made->findings);
  outcome.files.insert(outcome.files.end(), made->files.begin(), made->files.end());
  return outcome;
}

}  // namespace accelscope::jobs
