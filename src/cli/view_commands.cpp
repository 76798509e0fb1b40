#include <fmt/core.h>

#include "cli/analysis_arguments.h"
#include "cli/failure.h"
#include "cli/kit_output.h"
#include "cli/verbs.h"
#include "jobs/kit.h"
#include "jobs/report.h"

namespace accelscope::cli {
namespace {

base::Result<findings::Findings> make(jobs::View view, const Arguments& arguments) {
  jobs::ReportOptions options;
  options.version = ACCELSCOPE_VERSION;
  ACCELSCOPE_TRY(options.input, analysis_options(arguments));
  ACCELSCOPE_TRY(findings::Findings findings, jobs::view(view, options));
  if (arguments.flag("--compat-categories")) jobs::add_kit_categories(findings);
  return findings;
}

int run_view(jobs::View view, const Arguments& arguments) {
  if (arguments.flag("--compat")) return write_kit_view_files(view, arguments);
  const base::Result<findings::Findings> findings = make(view, arguments);
  if (!findings) return report_failure(findings.error());
  if (const base::Status printed = print_findings(*findings, arguments); !printed)
    return report_failure(printed.error());
  return kExitOk;
}

int run_latency(const Arguments& arguments) {
  return run_view(jobs::View::kLatency, arguments);
}
int run_operators(const Arguments& arguments) {
  return run_view(jobs::View::kOperators, arguments);
}
int run_kernels(const Arguments& arguments) {
  return run_view(jobs::View::kKernels, arguments);
}

std::vector<OptionSpec> view_options(std::string_view compat_help) {
  std::vector<OptionSpec> options = print_option_specs();
  options.push_back({.name = "--compat", .short_name = "", .value = "", .help = compat_help});
  options.push_back({.name = "--out",
                     .short_name = "-o",
                     .value = "DIR",
                     .help = "with --compat: folder for the files (default: that of the input)"});
  for (OptionSpec& option : analysis_option_specs()) options.push_back(std::move(option));
  return options;
}

std::vector<PositionalSpec> view_inputs() {
  return {{.name = "IN",
           .help = "a run directory, or recordings: ETDump, timeline CSV, kernel log, findings",
           .at_most = kManyInputs}};
}

}  // namespace

Command latency_command() {
  return {.name = "latency",
          .summary = "latency of every execution: steady state, cold start, noise, drift",
          .description =
              "One value per execution of a method. Warm-up is told apart and shown, outliers are flagged "
              "and kept, "
              "percentiles appear when there are runs enough for them.",
          .examples = {"accelscope latency model.etdump",
                       "accelscope latency model.etdump --json | jq '.sections[0].metrics'"},
          .positionals = view_inputs(),
          .options = view_options("write the profiling kit's robust statistics (JSON) instead"),
          .run = run_latency};
}

Command operators_command() {
  std::vector<OptionSpec> options =
      view_options("write the profiling kit's category and operator CSV files instead");
  options.push_back({.name = "--compat-categories",
                     .short_name = "",
                     .value = "",
                     .help = "also list the profiling kit's two categories of every operator"});
  return {.name = "operators",
          .summary = "where the time goes: by category, operator type and operator",
          .description =
              "Splits the end-to-end time into operators, overhead of delegate calls and operator calls, "
              "control and "
              "framework; the parts sum to it exactly.",
          .examples = {"accelscope operators model.etdump",
                       "accelscope operators model.etdump --etrecord model.etrecord"},
          .positionals = view_inputs(),
          .options = std::move(options),
          .run = run_operators};
}

Command kernels_command() {
  std::vector<OptionSpec> options =
      view_options("write the profiling kit's kernels.csv and kernel view instead");
  options.push_back({.name = "--filter",
                     .short_name = "",
                     .value = "TEXT",
                     .help = "with --compat: only kernels whose name contains this"});
  return {.name = "kernels",
          .summary = "which kernels ran, on what evidence, and whether SME2 did the work",
          .description =
              "Reads XNNPACK kernel logs (stdio or logcat), kernels.csv files and timing recordings, and "
              "says for every "
              "compute operator what the evidence is worth.",
          .examples = {"accelscope kernels on.etdump on_xnntrace.log off_xnntrace.log",
                       "accelscope kernels out_toy/runs/mac"},
          .positionals = view_inputs(),
          .options = std::move(options),
          .run = run_kernels};
}

}  // namespace accelscope::cli
