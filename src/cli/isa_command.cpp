#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/closest_name.h"
#include "base/human.h"
#include "base/mapped_file.h"
#include "base/output_file.h"
#include "cli/failure.h"
#include "cli/verbs.h"
#include "isa/assembler.h"
#include "isa/disassembler.h"
#include "isa/words.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Status;

// Everything found in a file, and whether it may be used.
Status print_diagnostics(const isa::Diagnostics& found) {
  fmt::print(stderr, "{}", found.to_string());
  if (found.ok()) return {};
  return base::fail_at(base::Location::of_file(found.file()), ErrorCode::kMalformed,
                       "{} error{}; nothing was written", base::format_count(found.errors()),
                       found.errors() == 1 ? "" : "s");
}

struct IsaOptions {
  std::string file;
  std::string out;
  isa::Dialect dialect = isa::Dialect::kStrict;
};

Status assemble_file(const IsaOptions& options) {
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(options.file));
  const isa::Assembly made = isa::assemble(file.path(), file.text(), options.dialect);
  ACCELSCOPE_CHECK(print_diagnostics(made.diagnostics));
  return base::write_file(options.out, [&](base::Output& out) { isa::write_words(out, made.words); });
}

Status disassemble_file(const IsaOptions& options) {
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(options.file));
  const isa::Words read = isa::read_words(file.path(), file.text());
  ACCELSCOPE_CHECK(print_diagnostics(read.diagnostics));
  return base::write_file(options.out,
                          [&](base::Output& out) { isa::disassemble(out, read.words, options.dialect); });
}

struct Action {
  std::string_view name;
  Status (*run)(const IsaOptions& options);
};

constexpr std::array kActions{Action{"asm", assemble_file}, Action{"disasm", disassemble_file}};

base::Result<const Action*> action_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Action& action : kActions) {
    if (action.name == name) return &action;
    names.push_back(action.name);
  }
  return base::fail(ErrorCode::kUsage, "isa {}: expected {}{}", name, fmt::join(names, " or "),
                    base::suggestion(name, names));
}

int run_isa(const Arguments& arguments) {
  const base::Result<const Action*> action = action_named(arguments.positionals[0]);
  if (!action) return report_failure(action.error());
  const IsaOptions options{
      arguments.positionals[1], arguments.value("--out").value_or("-"),
      isa::dialect_named(arguments.value("--dialect").value_or("")).value_or(isa::Dialect::kStrict)};
  if (const Status done = (*action)->run(options); !done) return report_failure(done.error());
  return kExitOk;
}

}  // namespace

Command isa_command() {
  return {.name = "isa",
          .summary = "assemble and disassemble programs of the modelled accelerator",
          .description =
              "`isa asm` makes instruction words of a listing, one a line (0x00200062); `isa disasm` makes a "
              "listing of words that assembles to the same words. All errors of a file are reported at once, "
              "each with its line, and then nothing is written. The dialect `strict` encodes what the "
              "hardware executes; `reference` encodes bit for bit what the reference assembler does, its "
              "mistakes included. Lines that mean something else in the other one are warned about.",
          .examples = {"accelscope isa asm program.asm -o program.mem",
                       "accelscope isa asm program.asm --dialect reference -o program.mem",
                       "accelscope isa disasm program.mem | less"},
          .positionals = {{.name = "ACTION", .help = "asm or disasm"},
                          {.name = "FILE", .help = "a listing, or for disasm a file of words"}},
          .options = {{.name = "--out",
                       .short_name = "-o",
                       .value = "FILE",
                       .help = "where to write (default: standard output)"},
                      {.name = "--dialect",
                       .short_name = "",
                       .value = "DIALECT",
                       .help = "how operands are encoded (default: strict)",
                       .choices = {"strict", "reference"}}},
          .run = run_isa};
}

}  // namespace accelscope::cli
