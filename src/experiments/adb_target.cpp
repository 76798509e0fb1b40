#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "base/file_names.h"
#include "base/output_file.h"
#include "experiments/fingerprint.h"
#include "experiments/raw_facts.h"
#include "experiments/shell_words.h"
#include "experiments/target.h"
#include "experiments/text_lines.h"

namespace accelscope::experiments {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Location;

// Printed behind every remote command: older devices do not hand the status of a command through.
constexpr std::string_view kStatusMarker = "accelscope-exit-status:";
constexpr std::chrono::seconds kShortCall{60};
constexpr std::chrono::minutes kTransfer{30};

struct RemoteEnd {
  std::string output;         // without the marker
  std::optional<int> status;  // nothing when the marker is not there
};

RemoteEnd without_marker(std::string output) {
  const std::size_t at = output.rfind(kStatusMarker);
  if (at == std::string::npos) return {std::move(output), std::nullopt};
  const std::size_t line_end = std::min(output.find('\n', at), output.size());
  const std::string_view line =
      std::string_view(output).substr(at + kStatusMarker.size(), line_end - at - kStatusMarker.size());
  const std::optional<int> status = number_in<int>(trimmed(line));
  output.erase(at, std::min(line_end + 1, output.size()) - at);
  return {std::move(output), status};
}

base::Status write_log(const std::string& path, std::string_view text) {
  if (path.empty()) return {};
  ACCELSCOPE_TRY(base::OutputFile file, base::OutputFile::create(path));
  file.output().append(text);
  return file.commit();
}

class AdbTarget final : public Target {
 public:
  explicit AdbTarget(AdbOptions options) : options_(std::move(options)) {
    if (options_.serial.empty()) options_.serial = options_.remote;
  }

  Platform platform() const override { return Platform::kAndroid; }
  std::string identity() const override {
    return options_.serial.empty() ? "the only device of adb" : options_.serial;
  }

  base::Status connect() override {
    if (!options_.remote.empty()) ACCELSCOPE_CHECK(connect_remote());
    ACCELSCOPE_CHECK(adb({"get-state"}, kShortCall));
    return shell(fmt::format("mkdir -p {}", shell_word(options_.directory)));
  }

  base::Result<std::string> push(const std::string& local_path, const std::string& name, Push kind) override {
    ACCELSCOPE_CHECK(push_once(local_path, name, kind));
    const std::string library = (fs::path(local_path).parent_path() / "libc++_shared.so").string();
    std::error_code ignored;
    if (kind == Push::kProgram && fs::is_regular_file(library, ignored))
      ACCELSCOPE_CHECK(push_once(library, "libc++_shared.so", Push::kFile));
    return kind == Push::kProgram ? program_called(name) : name;
  }
  std::string program_called(const std::string& name) const override { return "./" + name; }
  std::string name_of_output(const std::string& local_path) const override {
    return std::string(base::file_name(local_path));
  }
  base::Status pull(const std::string& local_path) override {
    const std::string remote = on_device(name_of_output(local_path));
    ACCELSCOPE_TRY([[maybe_unused]] const ProcessResult ended, adb({"pull", remote, local_path}, kTransfer));
    return {};
  }

  base::Status forget_output(const std::string& local_path) override {
    std::error_code error;
    fs::remove(local_path, error);
    if (error)
      return base::fail_at(Location::of_file(local_path), ErrorCode::kWriteFailed, "cannot be replaced: {}",
                           error.message());
    return shell(fmt::format("rm -f {}", shell_word(on_device(name_of_output(local_path)))));
  }

  std::vector<std::string> words_of(const TargetCommand& command) const override {
    return adb_words({"shell", remote_line(command)});
  }

  base::Result<ProcessResult> run(const TargetCommand& command) override {
    ACCELSCOPE_TRY(ProcessResult result, run_remote(command));
    ACCELSCOPE_CHECK(write_log(command.log_file, result.output));
    return result;
  }

  base::Result<ProcessResult> run_traced(const TargetCommand& command) override {
    ACCELSCOPE_CHECK(adb({"logcat", "-c"}, kShortCall));
    ACCELSCOPE_TRY(ProcessResult result, run_remote(command));
    if (result.end == ProcessEnd::kInterrupted) return result;
    std::this_thread::sleep_for(options_.logcat_delay);
    ACCELSCOPE_TRY(const ProcessResult log, adb({"logcat", "-d", "-s", "XNNPACK"}, kShortCall));
    ACCELSCOPE_CHECK(write_log(command.log_file,
                               fmt::format("=== XNNPACK Logcat Output ===\n{}\n=== Runner stdout ===\n{}",
                                           log.output, result.output)));
    return result;
  }

  RawFacts read_facts(const std::vector<std::string>& patterns) override {
    const auto result =
        run_process({.argv = adb_words({"shell", fact_script(patterns)}), .timeout = kShortCall});
    return result ? parse_fact_script_output(result->output) : RawFacts{};
  }

 private:
  std::string on_device(std::string_view name) const {
    return fmt::format("{}/{}", options_.directory, name);
  }

