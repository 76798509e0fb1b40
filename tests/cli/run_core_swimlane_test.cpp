// `accelscope run --core-swimlane` as people type it, what they get wrong, and what docs/core-swimlane.md
// shows.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/shown_commands.h"

namespace accelscope::cli {
namespace {

using tests::run_program;
using tests::TemporaryFolder;

ProgramResult accelscope(const TemporaryFolder& folder, std::vector<std::string> words) {
  words.insert(words.begin(), ACCELSCOPE_PROGRAM);
  return run_program(words, {.folder = folder.path()});
}

TEST(CoreSwimlanePage, ShowsWhatIsPrinted) {
  const TemporaryFolder folder;
  const std::string page = ACCELSCOPE_SOURCE_DIR "/docs/core-swimlane.md";
  const std::string text = tests::read_file(page);
  for (const std::string buffers : {"1", "2"}) {
    const std::vector<std::string> words{"run",
                                         "bgemm:m=1024,n=1024,k=1024,tile=256,buffers=" + buffers,
                                         "--chip",
                                         "a5",
                                         "--core-swimlane",
                                         "--chip-swimlane",
                                         "--deps",
                                         "--no-compute",
                                         "-o",
                                         buffers == "1" ? "one" : "two"};
    std::string line = "accelscope";
    for (const std::string& word : words) line += " " + word;
    EXPECT_TRUE(contains(text, line)) << line;
    ASSERT_EQ(accelscope(folder, words).exit_code, 0);
  }
  const std::vector<Shown> shown = commands_shown(page);
  EXPECT_EQ(shown.size(), 2U);
  expect_shown_as_printed(shown, folder.path());
}

TEST(RunCoreSwimlane, OnThreadsInAProcessOfItsOwn) {
  const TemporaryFolder folder;
  const ProgramResult run =
      accelscope(folder, {"run", "bgemm", "--platform", "threads", "--core-swimlane", "--pmu", "-o", "out"});
  ASSERT_EQ(run.exit_code, 0) << run.standard_error;
  const ProgramResult report = accelscope(folder, {"report", "out"});
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_TRUE(contains(report.standard_output, "Inside the cores"));
  EXPECT_TRUE(contains(report.standard_output, "Beside the counters of the performance monitor"));
  EXPECT_EQ(accelscope(folder, {"convert", "out", "-o", "out.pftrace"}).exit_code, 0);
  EXPECT_EQ(accelscope(folder, {"validate", "out"}).exit_code, 0);
}

TEST(RunCoreSwimlane, RawDrainsAreForPerfmon) {
  const TemporaryFolder folder;
  const std::vector<std::string> words{
      "run", "bgemm",    "--core-swimlane=0-1", "--core-swimlane-raw", "raw", "--chip", "a5", "-o",
      "out", "--replace"};
  ASSERT_EQ(accelscope(folder, words).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder.file("raw/core0.1.bin.regs.json")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("raw/core2.1.bin")));
  const ProgramResult infer = accelscope(folder, {"perfmon", "infer", "raw/core0.1.bin"});
  EXPECT_EQ(infer.exit_code, 0) << infer.standard_error;
  EXPECT_TRUE(contains(infer.standard_output, "They are biu_perf, little-endian"));
  EXPECT_EQ(accelscope(folder, {"perfmon", "dump", "raw/core0.1.bin", "--limit", "8"}).exit_code, 0);
  // A second time: replaced, or not.
  EXPECT_EQ(accelscope(folder, words).exit_code, 0);
  const ProgramResult again = accelscope(
      folder, {"run", "bgemm", "--core-swimlane=0-1", "--core-swimlane-raw", "raw", "-o", "other"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_TRUE(contains(again.standard_error, "has drains of performance monitors")) << again.standard_error;
}

TEST(RunCoreSwimlane, WhatCannotBeIsSaid) {
  const TemporaryFolder folder;
  struct Case {
    std::vector<std::string> words;
    std::string said;
  };
  for (const Case& one : std::vector<Case>{
           {{"--core-swimlane=72"}, "there is no core 72"},
           {{"--core-swimlane=3-1"}, "expected cores such as 0-3,7"},
           {{"--core-swimlane=-1"}, "expected cores such as 0-3,7"},
           {{"--core-swimlane=gemm", "--core-swimlane-drain", "read-only"}, "are always restarted"},
           {{"--core-swimlane", "--core-swimlane-ring", "1G"}, "are the most for all together"},
           {{"--core-swimlane=gem"}, "the graph has no function 'gem', only "},
           {{"--core-swimlane", "--core-swimlane-ring", "0"}, "expected a size such as 4096 or 64K"},
           {{"--core-swimlane", "--core-swimlane-ring", "1023"}, "not a multiple of the word"},
           {{"--core-swimlane", "--core-swimlane-ring", "64"}, "too small"},
           {{"--core-swimlane", "--core-swimlane-ring", "1T"}, "expected a size such as 4096 or 64K"},
           {{"--core-swimlane", "--core-swimlane-words", "some"}, "--core-swimlane-words"},
           {{"--core-swimlane-ring", "64K"}, "--core-swimlane-ring needs --core-swimlane"},
           {{"--core-swimlane-raw", "x", "--chip-swimlane"}, "--core-swimlane-raw needs --core-swimlane"}}) {
    std::vector<std::string> words{"run", "bgemm", "-o", "out"};
    words.insert(words.end(), one.words.begin(), one.words.end());
    const ProgramResult result = accelscope(folder, words);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(contains(result.standard_error, one.said)) << result.standard_error;
    EXPECT_FALSE(std::filesystem::exists(folder.file("out/run.astrace")));
  }
}

}  // namespace
}  // namespace accelscope::cli
