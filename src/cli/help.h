// Help texts, made from the tables of commands. Pure functions.
//
//   fmt::print("{}", command_help(*command));
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace accelscope::cli {

std::string program_help(const std::vector<Command>& commands);
std::string command_help(const Command& command);
// "usage: accelscope convert IN [IN ...] -o OUT [options]"
std::string usage_line(const Command& command);

}  // namespace accelscope::cli