  std::vector<std::string> adb_words(const std::vector<std::string>& words) const {
    std::vector<std::string> all = {options_.program};
    if (!options_.serial.empty()) all.insert(all.end(), {"-s", options_.serial});
    all.insert(all.end(), words.begin(), words.end());
    return all;
  }

  base::Result<ProcessResult> must_succeed(const std::vector<std::string>& words,
                                           std::chrono::milliseconds timeout) const {
    ACCELSCOPE_TRY(ProcessResult result, run_process({.argv = words, .timeout = timeout}));
    if (result.succeeded()) return result;
    const std::string_view said = trimmed(result.output);
    return base::fail(ErrorCode::kNotReadable, "`{}` {}{}{}", shell_line(words), result.in_words(),
                      said.empty() ? "" : ": ", said);
  }
  base::Result<ProcessResult> adb(const std::vector<std::string>& words,
                                  std::chrono::milliseconds timeout) const {
    return must_succeed(adb_words(words), timeout);
  }

  // adb says that it succeeded also when it did not connect, so its words are read.
  base::Status connect_remote() const {
    ACCELSCOPE_TRY(const ProcessResult known, must_succeed({options_.program, "devices"}, kShortCall));
    for (const std::string_view line : lines_of(known.output))
      if (line.starts_with(options_.remote) && line.ends_with("device")) return {};
    ACCELSCOPE_TRY(const ProcessResult made,
                   must_succeed({options_.program, "connect", options_.remote}, kShortCall));
    if (made.output.find("connected to") != std::string::npos) return {};
    return base::fail(ErrorCode::kNotFound,
                      "no device at {}: adb said `{}`; is wireless debugging on, and the address right?",
                      options_.remote, trimmed(made.output));
  }

  base::Status shell(const std::string& line) const {
    const std::string with_status = fmt::format("{}; echo {}$?", line, kStatusMarker);
    ACCELSCOPE_TRY(const ProcessResult result, adb({"shell", with_status}, kShortCall));
    const RemoteEnd end = without_marker(result.output);
    if (end.status == 0) return {};
    return base::fail(ErrorCode::kNotReadable, "`{}` failed on {}: {}", line, identity(),
                      trimmed(end.output));
  }

  base::Status push_once(const std::string& local_path, const std::string& name, Push kind) {
    ACCELSCOPE_TRY(const Fingerprint content, fingerprint_of_file(local_path));
    if (const auto known = pushed_.find(name); known != pushed_.end() && known->second == content) return {};
    const std::string remote = on_device(name);
    ACCELSCOPE_CHECK(adb({"push", local_path, remote}, kTransfer));
    if (kind == Push::kProgram)
      ACCELSCOPE_CHECK(adb({"shell", "chmod", "755", shell_word(remote)}, kShortCall));
    pushed_[name] = content;
    return {};
  }

  std::string remote_line(const TargetCommand& command) const {
    const std::string directory = shell_word(options_.directory);
    std::string line = fmt::format("cd {0} && export LD_LIBRARY_PATH={0} && ", directory);
    for (const auto& [name, value] : command.environment)
      line += fmt::format("export {}={} && ", name, shell_word(value));
    if (!command.cpu_affinity.empty()) line += fmt::format("taskset {} ", shell_word(command.cpu_affinity));
    line += shell_word(command.program);
    for (const std::string& argument : command.arguments) line += " " + shell_word(argument);
    return fmt::format("{}; echo {}$?", line, kStatusMarker);
  }

  // Ending adb does not end what it started on the device.
  void kill_remote(const TargetCommand& command) const {
    const std::string name = shell_word(base::file_name(command.program));
    [[maybe_unused]] const auto ignored =
        run_process({.argv = adb_words({"shell", fmt::format("kill -9 $(pidof {}) 2>/dev/null; true", name)}),
                     .timeout = std::chrono::seconds(10)});
  }

  base::Result<ProcessResult> run_remote(const TargetCommand& command) const {
    ACCELSCOPE_TRY(ProcessResult result, run_process({.argv = words_of(command),
                                                      .timeout = command.timeout,
                                                      .interrupted = command.interrupted}));
    RemoteEnd end = without_marker(std::move(result.output));
    result.output = std::move(end.output);
    if (result.end == ProcessEnd::kTimedOut || result.end == ProcessEnd::kInterrupted) {
      kill_remote(command);
      return result;
    }
    if (!end.status)
      return base::fail(ErrorCode::kNotReadable, "adb {} before the device told how the runner ended: {}",
                        result.in_words(), trimmed(result.output));
    // A shell tells of a signal by a status above 128.
    constexpr int kSignalBase = 128;
    result.end = *end.status > kSignalBase ? ProcessEnd::kSignalled : ProcessEnd::kExited;
    result.signal = *end.status > kSignalBase ? *end.status - kSignalBase : 0;
    result.exit_status = *end.status > kSignalBase ? 0 : *end.status;
    return result;
  }

  AdbOptions options_;
  std::map<std::string, Fingerprint> pushed_;  // by name on the device
};

}  // namespace

std::unique_ptr<Target> make_adb_target(AdbOptions options) {
  return std::make_unique<AdbTarget>(std::move(options));
}

}  // namespace accelscope::experiments
