#include "cli/program.h"

#include <fmt/core.h>

#include "cli/command_line.h"
#include "cli/failure.h"
#include "cli/help.h"
#include "cli/verbs.h"

namespace accelscope::cli {

const std::vector<Command>& commands() {
  // As --help lists them: what answers questions, what measures, what handles files, the rest.
  static const std::vector<Command> kCommands{
      report_command(),   compare_command(), latency_command(),   operators_command(), kernels_command(),
      run_command(),      emulate_command(), bench_command(),     overhead_command(),  isa_command(),
      fit_command(),      memory_command(),  manifest_command(),  perfmon_command(),   convert_command(),
      validate_command(), demo_command(),    completion_command()};
  return kCommands;
}

int run_program(int argc, const char* const* argv) {
  const ParsedLine line = parse_command_line(commands(), argc, argv);
  switch (line.kind) {
    case ParsedLine::Kind::kVersion:
      fmt::print("accelscope {}\n", ACCELSCOPE_VERSION);
      return kExitOk;
    case ParsedLine::Kind::kHelp:
      fmt::print("{}", line.command != nullptr ? command_help(*line.command) : program_help(commands()));
      return kExitOk;
    case ParsedLine::Kind::kBadUsage: {
      const int code = report_failure({base::ErrorCode::kUsage, line.problem, {}});
      if (line.command != nullptr)
        fmt::print(stderr, "{}\ntry: accelscope {} --help\n", usage_line(*line.command), line.command->name);
      else
        fmt::print(stderr, "try: accelscope --help\n");
      return code;
    }
    case ParsedLine::Kind::kRun:
      return line.command->run(line.arguments);
  }
  return kExitFailure;
}

}  // namespace accelscope::cli
