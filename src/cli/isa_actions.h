// The actions of `accelscope isa` that have a file of their own. command.h says what a description holds.
#pragma once

#include "cli/command.h"

namespace accelscope::cli {

Command isa_gen_action();
Command isa_lint_action();
Command isa_profile_action();

}  // namespace accelscope::cli
