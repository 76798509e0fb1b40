// Programs made to order, from a name and parameters: parts of neural networks with sections and tensors
// named, to profile, to lint and to run.
//
// The same text gives the same listing on every machine. docs/isa.md has the list with all parameters and
// what each expects in the memories. Pure functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const GeneratedProgram made, generate("linear:rows=128,in=64,out=256"));
//   made.listing
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/parameters.h"
#include "base/result.h"
#include "isa/generated_program.h"

namespace accelscope::isa {

struct ProgramGenerator {
  std::string_view name;
  std::string_view help;
  std::span<const base::Parameter> parameters;
  // What `--shape AxBxC` gives, in this order.
  std::span<const std::string_view> shape;
  base::Result<GeneratedProgram> (*make)(const base::ParameterValues& parameters);
};

// In alphabetical order.
std::span<const ProgramGenerator> program_generators();

// A line for each generator and each of its parameters with default and range.
std::string program_generators_help();

// "name" or "name:parameter=value,parameter=value".
base::Result<GeneratedProgram> generate(std::string_view text);
// Only its listing.
base::Result<std::string> generate_program(std::string_view text);

// The generator of that name; an error says what there is.
base::Result<const ProgramGenerator*> find_generator(std::string_view name);

}  // namespace accelscope::isa
