#include <fmt/core.h>
#include <unistd.h>

#include "base/human.h"
#include "base/output.h"
#include "cli/analysis_arguments.h"
#include "cli/failure.h"
#include "cli/isa_actions.h"
#include "cli/isa_arguments.h"
#include "jobs/isa_lint.h"

namespace accelscope::cli {
namespace {

using base::Result;
using base::Status;

Result<jobs::IsaLintOptions> lint_options(const Arguments& arguments) {
  jobs::IsaLintOptions options{.files = arguments.positionals, .version = ACCELSCOPE_VERSION};
  ACCELSCOPE_TRY(options.machine, machine_options(arguments));
  options.dialect = dialect_of(arguments);
  return options;
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", base::format_count(count), what, count == 1 ? "" : "s");
}

// As compilers print it.
Status print_text(const jobs::IsaLintOutcome& outcome) {
  base::DescriptorOutput output(STDOUT_FILENO, "standard output");
  for (const isa::Diagnostics& found : outcome.diagnostics)
    output.append(found.to_string(isa::Diagnostics::Rules::kShown));
  output.append(fmt::format("{}, {}, {}\n", counted(outcome.errors, "error"),
                            counted(outcome.warnings, "warning"), counted(outcome.notes, "note")));
  return output.flush();
}

int run_lint(const Arguments& arguments) {
  const Result<jobs::IsaLintOptions> options = lint_options(arguments);
  if (!options) return report_failure(options.error());
  const Result<jobs::IsaLintOutcome> outcome = jobs::lint_programs(*options);
  if (!outcome) return report_failure(outcome.error());
  const bool as_findings = arguments.flag("--json") || arguments.flag("--markdown");
  const Status printed = as_findings ? print_findings(outcome->findings, arguments) : print_text(*outcome);
  if (!printed) return report_failure(printed.error());
  const bool bad = outcome->errors > 0 || (arguments.flag("--werror") && outcome->warnings > 0);
  return bad ? kExitFailure : kExitOk;
}

}  // namespace

Command isa_lint_action() {
  std::vector<OptionSpec> options = machine_option_specs();
  options.push_back(dialect_option());
  options.push_back(
      {.name = "--werror", .short_name = "", .value = "", .help = "warnings, too, make the exit code 1"});
  for (OptionSpec& option : print_option_specs()) options.push_back(std::move(option));
  return {
      .name = "isa lint",
      .summary = "what an expert would catch in a program, with line and rule",
      .description =
          "Looks for addresses that are misaligned or out of range, loops that miscount, registers that "
          "are never set, prefetches that nothing reads, accumulators that are not written out, and more. "
          "Registers are worked out through loops by arithmetic; only what is certain is reported. Exit "
          "code 1 when there is an error, 0 with warnings and notes only.",
      .examples = {"accelscope isa lint program.asm",
                   "accelscope isa lint *.asm --board nexys_video --werror",
                   "accelscope isa lint program.asm --mlen 16 --blen 4 --json"},
      .positionals = {{.name = "FILE", .help = "a listing, or words", .at_most = kManyInputs}},
      .options = std::move(options),
      .run = run_lint};
}

}  // namespace accelscope::cli
