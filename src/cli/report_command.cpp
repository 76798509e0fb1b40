#include <fmt/core.h>

#include <algorithm>

#include "cli/analysis_arguments.h"
#include "cli/failure.h"
#include "cli/kit_output.h"
#include "cli/open_arguments.h"
#include "cli/verbs.h"
#include "jobs/reference_model.h"
#include "jobs/report.h"

namespace accelscope::cli {
namespace {

using base::Result;

base::Result<std::vector<jobs::PlatformFolder>> platforms_in(const std::vector<std::string>& words) {
  std::vector<jobs::PlatformFolder> platforms;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
      return base::fail(base::ErrorCode::kUsage,
                        "--combined takes NAME=DIR, such as mac=out/runs/mac; got {}", word);
    platforms.push_back({word.substr(0, equals), word.substr(equals + 1)});
    for (std::size_t i = 0; i + 1 < platforms.size(); ++i)
      if (platforms[i].name == platforms.back().name)
        return base::fail(base::ErrorCode::kUsage, "--combined names {} twice", platforms[i].name);
  }
  return platforms;
}

base::Result<jobs::ReportOutcome> make(const Arguments& arguments) {
  jobs::ReportOptions options;
  options.out = arguments.value("--out").value_or("");
  options.picture = arguments.value("--picture").value_or("");
  options.overhead = arguments.value("--overhead").value_or("");
  options.version = ACCELSCOPE_VERSION;
  ACCELSCOPE_TRY(options.input, analysis_options(arguments));
  if (!arguments.flag("--combined")) return jobs::report(options);
  if (!options.picture.empty())
    return base::fail(base::ErrorCode::kUsage, "--picture does not go with --combined");
  if (!options.overhead.empty())
    return base::fail(base::ErrorCode::kUsage, "--overhead does not go with --combined");
  ACCELSCOPE_TRY(const std::vector<jobs::PlatformFolder> platforms, platforms_in(arguments.positionals));
  return jobs::combined_report(platforms, options);
}

base::Status refuse_other_options(const Arguments& arguments) {
  for (const char* option : {"--combined", "--compat", "--json", "--markdown"})
    if (arguments.flag(option))
      return base::fail(base::ErrorCode::kUsage, "{} does not go with --model reference", option);
  for (const char* option :
       {"--out", "--picture", "--overhead", "--notes", "--title", "--baseline", "--candidate"})
    if (arguments.value(option))
      return base::fail(base::ErrorCode::kUsage, "{} does not go with --model reference", option);
  return {};
}

int print_reference_model(const Arguments& arguments) {
  if (const base::Status alone = refuse_other_options(arguments); !alone)
    return report_failure(alone.error());
  const Result<formats::open::OpenOptions> options = open_options(arguments);
  if (!options) return report_failure(options.error());
  const Result<std::string> text = jobs::reference_model(arguments.positionals, *options);
  if (!text) return report_failure(text.error());
  fmt::print("{}", *text);
  return kExitOk;
}

int run_report(const Arguments& arguments) {
  if (arguments.value("--model") == "reference") return print_reference_model(arguments);
  if (arguments.flag("--compat")) return write_kit_report_files(arguments);
  const Result<jobs::ReportOutcome> outcome = make(arguments);
  if (!outcome) return report_failure(outcome.error());
  if (const base::Status printed = print_findings(outcome->findings, arguments); !printed)
    return report_failure(printed.error());
  for (const jobs::WrittenFile& file : outcome->files)
    fmt::print(stderr, "wrote {}: {}\n", file.path, file.what);
  return kExitOk;
}

}  // namespace

Command report_command() {
  std::vector<OptionSpec> options{
      {.name = "--out",
       .short_name = "-o",
       .value = "FILE",
       .help = "the Markdown report (default for a directory: report.md inside it)"},
      {.name = "--picture",
       .short_name = "",
       .value = "FILE",
       .help = "of a chip's run: also draw it, as convert does (.pftrace, .json)"},
      {.name = "--overhead",
       .short_name = "",
       .value = "FILE",
       .help =
           "of a chip's run: quote in the trust box what recording costs, as `accelscope overhead --save` "
           "measured it (default: an overhead.json beside the recording)"},
      {.name = "--notes", .short_name = "", .value = "FILE", .help = "your own findings, added at the end"},
      {.name = "--combined",
       .short_name = "",
       .value = "",
       .help = "several platforms in one report; inputs are NAME=DIR"},
      {.name = "--compat",
       .short_name = "",
       .value = "",
       .help = "write the profiling kit's report.md (with --combined: combined_report.md) instead"},
      {.name = "--model",
       .short_name = "",
       .value = "MODEL",
       .help = "reference: print what the reference's own analysers of chip swimlanes say instead, for "
               "comparison",
       .choices = {"accelscope", "reference"}}};
  for (OptionSpec& option : print_option_specs()) options.push_back(std::move(option));
  for (OptionSpec& option : analysis_option_specs()) options.push_back(std::move(option));
  return {
      .name = "report",
      .summary = "where the time went, what changed, whether it is real, what to do",
      .description =
          "Reads a run directory (of `accelscope bench` or of the profiling kit) or single recordings, and "
          "prints the report. The recording of a chip's run, with what lies beside it, is explained by "
          "itself: "
          "who is the bottleneck, where each core's time went, the critical path, what if. For a run "
          "directory it also writes report.md, operator_analysis.json, kernel_view.md and "
          "findings.json into it (with --out: beside that). Who is compared with whom: --baseline and "
          "--candidate, else the compare "
          "pairs of "
          "the config, else names that say on and off. A saved findings file is taken wherever a recording "
          "is.",
      .examples = {"accelscope report out_toy/runs/mac",
                   "accelscope report off.etdump on.etdump --baseline off --candidate on --out report.md",
                   "accelscope report --combined mac=out_toy/runs/mac android=out_toy/runs/android",
                   "accelscope report out_toy/runs/mac --json | jq '.sections[].title'",
                   "accelscope report chip_swimlane_records.json --picture run.pftrace"},
      .positionals =
          {{.name = "IN",
            .help =
                "a run directory, or recordings: ETDump, timeline CSV, kernel log, chip swimlane, findings",
            .at_most = kManyInputs}},
      .options = std::move(options),
      .run = run_report};
}

}  // namespace accelscope::cli
