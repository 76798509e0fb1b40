#include <fmt/core.h>

#include <cmath>

#include "base/human.h"
#include "base/number_in.h"
#include "base/progress.h"
#include "cli/analysis_arguments.h"
#include "cli/failure.h"
#include "cli/verbs.h"
#include "jobs/overhead.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;

constexpr double kMostSeconds = 3600;

Result<jobs::OverheadJobOptions> overhead_options(const Arguments& arguments) {
  if (arguments.flag("--json") && arguments.flag("--markdown"))
    return base::fail(ErrorCode::kUsage, "--json and --markdown exclude each other");
  jobs::OverheadJobOptions options;
  options.save = arguments.value("--save").value_or("");
  options.version = ACCELSCOPE_VERSION;
  if (const auto length = arguments.value("--task-length")) {
    const Result<base::Nanoseconds> parsed = base::parse_duration(*length);
    if (!parsed || parsed->value <= 0)
      return base::fail(ErrorCode::kUsage, "--task-length {}: expected a time above zero, such as 10us",
                        *length);
    options.measure.task_length = *parsed;
  }
  if (const auto seconds = arguments.value("--seconds")) {
    const std::optional<double> parsed = base::number_in<double>(*seconds);
    if (!parsed || !(*parsed > 0 && *parsed <= kMostSeconds))
      return base::fail(ErrorCode::kUsage, "--seconds {}: expected a number above zero, at most {:g}",
                        *seconds, kMostSeconds);
    options.measure.time = std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(*parsed * 1e3)));
  }
  return options;
}

int run_overhead(const Arguments& arguments) {
  Result<jobs::OverheadJobOptions> options = overhead_options(arguments);
  if (!options) return report_failure(options.error());
  Result<findings::Findings> findings;
  {
    base::Progress progress("measuring", static_cast<std::uint64_t>(options->measure.time.count()));
    options->measure.progress = [&](std::chrono::milliseconds done) {
      progress.advance_to(static_cast<std::uint64_t>(std::min(done, options->measure.time).count()));
    };
    findings = jobs::overhead(*options);
  }
  if (!findings) return report_failure(findings.error());
  if (const base::Status printed = print_findings(*findings, arguments); !printed)
    return report_failure(printed.error());
  if (!options->save.empty())
    fmt::print(stderr, "wrote {}: for `accelscope report RUN --overhead {}`\n", options->save, options->save);
  return kExitOk;
}

}  // namespace

Command overhead_command() {
  std::vector<OptionSpec> options{
      {.name = "--task-length",
       .short_name = "",
       .value = "TIME",
       .help = "costs are shown as shares of a task of this length (default: 10us)"},
      {.name = "--seconds",
       .short_name = "",
       .value = "N",
       .help = "how long to measure (default: 3); longer is steadier"},
      {.name = "--save",
       .short_name = "",
       .value = "FILE",
       .help = "keep it as JSON, with the machine's name, for `report --overhead`"}};
  for (OptionSpec& option : print_option_specs()) options.push_back(std::move(option));
  return {.name = "overhead",
          .summary = "what recording the run of a chip costs on this machine",
          .description =
              "Measures the recorder with synthetic tasks: what the hooks of a task cost at every level and "
              "under every policy, beside a read of the clock; how many bytes they leave in memory and in "
              "the file; and what happens when the host cannot keep up. Takes a few seconds, and says when "
              "the machine was too noisy to trust the figures.",
          .examples = {"accelscope overhead", "accelscope overhead --task-length 2us --seconds 10",
                       "accelscope overhead --save overhead.json",
                       "accelscope report chip_swimlane_records.json --overhead overhead.json"},
          .positionals = {},
          .options = std::move(options),
          .run = run_overhead};
}

}  // namespace accelscope::cli
