// What the actions of `accelscope isa` share: options, and how they become those of the jobs.
//
// Pure functions over the parsed words.
//
//   options.dialect = dialect_of(arguments);
//   ACCELSCOPE_TRY(options.machine, machine_options(arguments));
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "isa/encoder.h"
#include "jobs/isa_machines.h"

namespace accelscope::cli {

OptionSpec isa_output_option();

OptionSpec dialect_option();
isa::Dialect dialect_of(const Arguments& arguments);

// --board, --settings, and the dimensions.
std::vector<OptionSpec> machine_option_specs();
base::Result<jobs::IsaMachineOptions> machine_options(const Arguments& arguments);

}  // namespace accelscope::cli
