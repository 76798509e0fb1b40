// Runs one child process to its end, or ends it: at a time limit, or when the caller is interrupted.
//
// The child leads a process group of its own. Whatever ends it, its whole group is gone when run_process()
// returns: first asked (SIGTERM), then killed after a grace. Should this process itself be killed, the kernel
// kills the child. The caller waits in the kernel and wakes at most ten times a second, so that it does not
// disturb what is measured. Safe from several threads; the flag must outlive the call.
//
//   ProcessRequest request{.argv = {"./executor_runner", "--model_path", "toy.pte"}};
//   request.output_file = "toy_latency.log";
//   request.timeout = std::chrono::seconds(600);
//   ACCELSCOPE_TRY(const ProcessResult result, run_process(request));
//   if (!result.succeeded()) complain(result.in_words());   // "was ended by signal 11 (segmentation fault)"
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace accelscope::experiments {

struct ProcessRequest {
  std::vector<std::string> argv;  // argv[0] without a slash is looked up in PATH
  std::vector<std::pair<std::string, std::string>> environment =
      {};                                  // added to ours, replacing what is there
  std::string directory = {};              // to run in; "" is ours
  std::string output_file = {};            // standard output and error go there; "" keeps them in the result
  std::chrono::milliseconds timeout = {};  // 0 is none
  std::chrono::milliseconds grace = std::chrono::seconds(2);  // from SIGTERM to SIGKILL
  const std::atomic<bool>* interrupted = nullptr;             // looked at while waiting
};

enum class ProcessEnd : std::uint8_t { kExited, kSignalled, kTimedOut, kInterrupted };

struct ProcessResult {
  ProcessEnd end = ProcessEnd::kExited;
  int exit_status = 0;  // when it exited
  int signal = 0;       // when a signal ended it that we did not send
  base::Nanoseconds wall_time = {};
  std::string output = {};  // its first 64 MiB, when it was kept

  bool succeeded() const { return end == ProcessEnd::kExited && exit_status == 0; }
  // "exited with status 3", "was ended by signal 11 (Segmentation fault)", "did not end within 1.000 s and
  // was killed".
  std::string in_words() const;
};

// An error only when the program could not be started or its output not be opened.
base::Result<ProcessResult> run_process(const ProcessRequest& request);

// The file that a program's name leads to, as execvp() finds it; "" when there is none.
std::string find_program(const std::string& name);

std::string signal_in_words(int signal);

}  // namespace accelscope::experiments
