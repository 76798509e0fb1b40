// Programs made to order, from a name and parameters: parts of neural networks with sections and tensors
// named, to profile, to lint and to run.
//
// The same text gives the same listing on every machine. docs/isa.md has the list with all parameters and
// what each expects in the memories. Pure functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const std::string listing, generate_program("linear:rows=128,in=64,out=256"));
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/parameters.h"
#include "base/result.h"

namespace accelscope::isa {

struct ProgramGenerator {
  std::string_view name;
  std::string_view help;
  std::span<const base::Parameter> parameters;
  base::Result<std::string> (*make)(const base::ParameterValues& parameters);
};

// In alphabetical order.
std::span<const ProgramGenerator> program_generators();

// A line for each generator and each of its parameters with default and range.
std::string program_generators_help();

// "name" or "name:parameter=value,parameter=value".
base::Result<std::string> generate_program(std::string_view text);

}  // namespace accelscope::isa
