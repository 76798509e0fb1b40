// Runs a program as a user would and keeps what it said: exit code, standard output, standard error, peak
// memory.
//
// One call at a time per test; the program is given no standard input.
//
//   const ProgramResult result = run_program({ACCELSCOPE_PROGRAM, "validate", path});
//   EXPECT_EQ(result.exit_code, 1) << result.standard_error;
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "support/temporary_folder.h"

namespace accelscope::tests {

struct ProgramResult {
  int exit_code = -1;  // 128 + the signal when one ended it
  std::string standard_output;
  std::string standard_error;
  long peak_kilobytes = 0;
};

struct ProgramOptions {
  std::string standard_output_to = {};        // a file instead of keeping it
  std::string folder = {};                    // where it runs; "" is where the test does
  std::function<bool()> interrupt_when = {};  // asked until true; then the program gets Ctrl-C's signal
};

inline ProgramResult run_program(const std::vector<std::string>& words, const ProgramOptions& options = {}) {
  const TemporaryFolder folder;
  const std::string output =
      options.standard_output_to.empty() ? folder.file("out") : options.standard_output_to;
  const std::string errors = folder.file("err");
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const int err = open(errors.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    dup2(nothing, 0);
    dup2(out, 1);
    dup2(err, 2);
    setenv("SOURCE_DATE_EPOCH", "1700000000",
           0);  // two runs print the same date, unless the test has another
    if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
    execv(argv[0], argv.data());
    _exit(127);
  }
  if (options.interrupt_when) {
    while (!options.interrupt_when() &&
           waitid(P_PID, static_cast<id_t>(child), nullptr, WEXITED | WNOWAIT | WNOHANG) == 0)
      usleep(1000);
    kill(child, SIGINT);
  }
  ProgramResult result;
  int status = 0;
  rusage usage = {};
  EXPECT_EQ(wait4(child, &status, 0, &usage), child);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (options.standard_output_to.empty()) result.standard_output = read_file(output);
  result.standard_error = read_file(errors);
  result.peak_kilobytes = usage.ru_maxrss;
  return result;
}

}  // namespace accelscope::tests
