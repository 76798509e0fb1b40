#include "experiments/target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "experiments/bench_folder.h"
#include "experiments/shell_words.h"
#include "support/run_program.h"

namespace accelscope::experiments {
namespace {

using tests::read_file;
using tests::write_file;

void write_script(const std::string& path, std::string_view text) {
  write_file(path, text);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

TEST(ShellWords, ComeBackAsTheyWere) {
  EXPECT_EQ(shell_word("toy.pte"), "toy.pte");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's a model"), R"('it'\''s a model')");
  for (const std::string word :
       {"a b", "$HOME", "`x`", "\"", "'", "''", "a\nb", "*", "~", "\\", "!", "#x", "é"}) {
    const auto result = tests::run_program({"/bin/sh", "-c", "printf %s " + shell_word(word)});
    EXPECT_EQ(result.standard_output, word);
  }
}

TEST(LocalTarget, RunsInTheCheckoutOfTheRunner) {
  const BenchFolder folder;
  const std::string runner = folder.file("executorch/cmake-out/on/where");
  write_script(runner, "#!/bin/sh\npwd\necho \"$1|$COLOUR\"\n");
  const auto target = make_local_target();
  ASSERT_TRUE(target->connect());
  const auto pushed = target->push(runner, "ignored", Push::kProgram);
  ASSERT_TRUE(pushed);
  EXPECT_EQ(*pushed, runner);
  const auto result = target->run({.program = *pushed,
                                   .arguments = {"a b"},
                                   .environment = {{"COLOUR", "red"}},
                                   .log_file = folder.file("log")});
  ASSERT_TRUE(result) << result.error().to_string();
  EXPECT_EQ(read_file(folder.file("log")), folder.file("executorch") + "\na b|red\n");
  EXPECT_FALSE(target->push(folder.file("nothing"), "x", Push::kFile));
  EXPECT_FALSE(target->pull(folder.file("nothing")));
}

TEST(LocalTarget, PinsToCores) {
  const auto target = make_local_target();
  EXPECT_EQ(target->words_of({.program = "/r", .arguments = {"x"}, .cpu_affinity = "0x1"}),
            (std::vector<std::string>{"taskset", "0x1", "/r", "x"}));
}

TEST(AdbTarget, PushesOncePerContentAndTheLibraryBesideTheRunner) {
  const BenchFolder folder;
  const auto target = folder.adb();
  ASSERT_TRUE(target->connect());
  const std::string place = folder.file("executorch/cmake-out/on");
  write_file(place + "/libc++_shared.so", "library");
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_EQ(target->push(folder.file("out_toy/artifacts/toy.pte"), "toy.pte", Push::kFile).value(),
              "toy.pte");
    EXPECT_EQ(target->push(place + "/executor_runner", "runner_on", Push::kProgram).value(), "./runner_on");
  }
  const std::string model = folder.file("out_toy/artifacts/toy.pte");
  const std::string device = "/data/local/tmp/executorch";
  EXPECT_EQ(folder.adb_calls(),
            (std::vector<std::string>{
                "adb get-state", "adb shell mkdir -p " + device + "; echo accelscope-exit-status:$?",
                "adb push " + model + " " + device + "/toy.pte",
                "adb push " + place + "/executor_runner " + device + "/runner_on",
                "adb shell chmod 755 " + device + "/runner_on",
                "adb push " + place + "/libc++_shared.so " + device + "/libc++_shared.so"}));
  write_file(model, "another model");
  EXPECT_TRUE(target->push(model, "toy.pte", Push::kFile));
  EXPECT_EQ(folder.adb_calls().size(), 7U);
}

TEST(AdbTarget, TellsHowTheRemoteCommandEnded) {
  const BenchFolder folder;
  write_script(folder.file("remote"),
               "#!/bin/sh\necho \"got $1\"\n[ \"$1\" = segv ] && kill -SEGV $$\nexit 7\n");
  const auto target = folder.adb();
  ASSERT_TRUE(target->connect());
  const std::string program = target->push(folder.file("remote"), "remote", Push::kProgram).value();
  const auto exited =
      target->run({.program = program, .arguments = {"it's a \"b\" $HOME"}, .log_file = folder.file("log")});
  ASSERT_TRUE(exited) << exited.error().to_string();
  EXPECT_EQ(exited->end, ProcessEnd::kExited);
  EXPECT_EQ(exited->exit_status, 7);
  EXPECT_EQ(read_file(folder.file("log")), "got it's a \"b\" $HOME\n");
  const auto crashed = target->run({.program = program, .arguments = {"segv"}});
  ASSERT_TRUE(crashed) << crashed.error().to_string();
  EXPECT_EQ(crashed->end, ProcessEnd::kSignalled);
  EXPECT_EQ(crashed->signal, SIGSEGV);
}

TEST(AdbTarget, SaysWhenNobodyKnowsHowItEnded) {
  const BenchFolder folder;
  write_script(folder.file("lost"),
               "#!/bin/sh\necho some output\necho 'error: device offline' >&2\nexit 1\n");
  const auto target = make_adb_target({.program = folder.file("lost")});
  const auto result = target->run({.program = "./r"});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("adb exited with status 1 before the device told"), std::string::npos)
      << result.error().to_string();
  EXPECT_NE(result.error().message.find("device offline"), std::string::npos);
}

TEST(AdbTarget, EndsARemoteCommandAtItsTimeLimit) {
  const BenchFolder folder;
  write_script(folder.file("remote"), "#!/bin/sh\necho begun\nexec sleep 100\n");
  const auto target = folder.adb();
  ASSERT_TRUE(target->connect());
  const std::string program = target->push(folder.file("remote"), "remote_hang", Push::kProgram).value();
  const auto result = target->run(
      {.program = program, .log_file = folder.file("log"), .timeout = std::chrono::milliseconds(300)});
  ASSERT_TRUE(result) << result.error().to_string();
  EXPECT_EQ(result->end, ProcessEnd::kTimedOut);
  EXPECT_EQ(read_file(folder.file("log")), "begun\n");
  EXPECT_NE(folder.adb_calls().back().find("kill -9 $(pidof remote_hang)"), std::string::npos);
}

TEST(AdbTarget, BuildsTheKitsCommandLine) {
  const auto target = make_adb_target({.serial = "SERIAL", .directory = "/data/my dir"});
  const std::string line =
      "cd '/data/my dir' && export LD_LIBRARY_PATH='/data/my dir' && export A='b c' && taskset 0x80 "
      "'./run er' --model_path a.pte; echo accelscope-exit-status:$?";
  EXPECT_EQ(target->words_of({.program = "./run er",
                              .arguments = {"--model_path", "a.pte"},
                              .environment = {{"A", "b c"}},
                              .cpu_affinity = "0x80"}),
            (std::vector<std::string>{"adb", "-s", "SERIAL", "shell", line}));
  EXPECT_EQ(target->identity(), "SERIAL");
}

TEST(AdbTarget, ConnectsToARemoteDeviceUnlessItIsConnected) {
  const BenchFolder folder;
  ASSERT_TRUE(folder.adb({.remote = "10.0.0.1:5555"})->connect());
  EXPECT_EQ(folder.adb_calls()[0], "adb devices");
  EXPECT_EQ(folder.adb_calls()[1], "adb connect 10.0.0.1:5555");
  EXPECT_EQ(folder.adb_calls()[2], "adb -s 10.0.0.1:5555 get-state");

  std::filesystem::remove(folder.file("adb/calls"));
  setenv("STAND_IN_ADB_DEVICES", "10.0.0.1:5555\tdevice", 1);
  ASSERT_TRUE(folder.adb({.remote = "10.0.0.1:5555"})->connect());
  EXPECT_EQ(folder.adb_calls()[1], "adb -s 10.0.0.1:5555 get-state");

  setenv("STAND_IN_ADB_DEVICES", "10.0.0.1:5555\toffline", 1);
  setenv("STAND_IN_ADB_CONNECT", "failed to connect to", 1);
  const auto failed = folder.adb({.remote = "10.0.0.1:5555"})->connect();
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("no device at 10.0.0.1:5555"), std::string::npos);
}

