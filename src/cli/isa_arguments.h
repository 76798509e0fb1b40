// What the actions of `accelscope isa` share: options, and how they become those of the jobs.
//
// Pure functions over the parsed words.
//
//   options.dialect = dialect_of(arguments);
#pragma once

#include "cli/command.h"
#include "isa/encoder.h"

namespace accelscope::cli {

OptionSpec dialect_option();
isa::Dialect dialect_of(const Arguments& arguments);

}  // namespace accelscope::cli
