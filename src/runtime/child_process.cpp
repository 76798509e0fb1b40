#include "runtime/child_process.h"

#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <thread>

namespace accelscope::runtime {
namespace {

// How long a message is, and its kind.
using Length = std::uint32_t;
using Head = std::array<char, sizeof(Length) + 1>;

bool send_all(int socket, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t sent = ::send(socket, bytes, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

[[noreturn]] void be_the_child(pid_t parent, Channel channel, const std::function<void(Channel&)>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it ended before it was asked to tell
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGTERM, SIG_IGN);
  work(channel);
  std::fflush(nullptr);
  ::_exit(0);
}

}  // namespace

bool Channel::send(std::uint8_t kind, std::string_view payload) {
  const auto length = static_cast<Length>(payload.size());
  Head head = {};
  std::memcpy(head.data(), &length, sizeof length);
  head.back() = static_cast<char>(kind);
  return send_all(socket_.get(), head.data(), head.size()) &&
         send_all(socket_.get(), payload.data(), payload.size());
}

Channel::Wait Channel::wait(std::chrono::milliseconds limit) {
  pollfd look{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  const int ready = ::poll(&look, 1, static_cast<int>(limit.count()));
  if (ready <= 0) return Wait::kNothing;
  if ((look.revents & POLLIN) == 0) return Wait::kClosed;
  char first = 0;
  return ::recv(socket_.get(), &first, 1, MSG_PEEK | MSG_DONTWAIT) > 0 ? Wait::kMessage : Wait::kClosed;
}

bool Channel::read_all(void* to, std::size_t bytes) {
  char* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = ::recv(socket_.get(), at, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

std::optional<Message> Channel::receive() {
  Head head = {};
  if (!read_all(head.data(), head.size())) return std::nullopt;
  Length length = 0;
  std::memcpy(&length, head.data(), sizeof length);
  if (length > kMostBytes) return std::nullopt;
  Message message{.kind = static_cast<std::uint8_t>(head.back())};
  message.payload.resize(length);
  if (!read_all(message.payload.data(), message.payload.size())) return std::nullopt;
  return message;
}

std::string in_words(const ProcessEnd& end) {
  if (end.was_killed) return "did not answer, and was killed";
  if (end.signal != 0) return fmt::format("was ended by signal {} ({})", end.signal, ::strsignal(end.signal));
  return fmt::format("exited with code {}", end.code);
}

base::Result<ChildProcess> ChildProcess::start(const std::function<void(Channel&)>& work) {
  std::array<int, 2> ends = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return base::fail(base::ErrorCode::kInternal, "no channel to a process: {}", std::strerror(errno));
  base::FileDescriptor ours(ends[0]);
  base::FileDescriptor theirs(ends[1]);
  // Else the child would print it a second time.
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0)
    return base::fail(base::ErrorCode::kInternal, "no process of its own: {}", std::strerror(errno));
  if (process == 0) {
    ours = base::FileDescriptor();
    be_the_child(parent, Channel(std::move(theirs)), work);
  }
  return ChildProcess(process, Channel(std::move(ours)));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : process_(std::exchange(other.process_, 0)), channel_(std::move(other.channel_)), end_(other.end_) {}

ChildProcess::~ChildProcess() {
  if (process_ != 0 && !end_) wait(std::chrono::milliseconds(0));
}

// It may have ended just before we killed it.
void ChildProcess::note_end(int status, bool was_killed) {
  const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end_ = ProcessEnd{.signal = number,
                    .code = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                    .was_killed = was_killed && number == SIGKILL};
}

bool ChildProcess::has_ended() {
  int status = 0;
  if (!end_ && ::waitpid(process_, &status, WNOHANG) == process_) note_end(status, false);
  return end_.has_value();
}

ProcessEnd ChildProcess::wait(std::chrono::milliseconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (!has_ended() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  if (!end_) {
    ::kill(process_, SIGKILL);
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    note_end(status, true);
  }
  return *end_;
}

}  // namespace accelscope::runtime
