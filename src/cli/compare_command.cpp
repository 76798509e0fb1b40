#include "jobs/compare.h"

#include <fmt/core.h>

#include "cli/analysis_arguments.h"
#include "cli/failure.h"
#include "cli/kit_output.h"
#include "cli/verbs.h"

namespace accelscope::cli {
namespace {

using base::Result;

Result<jobs::CompareOutcome> make(const Arguments& arguments) {
  jobs::CompareJobOptions options;
  options.baseline = arguments.positionals[0];
  options.candidate = arguments.positionals[1];
  options.allow_thread_mismatch = arguments.flag("--allow-thread-mismatch");
  options.strict = arguments.flag("--strict");
  options.junit = arguments.value("--junit").value_or("");
  options.version = ACCELSCOPE_VERSION;
  ACCELSCOPE_TRY(options.input, analysis_options(arguments));
  if (const std::optional<std::string> gate = arguments.value("--gate")) {
    ACCELSCOPE_TRY(options.gate, parse_percent("--gate", *gate));
  }
  if (!options.gate && (!options.junit.empty() || options.strict))
    return base::fail(base::ErrorCode::kUsage, "--junit and --strict belong to --gate");
  return jobs::compare(options);
}

int run_compare(const Arguments& arguments) {
  if (arguments.flag("--compat")) return write_kit_comparison_files(arguments);
  const Result<jobs::CompareOutcome> outcome = make(arguments);
  if (!outcome) return report_failure(outcome.error());
  if (const base::Status printed = print_findings(outcome->findings, arguments); !printed)
    return report_failure(printed.error());
  if (outcome->gate_failed) return kExitGate;
  return outcome->compared ? kExitOk : kExitFailure;
}

}  // namespace

Command compare_command() {
  std::vector<OptionSpec> options{
      {.name = "--gate",
       .short_name = "",
       .value = "PERCENT",
       .help = "exit code 2 when the candidate is slower by this much, with confidence"},
      {.name = "--strict",
       .short_name = "",
       .value = "",
       .help = "with --gate: what cannot be decided fails, too"},
      {.name = "--junit", .short_name = "", .value = "FILE", .help = "with --gate: the result as JUnit XML"},
      {.name = "--compat",
       .short_name = "",
       .value = "",
       .help =
           "write the profiling kit's comparison files instead (two timeline CSVs, named by --baseline and "
           "--candidate)"},
      {.name = "--out",
       .short_name = "-o",
       .value = "DIR",
       .help = "with --compat: folder for the files (default: that of the baseline)"}};
  for (OptionSpec& option : print_option_specs()) options.push_back(std::move(option));
  for (OptionSpec& option : analysis_option_specs()) options.push_back(std::move(option));
  return {
      .name = "compare",
      .summary = "what changed between two recordings, with confidence; a gate for CI",
      .description =
          "The first input is the baseline, the second the candidate; speedup is baseline over candidate. "
          "Says "
          "faster, slower, no difference, or inconclusive with the number of runs that would decide; which "
          "operators and categories the change comes from; and where the bottleneck is now. With --gate the "
          "exit "
          "code is 2 when the candidate is slower by more than that and the interval excludes chance.",
      .examples = {"accelscope compare off.etdump on.etdump",
                   "accelscope compare main.findings.json branch.etdump --gate 3% --junit gate.xml",
                   "accelscope compare runs/mac runs/mac --baseline sme2_off --candidate sme2_on"},
      .positionals = {{.name = "BASE",
                       .help = "the baseline: a recording, a run directory or saved findings"},
                      {.name = "CAND", .help = "the candidate"}},
      .options = std::move(options),
      .run = run_compare};
}

}  // namespace accelscope::cli
