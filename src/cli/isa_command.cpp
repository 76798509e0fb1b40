#include <fmt/core.h>

#include "base/human.h"
#include "cli/failure.h"
#include "cli/isa_actions.h"
#include "cli/isa_arguments.h"
#include "cli/verbs.h"
#include "jobs/isa_files.h"

namespace accelscope::cli {
namespace {

using base::Result;

using FileJob = Result<isa::Diagnostics> (*)(const jobs::IsaFileOptions& options);

int run_file_job(const Arguments& arguments, FileJob job) {
  const Result<isa::Diagnostics> found = job({.file = arguments.positionals.front(),
                                              .output = arguments.value("--output").value_or("-"),
                                              .dialect = dialect_of(arguments)});
  if (!found) return report_failure(found.error());
  fmt::print(stderr, "{}", found->to_string());
  if (found->ok()) return kExitOk;
  return report_failure({base::ErrorCode::kMalformed,
                         fmt::format("{} error{}; nothing was written", base::format_count(found->errors()),
                                     found->errors() == 1 ? "" : "s"),
                         base::Location::of_file(found->file())});
}

int run_asm(const Arguments& arguments) {
  return run_file_job(arguments, jobs::assemble_file);
}

int run_disasm(const Arguments& arguments) {
  return run_file_job(arguments, jobs::disassemble_file);
}

Command asm_action() {
  return {.name = "isa asm",
          .summary = "a listing to instruction words",
          .description =
              "Makes instruction words of a listing, one a line (0x00200062). All errors of a file are "
              "reported at once, each with its line, and then nothing is written. Lines that mean something "
              "else in the other dialect are warned about.",
          .examples = {"accelscope isa asm program.asm -o program.mem",
                       "accelscope isa asm program.asm --dialect reference -o program.mem"},
          .positionals = {{.name = "FILE", .help = "a listing"}},
          .options = {isa_output_option(), dialect_option()},
          .run = run_asm};
}

Command disasm_action() {
  return {.name = "isa disasm",
          .summary = "instruction words to a listing",
          .description = "Makes a listing of words that assembles to the same words in the same dialect.",
          .examples = {"accelscope isa disasm program.mem | less"},
          .positionals = {{.name = "FILE", .help = "words, one a line"}},
          .options = {isa_output_option(), dialect_option()},
          .run = run_disasm};
}

}  // namespace

Command isa_command() {
  return {
      .name = "isa",
      .summary = "programs of the modelled accelerator: assemble, profile, check, make",
      .description =
          "Programs of the modelled accelerator without running them. The dialect `strict` reads a "
          "listing as what the hardware executes; `reference` bit for bit as the reference assembler "
          "does, its mistakes included.",
      .examples = {"accelscope isa asm program.asm -o program.mem",
                   "accelscope isa profile program.asm --board nexys_video,v80",
                   "accelscope isa disasm program.mem | less"},
      .positionals = {},
      .options = {},
      .actions = {asm_action(), disasm_action(), isa_profile_action(), isa_lint_action(), isa_gen_action()}};
}

}  // namespace accelscope::cli
