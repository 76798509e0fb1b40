#include <fmt/core.h>

#include "base/human.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "cli/analysis_arguments.h"
#include "cli/emulate_arguments.h"
#include "cli/failure.h"
#include "cli/interrupt.h"
#include "cli/verbs.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;
using base::Status;

int reject(const isa::Diagnostics& rejected) {
  fmt::print(stderr, "{}", rejected.to_string());
  return report_failure({ErrorCode::kMalformed,
                         fmt::format("{} error{}; nothing was run", base::format_count(rejected.errors()),
                                     rejected.errors() == 1 ? "" : "s"),
                         base::Location::of_file(rejected.file())});
}

// What the reference prints, where its user looks for it.
Status print_reference_lines(const jobs::EmulateOutcome& outcome, const Arguments& arguments) {
  const std::string level = arguments.value("--log-level").value_or("info");
  const bool quiet = level == "off" || level == "error" || level == "warn";
  if (arguments.flag("--compat") && !quiet)
    for (const std::string& line : outcome.reference_lines) fmt::print(stderr, "{}\n", line);
  const auto file = arguments.value("--log-file");
  if (!file) return {};
  return base::write_file(*file, [&](base::Output& out) {
    if (quiet) return;
    for (const std::string& line : outcome.reference_lines) {
      out.append(line);
      out.append('\n');
    }
  });
}

int exit_code(const jobs::EmulateOutcome& outcome) {
  if (outcome.partial) {
    fmt::print(stderr, "accelscope: interrupted: what is shown is the part until then\n");
    return kExitInterrupted;
  }
  if (outcome.differences.empty()) return kExitOk;
  for (const std::string& difference : outcome.differences)
    fmt::print(stderr, "accelscope: not as expected: {}\n", difference);
  return kExitGate;
}

int run_emulate(const Arguments& arguments) {
  Result<jobs::EmulateOptions> options = emulate_options(arguments);
  if (!options) return report_failure(options.error());
  options->stop = &watch_for_interrupt();
  Result<jobs::EmulateOutcome> outcome;
  {
    base::Progress progress("emulating, instructions", 0);
    options->progress = [&](std::uint64_t instructions) { progress.advance_to(instructions); };
    outcome = jobs::emulate(*options);
  }
  if (!outcome) return report_failure(outcome.error());
  if (outcome->rejected) return reject(*outcome->rejected);
  if (const Status printed = print_findings(outcome->findings, arguments); !printed)
    return report_failure(printed.error());
  if (const Status printed = print_reference_lines(*outcome, arguments); !printed)
    return report_failure(printed.error());
  for (const jobs::WrittenFile& file : outcome->files) fmt::print(stderr, "wrote {}\n", file.path);
  return exit_code(*outcome);
}

}  // namespace

Command emulate_command() {
  return {
      .name = "emulate",
      .summary = "run a program on the modelled accelerator, with a memory model and a board",
      .description =
          "Runs a program instruction by instruction: what it leaves in the memories, how long it takes, "
          "where "
          "the time goes by unit, instruction and section, what bounds it and what would be left if memory, "
          "link or scalar instructions cost nothing. Several boards, memory models, timings and tables of "
          "costs are run side by side. The timeline can be written as a trace; memories can be dumped and "
          "compared with what is expected. A folder of `accelscope isa gen --images`, or a build folder of "
          "the "
          "reference's test bench, can stand for all its files. Ctrl-C ends a run and shows what is known.",
      .examples = {"accelscope emulate program.asm --hbm hbm.bin --board nexys_video",
                   "accelscope emulate build --board nexys_video,custom_a7 --memory-model hbm,weight-stream",
                   "accelscope emulate build --timing overlap --costs rtl --trace units -o run.pftrace",
                   "accelscope emulate build --compat --dram reference-hbm2",
                   "accelscope emulate build --expect expected.json --dump-vram out.bin:0-4096"},
      .positionals = {{.name = "PROGRAM",
                       .help = "a listing, instruction words, or a folder with a program and its images",
                       .at_least = 0}},
      .options = emulate_option_specs(),
      .run = run_emulate};
}

}  // namespace accelscope::cli
