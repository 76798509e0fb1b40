#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_in.h"
#include "cli/failure.h"
#include "cli/isa_actions.h"
#include "cli/isa_arguments.h"
#include "isa/generators.h"
#include "jobs/isa_files.h"
#include "jobs/program_files.h"

namespace accelscope::cli {
namespace {

using base::ErrorCode;
using base::Result;

jobs::ProgramWords words_of(const Arguments& arguments) {
  const auto word = [&](std::string_view option) { return arguments.value(option).value_or(""); };
  return {.program = arguments.positionals.front(),
          .model = word("--model"),
          .shape = word("--shape"),
          .rows = word("--rows"),
          .mlen = word("--mlen"),
          .blen = word("--blen")};
}

Result<emulator::InputOptions> inputs_of(const Arguments& arguments) {
  emulator::InputOptions inputs;
  if (arguments.value("--inputs") == "random") inputs.kind = emulator::InputKind::kRandom;
  if (const auto seed = arguments.value("--seed")) {
    const auto number = base::number_in<std::uint64_t>(*seed);
    if (!number) return base::fail(ErrorCode::kUsage, "--seed {}: expected a whole number", *seed);
    inputs.seed = *number;
  }
  return inputs;
}

base::Status generate(const Arguments& arguments) {
  const auto folder = arguments.value("--images");
  const auto output = arguments.value("--output");
  if (!folder && (arguments.value("--inputs") || arguments.value("--seed")))
    return base::fail(ErrorCode::kUsage, "--inputs and --seed are for --images");
  ACCELSCOPE_TRY(const emulator::InputOptions inputs, inputs_of(arguments));
  ACCELSCOPE_TRY(const std::string program, jobs::program_text(words_of(arguments)));
  if (output || !folder) ACCELSCOPE_CHECK(jobs::generate_file(program, output.value_or("-")));
  if (!folder) return {};
  ACCELSCOPE_TRY(const jobs::ProgramFiles made,
                 jobs::write_program_files({.program = program, .folder = *folder, .inputs = inputs}));
  fmt::print(stderr, "wrote {}: {}\n", *folder, fmt::join(made.names, ", "));
  return {};
}

int run_gen(const Arguments& arguments) {
  if (arguments.flag("--list")) {
    fmt::print("{}", isa::program_generators_help());
    return kExitOk;
  }
  if (arguments.positionals.empty())
    return report_failure(
        {ErrorCode::kUsage, "PROGRAM is missing; `accelscope isa gen --list` shows what can be made", {}});
  const base::Status made = generate(arguments);
  return made ? kExitOk : report_failure(made.error());
}

OptionSpec valued(std::string_view name, std::string_view value, std::string_view help) {
  return {.name = name, .short_name = "", .value = value, .help = help};
}

std::vector<OptionSpec> gen_options() {
  OptionSpec inputs =
      valued("--inputs", "KIND", "what they hold: sums without rounding, or noise (default: exact)");
  inputs.choices = {"exact", "random"};
  return {isa_output_option(),
          {.name = "--list", .short_name = "", .value = "", .help = "what can be made, with all parameters"},
          valued("--shape", "AxBxC", "the sides, as --list says: 128x64x256 of `linear` is rows, in and out"),
          valued("--rows", "N", "the first of them"),
          valued("--mlen", "N", "side of a tile, length of a row of vectors"),
          valued("--blen", "N", "rows and columns of one product, rows of a transfer"),
          valued("--model", "MODEL", "sides and heads of this model's layers; for `decoder-layer`"),
          valued("--images", "DIR", "write all that is needed to run it, and what to expect, to a folder"),
          inputs,
          valued("--seed", "N", "of the numbers in the inputs (default: 1)")};
}

}  // namespace

Command isa_gen_action() {
  return {.name = "isa gen",
          .summary = "a program made to order: a linear layer, attention, a norm, ...",
          .description =
              "Writes the listing of a part of a neural network, from a name and parameters, with its "
              "sections and tensors named. The same words give the same bytes everywhere. With --images also "
              "the memories that it runs on, settings, a weight manifest, and what it must compute.",
          .examples = {"accelscope isa gen linear:rows=128,in=64,out=256 -o linear.asm",
                       "accelscope isa gen linear --mlen 16 --blen 4 --shape 128x16x32 --images linear",
                       "accelscope isa gen decoder-layer --model smollm2-135m --rows 64 --images layer",
                       "accelscope isa gen --list"},
          .positionals = {{.name = "PROGRAM",
                           .help = "such as ffn, or ffn:rows=64,hidden=128; see --list",
                           .at_least = 0}},
          .options = gen_options(),
          .run = run_gen};
}

}  // namespace accelscope::cli
