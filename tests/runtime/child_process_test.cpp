#include "runtime/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "base/shared_memory.h"

namespace accelscope::runtime {
namespace {

using namespace std::chrono_literals;

constexpr auto kLong = 20s;

TEST(ChildProcess, AnswersAndEnds) {
  auto child = ChildProcess::start([](Channel& parent) {
    while (const auto message = parent.receive()) parent.send(message->kind, message->payload + "!");
  });
  ASSERT_TRUE(child);
  for (const std::size_t bytes : {0U, 1U, 5000U, 3'000'000U}) {
    ASSERT_TRUE(child->channel().send(7, std::string(bytes, 'x')));
    const auto answer = child->channel().receive();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->kind, 7);
    EXPECT_EQ(answer->payload, std::string(bytes, 'x') + "!");
  }
  EXPECT_EQ(child->channel().wait(1ms), Channel::Wait::kNothing);
  EXPECT_FALSE(child->has_ended());
}

TEST(ChildProcess, SaysHowItEnded) {
  const auto end_of = [](const std::function<void(Channel&)>& work) {
    auto child = ChildProcess::start(work);
    EXPECT_TRUE(child);
    while (child->channel().wait(kLong) == Channel::Wait::kMessage) child->channel().receive();
    return in_words(child->wait(kLong));
  };
  EXPECT_EQ(end_of([](Channel&) {}), "exited with code 0");
  EXPECT_EQ(end_of([](Channel&) { ::_exit(3); }), "exited with code 3");
  EXPECT_EQ(end_of([](Channel&) { ::raise(SIGKILL); }), "was ended by signal 9 (Killed)");
  EXPECT_EQ(end_of([](Channel& parent) {
              parent.send(1, "something");
              ::raise(SIGTERM);  // which is ignored
            }),
            "exited with code 0");
}

TEST(ChildProcess, IsKilledWhenItIsWaitedForInVain) {
  auto child = ChildProcess::start([](Channel&) {
    for (;;) ::pause();
  });
  ASSERT_TRUE(child);
  const ProcessEnd end = child->wait(10ms);
  EXPECT_TRUE(end.was_killed);
  EXPECT_EQ(in_words(end), "did not answer, and was killed");
  EXPECT_EQ(child->channel().wait(kLong), Channel::Wait::kClosed);
  EXPECT_FALSE(child->channel().send(1, "is there anybody?"));
}

TEST(ChildProcess, HalfAMessageIsNone) {
  auto child = ChildProcess::start([](Channel& parent) { parent.send(1, std::string(10'000'000, 'x')); });
  ASSERT_TRUE(child);
  EXPECT_EQ(child->channel().wait(kLong), Channel::Wait::kMessage);
  child->wait(0ms);  // it waits for a reader, in the middle
  EXPECT_FALSE(child->channel().receive());
}

TEST(ChildProcess, ALengthThatCannotBeIsNoMessage) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const base::FileDescriptor other(ends[1]);
  Channel channel{base::FileDescriptor(ends[0])};
  ASSERT_EQ(::send(other.get(), "\xFF\xFF\xFF\xFFr", 5, 0), 5);
  EXPECT_FALSE(channel.receive());
}

// A parent that is killed takes its child with it.
TEST(ChildProcess, EndsWithItsParent) {
  const auto shared = base::SharedMemory::make(sizeof(std::atomic<pid_t>));
  ASSERT_TRUE(shared);
  auto& grandchild = *new (shared->data()) std::atomic<pid_t>(0);
  auto parent = ChildProcess::start([&](Channel&) {
    const auto child = ChildProcess::start([&](Channel&) {
      grandchild = ::getpid();
      for (;;) ::pause();
    });
    for (;;) ::pause();
  });
  ASSERT_TRUE(parent);
  while (grandchild == 0) std::this_thread::sleep_for(1ms);
  parent->wait(0ms);
  const auto limit = std::chrono::steady_clock::now() + kLong;
  // Until somebody has taken note of its end it has a number, but no files.
  const auto is_there = [&] {
    return ::access(("/proc/" + std::to_string(grandchild) + "/fd/0").c_str(), F_OK) == 0;
  };
  while (is_there() && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(is_there());
}

}  // namespace
}  // namespace accelscope::runtime