TEST(AdbTarget, SaysWhatIsMissing) {
  const BenchFolder folder;
  const auto no_program = make_adb_target({.program = folder.file("no-adb")})->connect();
  ASSERT_FALSE(no_program);
  EXPECT_NE(no_program.error().to_string().find("no-adb: there is no such program"), std::string::npos);
  setenv("STAND_IN_ADB_OFFLINE", "1", 1);
  const auto offline = folder.adb()->connect();
  ASSERT_FALSE(offline);
  EXPECT_NE(offline.error().message.find("no devices/emulators found"), std::string::npos)
      << offline.error().to_string();
  const auto not_there = folder.adb()->pull(folder.file("x.etdump"));
  ASSERT_FALSE(not_there);
  EXPECT_NE(not_there.error().message.find("No such file"), std::string::npos);
}

TEST(AdbTarget, ReadsFactsInOneCall) {
  const BenchFolder folder;
  const auto target = folder.adb();
  const RawFacts facts = target->read_facts({"/proc/loadavg", "/proc/self/status"});
  EXPECT_EQ(facts.files.count("/proc/loadavg"), 1U);
  EXPECT_EQ(facts.properties.at("ro.product.model"), "Stand-in");
  EXPECT_EQ(folder.adb_calls().size(), 1U);
}

}  // namespace
}  // namespace accelscope::experiments
