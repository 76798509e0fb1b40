#include <fmt/core.h>
#include <unistd.h>

#include "base/human.h"
#include "base/output.h"
#include "cli/analysis_arguments.h"
#include "cli/failure.h"
#include "cli/isa_actions.h"
#include "cli/isa_arguments.h"
#include "jobs/isa_profile.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;

Result<jobs::IsaProfileOptions> profile_options(const Arguments& arguments) {
  jobs::IsaProfileOptions options{.files = arguments.positionals, .version = ACCELSCOPE_VERSION};
  ACCELSCOPE_TRY(options.machine, machine_options(arguments));
  options.dialect = dialect_of(arguments);
  if (arguments.value("--cycles") == "reference") options.model = isa::CycleModel::kReference;
  if (!arguments.flag("--compat")) return options;
  for (const std::string_view option : {"--cycles", "--dialect"})
    if (arguments.value(option))
      return base::fail(ErrorCode::kUsage, "--compat has its own rules; {} does not go with it", option);
  if (arguments.flag("--markdown"))
    return base::fail(ErrorCode::kUsage, "--compat prints text or, with --json, JSON; no Markdown");
  return options;
}

Status print_reference(const jobs::IsaProfileOptions& options, bool json) {
  ACCELSCOPE_TRY(const std::string text, jobs::reference_profiles(options, json));
  base::DescriptorOutput output(STDOUT_FILENO, "standard output");
  output.append(text);
  return output.flush();
}

int run_profile(const Arguments& arguments) {
  const Result<jobs::IsaProfileOptions> options = profile_options(arguments);
  if (!options) return report_failure(options.error());
  if (arguments.flag("--compat")) {
    const Status printed = print_reference(*options, arguments.flag("--json"));
    return printed ? kExitOk : report_failure(printed.error());
  }
  const Result<jobs::IsaProfileOutcome> outcome = jobs::profile_programs(*options);
  if (!outcome) return report_failure(outcome.error());
  int code = kExitOk;
  for (const isa::Diagnostics& rejected : outcome->rejected) {
    fmt::print(stderr, "{}", rejected.to_string());
    code =
        report_failure({ErrorCode::kMalformed,
                        fmt::format("{} error{}; there is no profile", base::format_count(rejected.errors()),
                                    rejected.errors() == 1 ? "" : "s"),
                        base::Location::of_file(rejected.file())});
  }
  if (code != kExitOk) return code;
  const Status printed = print_findings(outcome->findings, arguments);
  return printed ? kExitOk : report_failure(printed.error());
}

}  // namespace

Command isa_profile_action() {
  std::vector<OptionSpec> options = machine_option_specs();
  options.push_back({.name = "--cycles",
                     .short_name = "",
                     .value = "RULE",
                     .help = "whose rule says what an instruction costs (default: emulator)",
                     .choices = {"emulator", "reference"}});
  options.push_back(dialect_option());
  options.push_back({.name = "--compat",
                     .short_name = "",
                     .value = "",
                     .help = "print what the reference's profiler prints instead; with --json, its JSON"});
  for (OptionSpec& option : print_option_specs()) options.push_back(std::move(option));
  return {.name = "isa profile",
          .summary = "how many cycles a program takes on which board, and where they go",
          .description =
              "Counts what a program carries out, loops by arithmetic and never by running, and what that "
              "costs: by instruction, unit, layer, section and kernel, in cycles and in time, with the bytes "
              "of external memory; several programs and boards side by side. Ends with what to optimise and "
              "what that would bring at most. What a flag says is stronger than what a board says, and that "
              "is stronger than the settings.",
          .examples = {"accelscope isa profile program.asm --board nexys_video",
                       "accelscope isa profile *.asm --board v80,nexys_a7 --mlen 16 --markdown",
                       "accelscope isa profile program.asm --settings plena_settings.toml --json",
                       "accelscope isa profile program.asm --board nexys_video --compat"},
          .positionals = {{.name = "FILE", .help = "a listing, or words", .at_most = kManyInputs}},
          .options = std::move(options),
          .run = run_profile};
}

}  // namespace accelscope::cli
