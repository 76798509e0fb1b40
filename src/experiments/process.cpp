#include "experiments/process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "base/file_descriptor.h"
#include "base/human.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace accelscope::experiments {
namespace {

using base::ErrorCode;
using base::FileDescriptor;
using base::Location;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kMaxPollWait{100};
constexpr std::size_t kMaxKeptOutput = std::size_t{64} << 20;

std::vector<std::string> merged_environment(const ProcessRequest& request) {
  std::vector<std::string> variables;
  const auto is_replaced = [&](std::string_view variable) {
    return std::any_of(request.environment.begin(), request.environment.end(), [&](const auto& added) {
      return variable.starts_with(added.first) && variable.substr(added.first.size()).starts_with('=');
    });
  };
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (!is_replaced(*variable)) variables.emplace_back(*variable);
  for (std::size_t i = 0; i < request.environment.size(); ++i) {
    const auto& [name, value] = request.environment[i];
    const auto later = request.environment.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    const bool again = std::any_of(later, request.environment.end(), [&](const auto& other) {
      return other.first == request.environment[i].first;
    });
    if (!again) variables.push_back(fmt::format("{}={}", name, value));
  }
  return variables;
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

base::Result<FileDescriptor> open_output(const ProcessRequest& request) {
  if (!request.output_file.empty()) {
    FileDescriptor file(::open(request.output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.valid()) return file;
    return base::fail_at(Location::of_file(request.output_file), ErrorCode::kWriteFailed,
                         "cannot be created: {}", std::strerror(errno));
  }
  // A file and not a pipe: a daemon that the program leaves behind could hold a pipe open for ever.
  FileDescriptor memory(memfd_create("output", MFD_CLOEXEC));
  if (memory.valid()) return memory;
  return base::fail(ErrorCode::kInternal, "no room for the output of a program: {}", std::strerror(errno));
}

std::string kept_output(int descriptor) {
  std::string output;
  const off_t size = lseek(descriptor, 0, SEEK_END);
  output.resize(std::min(static_cast<std::size_t>(std::max<off_t>(size, 0)), kMaxKeptOutput));
  std::size_t done = 0;
  while (done < output.size()) {
    const ssize_t got =
        pread(descriptor, output.data() + done, output.size() - done, static_cast<off_t>(done));
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  output.resize(done);
  return output;
}

// Everything the child needs, made before the fork: after it, only system calls are safe.
struct Launch {
  const char* program;
  char* const* argv;
  char* const* environment;
  const char* directory;  // nullptr: stay
  int input;
  int output;
  int report;  // where the child tells why it could not start
  pid_t parent;
};

[[noreturn]] void become_program(const Launch& launch) {
  const auto give_up = [&]() {
    const int reason = errno;
    [[maybe_unused]] const ssize_t ignored = write(launch.report, &reason, sizeof reason);
    _exit(127);
  };
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launch.parent) _exit(127);  // the parent died before the line above
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) std::signal(signal, SIG_DFL);
  if (dup2(launch.input, STDIN_FILENO) < 0 || dup2(launch.output, STDOUT_FILENO) < 0 ||
      dup2(launch.output, STDERR_FILENO) < 0)
    give_up();
  if (launch.directory != nullptr && chdir(launch.directory) != 0) give_up();
  execve(launch.program, launch.argv, launch.environment);
  give_up();
  _exit(127);
}

// Sleeps until the child has ended or `most` has passed; true when it has ended.
class ChildWatch {
 public:
  explicit ChildWatch(pid_t child)
      : child_(child), handle_(static_cast<int>(syscall(SYS_pidfd_open, child, 0))) {}

  bool ended_within(Milliseconds most) const {
    if (has_ended()) return true;
    if (handle_.valid()) {
      pollfd waiting{handle_.get(), POLLIN, 0};
      poll(&waiting, 1, static_cast<int>(most.count()));
    } else {
      std::this_thread::sleep_for(std::min(most, Milliseconds(10)));
    }
    return has_ended();
  }

 private:
  // The child stays a zombie, so that its number and its group stay ours until the group is gone.
  bool has_ended() const {
    siginfo_t info = {};
    return waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child_;
  }

  pid_t child_;
  FileDescriptor handle_;
};

void end_group(const ChildWatch& watch, pid_t child, Milliseconds grace) {
  kill(-child, SIGTERM);
  const auto until = Clock::now() + grace;
  while (Clock::now() < until)
    if (watch.ended_within(std::min(kMaxPollWait, grace))) return;
  kill(-child, SIGKILL);
  while (!watch.ended_within(kMaxPollWait)) {
  }
}

ProcessEnd wait_for_end(const ProcessRequest& request, pid_t child, Clock::time_point started) {
  const ChildWatch watch(child);
  for (;;) {
    Milliseconds most = kMaxPollWait;
    if (request.timeout.count() > 0) {
      const auto left = std::chrono::duration_cast<Milliseconds>(started + request.timeout - Clock::now());
      most = std::clamp(left + Milliseconds(1), Milliseconds(0), kMaxPollWait);
    }
    if (watch.ended_within(most)) return ProcessEnd::kExited;
    const bool interrupted = request.interrupted != nullptr && request.interrupted->load();
    const bool late = request.timeout.count() > 0 && Clock::now() - started >= request.timeout;
    if (!interrupted && !late) continue;
    end_group(watch, child, request.grace);
    return interrupted ? ProcessEnd::kInterrupted : ProcessEnd::kTimedOut;
  }
}

ProcessResult collect(pid_t child, ProcessEnd end, Clock::time_point started) {
  ProcessResult result;
  result.end = end;
  result.wall_time.value =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - started).count();
  kill(-child, SIGKILL);  // what it left behind
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (end != ProcessEnd::kExited) return result;
  if (WIFSIGNALED(status)) {
    result.end = ProcessEnd::kSignalled;
    result.signal = WTERMSIG(status);
  } else {
    result.exit_status = WEXITSTATUS(status);
  }
  return result;
}

bool is_executable(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

base::Result<std::string> program_of(const ProcessRequest& request) {
  const std::string& name = request.argv.front();
  const std::string program = find_program(name);
  if (!program.empty()) {
    // The child may change its directory before it looks.
    std::error_code ignored;
    return std::filesystem::absolute(program, ignored).string();
  }
  const Location where = Location::of_file(name);
  if (name.find('/') == std::string::npos)
    return base::fail_at(where, ErrorCode::kNotFound, "is not a program in PATH");
  return base::fail_at(where, ErrorCode::kNotFound,
                       "there is no such program, or it may not be executed (chmod +x)");
}

// Why the child could not start, or 0. Returns when it has become the program, which closes the pipe.
int reason_of_failed_start(int pipe) {
  int reason = 0;
  ssize_t got = 0;
  do got = read(pipe, &reason, sizeof reason);
  while (got < 0 && errno == EINTR);
  return got == sizeof reason ? reason : 0;
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_executable(name) ? name : std::string();
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!name.empty() && !rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::string_view folder = rest.substr(0, colon);
    std::string candidate = folder.empty() ? "./" + name : fmt::format("{}/{}", folder, name);
    if (is_executable(candidate)) return candidate;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return {};
}

std::string signal_in_words(int signal) {
  const char* name = strsignal(signal);
  return fmt::format("signal {} ({})", signal, name == nullptr ? "unknown" : name);
}

std::string ProcessResult::in_words() const {
  switch (end) {
    case ProcessEnd::kExited:
      return fmt::format("exited with status {}", exit_status);
    case ProcessEnd::kSignalled:
      return fmt::format("was ended by {}", signal_in_words(signal));
    case ProcessEnd::kTimedOut:
      return fmt::format("did not end within its time limit and was killed after {}",
                         base::format_duration(wall_time));
    case ProcessEnd::kInterrupted:
      return fmt::format("was interrupted after {}", base::format_duration(wall_time));
  }
  return {};
}

base::Result<ProcessResult> run_process(const ProcessRequest& request) {
  if (request.argv.empty()) return base::fail(ErrorCode::kInternal, "a process needs a program");
  ACCELSCOPE_TRY(const std::string program, program_of(request));
  const std::vector<char*> argv = pointers_to(request.argv);
  const std::vector<std::string> variables = merged_environment(request);
  const std::vector<char*> environment = pointers_to(variables);
  ACCELSCOPE_TRY(const FileDescriptor output, open_output(request));
  const FileDescriptor input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0)
    return base::fail(ErrorCode::kInternal, "no pipe for a child process: {}", std::strerror(errno));
  const FileDescriptor report_in(ends[0]);
  FileDescriptor report_out(ends[1]);

  const Launch launch{program.c_str(),    argv.data(),
                      environment.data(), request.directory.empty() ? nullptr : request.directory.c_str(),
                      input.get(),        output.get(),
                      report_out.get(),   getpid()};
  const Clock::time_point started = Clock::now();
  const pid_t child = fork();
  if (child < 0) return base::fail(ErrorCode::kInternal, "no child process: {}", std::strerror(errno));
  if (child == 0) become_program(launch);
  setpgid(child, child);  // whoever comes first; the other attempt fails and does not matter
  report_out = FileDescriptor();
  if (const int reason = reason_of_failed_start(report_in.get()); reason != 0) {
    waitpid(child, nullptr, 0);
    return base::fail_at(Location::of_file(program), ErrorCode::kNotReadable, "cannot be run{}: {}",
                         request.directory.empty() ? "" : " in " + request.directory, std::strerror(reason));
  }
  ProcessResult result = collect(child, wait_for_end(request, child, started), started);
  if (request.output_file.empty()) result.output = kept_output(output.get());
  return result;
}

}  // namespace accelscope::experiments
