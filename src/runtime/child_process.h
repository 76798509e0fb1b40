// A process that is forked to do one thing, with a channel of messages between it and whoever forked it.
//
// The child has a copy of everything, and ends when its work returns, without destructors or exit handlers;
// it also ends when its parent does. Interrupts from the terminal go to the parent alone: it decides. What
// the child printed is there when it has ended by itself.
//
// start() flushes what this process has printed so far. One thread owns a ChildProcess; its destructor ends
// the child.
//
//   ACCELSCOPE_TRY(ChildProcess child, ChildProcess::start([&](Channel& parent) { parent.send(kDone, {});
//   })); while (child.channel().wait(20ms) != Channel::Wait::kClosed) ... const ProcessEnd end =
//   child.wait(1s);
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace accelscope::runtime {

struct Message {
  std::uint8_t kind = 0;
  std::string payload = {};
};

// One end of it.
class Channel {
 public:
  static constexpr std::uint32_t kMostBytes = std::uint32_t{1} << 28U;
  enum class Wait : std::uint8_t { kMessage, kNothing, kClosed };

  Channel() = default;
  explicit Channel(base::FileDescriptor socket) : socket_(std::move(socket)) {}

  // False when there is nobody any more.
  bool send(std::uint8_t kind, std::string_view payload);
  Wait wait(std::chrono::milliseconds limit);
  // Waits for it. Nothing when the other end was closed before all of it came, or when it claims to be longer
  // than kMostBytes: what runs there may write into any file that it has.
  std::optional<Message> receive();

 private:
  bool read_all(void* to, std::size_t bytes);

  base::FileDescriptor socket_;
};

struct ProcessEnd {
  int signal = 0;  // 0: it ended by itself, with `code`
  int code = 0;
  bool was_killed = false;  // by us
};

// "was ended by signal 11 (Segmentation fault)"
std::string in_words(const ProcessEnd& end);

class ChildProcess {
 public:
  static base::Result<ChildProcess> start(const std::function<void(Channel& parent)>& work);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  Channel& channel() { return channel_; }
  bool has_ended();
  // Waits for its end, and kills it when the limit has passed.
  ProcessEnd wait(std::chrono::milliseconds limit);

 private:
  ChildProcess(pid_t process, Channel channel) : process_(process), channel_(std::move(channel)) {}
  void note_end(int status, bool was_killed);

  pid_t process_ = 0;  // 0: somebody else has it
  Channel channel_;
  std::optional<ProcessEnd> end_;
};

}  // namespace accelscope::runtime
