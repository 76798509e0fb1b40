// Where runners run: on this machine, or on an Android device through adb. Both take the same requests, so
// that running a schedule does not know the difference.
//
// A target remembers what it has pushed and is used by one thread. Interruption is asked for through the
// flag of each command; the flag must outlive it.
//
//   std::unique_ptr<Target> target = make_adb_target({.serial = "R5CT"});
//   ACCELSCOPE_CHECK(target->connect());
//   ACCELSCOPE_TRY(const std::string model, target->push("toy.pte", "toy.pte", Push::kFile));
//   ACCELSCOPE_TRY(const std::string runner, target->push("executor_runner", "executor_runner_on",
//   Push::kProgram)); ACCELSCOPE_TRY(const ProcessResult result, target->run({.program = runner, .arguments =
//   {"--model_path", model}}));
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "experiments/config.h"
#include "experiments/process.h"

namespace accelscope::experiments {

enum class Push : std::uint8_t { kFile, kProgram };

struct TargetCommand {
  std::string program;  // as push() answered
  std::vector<std::string> arguments = {};
  Environment environment = {};
  std::string cpu_affinity = {};  // a mask for taskset; "" for none
  std::string directory = {};     // to run in, on this machine; a device has its own
  std::string log_file = {};      // on this machine: what the program printed
  std::chrono::milliseconds timeout = {};
  const std::atomic<bool>* interrupted = nullptr;
};

// What can be read of a machine, before anything is made of it (device_facts.h).
struct RawFacts {
  std::map<std::string, std::string> files = {};       // by path
  std::map<std::string, std::string> properties = {};  // Android's getprop, macOS's sysctl
};

class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  virtual ~Target() = default;

  virtual Platform platform() const = 0;
  // The serial, host and port or "this machine": what a reader of the manifest needs to know.
  virtual std::string identity() const = 0;
  // To be called once, first.
  virtual base::Status connect() = 0;
  // Makes a file of this machine available under a name, and answers what commands call it. The same content
  // is pushed once.
  virtual base::Result<std::string> push(const std::string& local_path, const std::string& name,
                                         Push kind) = 0;
  // What a command calls a program that is on the target already.
  virtual std::string program_called(const std::string& name) const = 0;
  // What a command calls the file that pull() will bring to `local_path`.
  virtual std::string name_of_output(const std::string& local_path) const = 0;
  virtual base::Status pull(const std::string& local_path) = 0;
  // Removes what an earlier command left under this name, here and on the target.
  virtual base::Status forget_output(const std::string& local_path) = 0;

  // The words that run() executes on this machine; for the manifest.
  virtual std::vector<std::string> words_of(const TargetCommand& command) const = 0;
  // An error when the command could not be started, or nobody can tell how it ended.
  virtual base::Result<ProcessResult> run(const TargetCommand& command) = 0;
  // The same, with what XNNPACK logs during the run in the log file, too.
  virtual base::Result<ProcessResult> run_traced(const TargetCommand& command) = 0;

  // The files that match these shell patterns and can be read, and the machine's properties.
  virtual RawFacts read_facts(const std::vector<std::string>& patterns) = 0;
};

// `root` is in front of the paths that facts are read from; for tests.
std::unique_ptr<Target> make_local_target(std::string root = "");

struct AdbOptions {
  std::string program = "adb";
  std::string serial = {};  // for `adb -s`; "" for the only device
  std::string remote = {};  // HOST:PORT to connect to first
  std::string directory = "/data/local/tmp/executorch";
  std::chrono::milliseconds logcat_delay = std::chrono::milliseconds(500);  // what logcat may lag behind
};
std::unique_ptr<Target> make_adb_target(AdbOptions options);

}  // namespace accelscope::experiments
