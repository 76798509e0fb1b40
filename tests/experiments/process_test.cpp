#include "experiments/process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <thread>

#include "support/temporary_folder.h"

namespace accelscope::experiments {
namespace {

using std::chrono::milliseconds;
using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

ProcessRequest shell(std::string script) {
  return {.argv = {"sh", "-c", std::move(script)}};
}

ProcessResult run(const ProcessRequest& request) {
  const auto result = run_process(request);
  EXPECT_TRUE(result) << result.error().to_string();
  return result ? *result : ProcessResult{};
}

// No child of ours is left, not even a dead one.
void expect_no_children() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

bool is_gone(pid_t process) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    if (kill(process, 0) != 0 && errno == ESRCH) return true;
    // An orphan that was killed stays a zombie until whoever adopted it looks.
    const auto stat = "/proc/" + std::to_string(process) + "/stat";
    if (std::filesystem::exists(stat) && read_file(stat).find(") Z ") != std::string::npos) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

TEST(Process, KeepsOutputAndStatus) {
  const ProcessResult result = run(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(result.output, "out\nerr\n");
  EXPECT_EQ(result.end, ProcessEnd::kExited);
  EXPECT_EQ(result.exit_status, 3);
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(result.in_words(), "exited with status 3");
  EXPECT_GT(result.wall_time.value, 0);
  expect_no_children();
}

TEST(Process, PassesArgumentsEnvironmentAndDirectory) {
  const TemporaryFolder folder;
  ProcessRequest request{
      .argv = {"sh", "-c", "printf '%s|' \"$@\" \"$COLOUR\" \"$PWD\"", "sh", "a b", "", "'\"$x"}};
  request.environment = {{"COLOUR", "red"}, {"COLOUR", "blue"}};
  request.directory = folder.path();
  EXPECT_EQ(run(request).output, "a b||'\"$x|blue|" + folder.path() + "|");
}

TEST(Process, ReplacesVariablesOfOurs) {
  setenv("ACCELSCOPE_TEST_VARIABLE", "old", 1);
  ProcessRequest request = shell("env | grep -c ^ACCELSCOPE_TEST_VARIABLE=; echo $ACCELSCOPE_TEST_VARIABLE");
  EXPECT_EQ(run(request).output, "1\nold\n");
  request.environment = {{"ACCELSCOPE_TEST_VARIABLE", "new"}};
  EXPECT_EQ(run(request).output, "1\nnew\n");
}

TEST(Process, WritesOutputToAFile) {
  const TemporaryFolder folder;
  ProcessRequest request = shell("echo out; echo err >&2");
  request.output_file = folder.file("log");
  write_file(request.output_file, "a longer text that was there before");
  EXPECT_EQ(run(request).output, "");
  EXPECT_EQ(read_file(folder.file("log")), "out\nerr\n");
}

TEST(Process, NamesTheSignal) {
  const ProcessResult result = run(shell("kill -SEGV $$"));
  EXPECT_EQ(result.end, ProcessEnd::kSignalled);
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(result.in_words(), "was ended by signal 11 (Segmentation fault)");
}

TEST(Process, EndsAtItsTimeLimitWithAllItsChildren) {
  const TemporaryFolder folder;
  ProcessRequest request = shell("sleep 100 & echo $! > " + folder.file("pid") + "; wait");
  request.timeout = milliseconds(200);
  const ProcessResult result = run(request);
  EXPECT_EQ(result.end, ProcessEnd::kTimedOut);
  EXPECT_FALSE(result.succeeded());
  EXPECT_NE(result.in_words().find("time limit"), std::string::npos);
  EXPECT_TRUE(is_gone(std::stoi(read_file(folder.file("pid")))));
  expect_no_children();
}

TEST(Process, KillsWhatIgnoresTheRequestToEnd) {
  ProcessRequest request = shell("trap '' TERM; while :; do sleep 0.01; done");
  request.timeout = milliseconds(150);
  request.grace = milliseconds(100);
  EXPECT_EQ(run(request).end, ProcessEnd::kTimedOut);
  expect_no_children();
}

TEST(Process, EndsWhenInterrupted) {
  std::atomic<bool> interrupted = false;
  ProcessRequest request = shell("sleep 100");
  request.interrupted = &interrupted;
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(100));
    interrupted = true;
  });
  EXPECT_EQ(run(request).end, ProcessEnd::kInterrupted);
  other.join();
  expect_no_children();
}

TEST(Process, LeavesNoDaemonOfItsGroup) {
  const ProcessResult result = run(shell("sleep 100 >/dev/null 2>&1 & echo $!"));
  EXPECT_TRUE(result.succeeded());
  EXPECT_TRUE(is_gone(std::stoi(result.output)));
}

TEST(Process, SaysWhatCannotBeRun) {
  const TemporaryFolder folder;
  auto missing = run_process({.argv = {folder.file("nothing")}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, base::ErrorCode::kNotFound);
  EXPECT_NE(missing.error().to_string().find("nothing: there is no such program"), std::string::npos);
  auto unknown = run_process({.argv = {"no-program-has-this-name"}});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("PATH"), std::string::npos);

  write_file(folder.file("text"), "neither a script nor a program");
  std::filesystem::permissions(folder.file("text"), std::filesystem::perms::owner_all);
  auto text = run_process({.argv = {folder.file("text")}});
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().message.find("cannot be run: Exec format error"), std::string::npos)
      << text.error().to_string();

  ProcessRequest nowhere = shell("true");
  nowhere.directory = folder.file("no folder");
  auto lost = run_process(nowhere);
  ASSERT_FALSE(lost);
  EXPECT_NE(lost.error().message.find("no folder: No such file"), std::string::npos)
      << lost.error().to_string();
  ProcessRequest no_log = shell("true");
  no_log.output_file = folder.file("no folder/log");
  EXPECT_FALSE(run_process(no_log));
  EXPECT_FALSE(run_process({.argv = {}}));
  expect_no_children();
}

}  // namespace
}  // namespace accelscope::experiments
