// From argv to a command and its arguments. The only part of the program that knows the option parser.
//
// Pure but for reading the tables of commands; one call per process.
//
//   const ParsedLine line = parse_command_line(commands(), argc, argv);
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace accelscope::cli {

struct ParsedLine {
  enum class Kind : unsigned char { kRun, kHelp, kVersion, kBadUsage };
  Kind kind = Kind::kBadUsage;
  const Command* command = nullptr;  // none: the program as a whole
  Arguments arguments = {};
  std::string problem = {};  // for kBadUsage
};

ParsedLine parse_command_line(const std::vector<Command>& commands, int argc, const char* const* argv);

}  // namespace accelscope::cli
