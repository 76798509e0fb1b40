// The program: parse, run the verb, give the exit code. main() calls it and nothing else.
#pragma once

namespace accelscope::cli {

int run_program(int argc, const char* const* argv);

}  // namespace accelscope::cli
