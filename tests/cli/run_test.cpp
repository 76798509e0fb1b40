// `accelscope run` as a user runs it: levels through every entrance, what is written, what goes wrong.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "accelscope/dfx_flags.h"
#include "cli/chip_program.h"

namespace accelscope::cli {
namespace {

using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    names.insert(entry.path().filename().string());
  return names;
}

std::string option_of(const findings::Findings& findings, std::string_view key) {
  for (const findings::KeyValue& option : findings.provenance.options)
    if (option.key == key) return option.value;
  return "none";
}

std::string level_of(const std::vector<std::string>& words) {
  std::vector<std::string> line = {"run"};
  line.insert(line.end(), words.begin(), words.end());
  line.emplace_back("--json");
  const ProgramResult result = accelscope(line);
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  return option_of(findings_in(result), "chip swimlane level");
}

constexpr std::string_view kGraph = R"({"name": "small",%s
  "buffers": {"a": {"type": "f32", "shape": [4], "init": 1}, "b": {"type": "f32", "shape": [4]}},
  "steps": [{"name": "twice", "vector": "scale", "scalars": [2, 0], "args": ["a", {"out": "b"}]}],
  "expect": [{"buffer": "b", "values": [2, 2, 2, %v]}]})";

std::string graph_with(std::string_view defaults, std::string_view last = "2") {
  std::string text(kGraph);
  text.replace(text.find("%s"), 2, defaults);
  text.replace(text.find("%v"), 2, last);
  return text;
}

TEST(Run, LevelsArriveUnchangedThroughEveryEntrance) {
  const TemporaryFolder folder;
  int run = 0;
  const auto out = [&] { return folder.file("out" + std::to_string(run++)); };
  EXPECT_EQ(level_of({"chain:tasks=5"}), "0");
  EXPECT_EQ(level_of({"chain:tasks=5", "--chip-swimlane", "-o", out()}), "3");
  EXPECT_EQ(level_of({"--chip-swimlane", "chain:tasks=5", "-o", out()}), "3");
  EXPECT_EQ(level_of({"chain:tasks=5", "--enable-profiling", "-o", out()}), "3");
  for (const std::string level : {"0", "1", "2", "3"}) {
    EXPECT_EQ(level_of({"chain:tasks=5", "--chip-swimlane=" + level, "-o", out()}), level);
    EXPECT_EQ(level_of({"chain:tasks=5", "--enable-profiling=" + level, "-o", out()}), level);
    const std::string graph = folder.file("graph" + level + ".json");
    write_file(graph, graph_with(R"("run": {"chip_swimlane": )" + level + "},"));
    EXPECT_EQ(level_of({graph, "-o", out()}), level);
    // What is said on the line counts.
    EXPECT_EQ(level_of({graph, "--chip-swimlane=1", "-o", out()}), "1");
  }
}

TEST(Run, CountersAndPolicyComeFromTheGraphUnlessTheLineSaysMore) {
  const TemporaryFolder folder;
  const std::string graph = folder.file("graph.json");
  write_file(graph, graph_with(R"("run": {"pmu": 4, "policy": "drop"},)"));
  const auto options = [&](std::vector<std::string> more) {
    static int run = 0;
    std::vector<std::string> line = {"run", graph, "--json", "-o", folder.file("o" + std::to_string(run++))};
    line.insert(line.end(), more.begin(), more.end());
    const ProgramResult result = accelscope(line);
    EXPECT_EQ(result.exit_code, 0) << result.standard_error;
    const findings::Findings findings = findings_in(result);
    return option_of(findings, "policy") + " " + option_of(findings, "dfx flags");
  };
  EXPECT_EQ(options({}), "drop 0x20");
  EXPECT_EQ(options({"--policy", "block", "--chip-swimlane=1"}), "block 0x21");
  write_file(graph, graph_with(R"("run": {"pmu": 77},)"));
  const ProgramResult none = accelscope({"run", graph, "-o", folder.file("none")});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_TRUE(contains(none.standard_error, "has no group 77 of counters")) << none.standard_error;
}

TEST(Run, WritesWhatTheLevelHolds) {
  const TemporaryFolder folder;
  for (const int level : {0, 1, 2, 3}) {
    const std::string out = folder.file("level" + std::to_string(level));
    const ProgramResult result =
        accelscope({"run", "chain:tasks=5", "--chip-swimlane=" + std::to_string(level), "-o", out});
    EXPECT_EQ(result.exit_code, 0) << result.standard_error;
    if (level == 0) {
      EXPECT_TRUE(names_in(out).empty());
      continue;
    }
    EXPECT_EQ(names_in(out), (std::set<std::string>{"run.astrace", "chip_swimlane_records.json",
                                                    "name_map_chain_tasks_5.json"}));
    const std::string swimlane = read_file(out + "/chip_swimlane_records.json");
    EXPECT_TRUE(contains(swimlane.substr(0, 100), "\"version\": " + std::to_string(level - 1))) << swimlane;
    EXPECT_EQ(accelscope({"validate", out}).exit_code, 0);
    EXPECT_EQ(accelscope({"report", out}).exit_code, 0);
  }
}

TEST(Run, WritesWhatWasAskedFor) {
  const TemporaryFolder folder;
  const std::string out = folder.file("out");
  const ProgramResult result = accelscope({"run", "moe", "--chip", "a5", "--chip-swimlane", "--format", "raw",
                                           "--deps", "--pmu", "--scope-stats", "--dump-tensor", "-o", out});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_EQ(names_in(out), (std::set<std::string>{"run.astrace", "chip_swimlane_records.json", "deps.json",
                                                  "name_map_moe.json", "args_dump"}));
  EXPECT_TRUE(contains(read_file(out + "/chip_swimlane_records.json").substr(0, 100), "chip_swimlane_level"));
  EXPECT_EQ(accelscope({"validate", out}).exit_code, 0);
  EXPECT_EQ(accelscope({"validate", out + "/args_dump"}).exit_code, 0);
  EXPECT_EQ(accelscope({"convert", out, "-o", folder.file("run.pftrace")}).exit_code, 0);
  EXPECT_TRUE(contains(result.standard_output, "accelscope report " + out)) << result.standard_output;
}

TEST(Run, EveryRoundIsRecorded) {
  const TemporaryFolder folder;
  const std::string out = folder.file("out");
  const ProgramResult result =
      accelscope({"run", "chain:tasks=5", "--rounds", "3", "--chip-swimlane", "-o", out});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_EQ(names_in(out), (std::set<std::string>{"round-1", "round-2", "round-3"}));
  EXPECT_EQ(read_file(out + "/round-1/run.astrace"), read_file(out + "/round-3/run.astrace"));
  EXPECT_EQ(accelscope({"report", out + "/round-2"}).exit_code, 0);
  const ProgramResult all = accelscope({"report", out});
  EXPECT_EQ(all.exit_code, 1);
  EXPECT_TRUE(contains(all.standard_error, "round-1")) << all.standard_error;
}

TEST(Run, BothPlatformsGiveTheExpectedOutputs) {
  for (const std::string platform : {"virtual", "threads"}) {
    const ProgramResult result =
        accelscope({"run", "bgemm:m=64,n=64,k=64,tile=32", "--platform", platform, "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.standard_error;
    const findings::Findings findings = findings_in(result);
    EXPECT_EQ(option_of(findings, "platform"), platform);
    EXPECT_EQ(rows_of(findings, "outputs", "outputs").size(), 1U);
  }
}

TEST(Run, OutputsThatDifferAreExitCode2) {
  const TemporaryFolder folder;
  const std::string graph = folder.file("graph.json");
  write_file(graph, graph_with(""));
  EXPECT_EQ(accelscope({"run", graph}).exit_code, 0);
  write_file(graph, graph_with("", "3"));
  const ProgramResult result = accelscope({"run", graph});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.standard_error, "not as expected: b: 1 of 4")) << result.standard_error;
  EXPECT_EQ(accelscope({"run", graph, "--no-compute"}).exit_code, 0);
}

// The program outlives its kernels, and what it wrote opens and names the task.
TEST(Run, KernelsThatCrashOrHangAreNamed) {
  const TemporaryFolder folder;
  for (const std::string kernel : {"crash", "hang"})
    for (const std::string platform : {"virtual", "threads"}) {
      const std::string graph = folder.file(kernel + ".json");
      write_file(graph, R"({"buffers": {"x": {"type": "f32", "shape": [4]}}, "steps": [
          {"name": "good", "vector": "fill", "args": [{"out": "x"}], "scalars": [1]},
          {"name": "the bad one", "vector": ")" +
                            kernel + R"(", "args": [{"inout": "x"}]}]})");
      const std::string out = folder.file(kernel + platform);
      const ProgramResult run = accelscope({"run", graph, "--kernels", BAD_KERNELS, "--platform", platform,
                                            "--chip-swimlane", "--give-up-after", "1", "-o", out});
      EXPECT_EQ(run.exit_code, 1);
      EXPECT_NE(run.standard_error.find("`the bad one` r"), std::string::npos) << run.standard_error;
      EXPECT_NE(run.standard_error.find("what was recorded until then is in " + out), std::string::npos);
      const ProgramResult report = accelscope({"report", out, "--json"});
      EXPECT_EQ(report.exit_code, 0) << report.standard_error;
      EXPECT_NE(report.standard_output.find("run.ended_early"), std::string::npos);
      EXPECT_NE(report.standard_output.find("`the bad one` r"), std::string::npos);
      EXPECT_EQ(accelscope({"convert", out, "-o", out + ".pftrace"}).exit_code, 0);
    }
}

TEST(Run, InThisProcessOrInAnotherTheFilesAreTheSame) {
  const TemporaryFolder folder;
  const std::vector<std::string> line = {"run", "moe", "--chip-swimlane", "--deps", "--pmu", "-o"};
  auto here = line;
  here.insert(here.end(), {folder.file("here"), "--in-process"});
  auto there = line;
  there.push_back(folder.file("there"));
  ASSERT_EQ(accelscope(here).exit_code, 0);
  ASSERT_EQ(accelscope(there).exit_code, 0);
  const std::set<std::string> names = names_in(folder.file("here"));
  EXPECT_EQ(names, names_in(folder.file("there")));
  for (const std::string& name : names)
    EXPECT_TRUE(read_file(folder.file("here/" + name)) == read_file(folder.file("there/" + name))) << name;
}

TEST(Run, MistakesAreExplained) {
  const TemporaryFolder folder;
  const std::string out = folder.file("out");
  ASSERT_EQ(accelscope({"run", "chain:tasks=5", "--chip-swimlane", "-o", out}).exit_code, 0);
  const auto mistake = [&](std::vector<std::string> words, std::string_view expected) {
    words.insert(words.begin(), "run");
    const ProgramResult result = accelscope(words);
    EXPECT_EQ(result.exit_code, 1) << expected;
    EXPECT_TRUE(contains(result.standard_error, expected)) << result.standard_error;
  };
  mistake({}, "GRAPH is missing");
  mistake({"bgem"}, "did you mean `bgemm`?");
  mistake({folder.file("nowhere.json")}, "cannot be opened");
  mistake({"bgemm:parts=4"}, "parts");
  mistake({"bgemm:buffers=65"}, "buffers");
  mistake({"chain", "--chip-swimlane=4", "-o", out}, "there is no chip swimlane level 4: 0 to 3");
  mistake({"chain", "--chip-swimlane=-1", "-o", out}, "there is no chip swimlane level -1");
  mistake({"chain", "--chip-swimlane=true", "-o", out}, "expected a level from 0 to 3");
  mistake({"chain", "--chip-swimlane"}, "there is no folder for it");
  mistake({"chain", "--chip-swimlane", "-o", out}, "exists");
  mistake({"chain", "--chip", "a9"}, "a9");
  mistake({"chain", "--pmu=9", "-o", out}, "has no group 9");
  mistake({"chain", "--rounds", "0"}, "--rounds 0");
  mistake({"chain", "--task-window", "5"}, "power of two");
  mistake({"chain", "--kernels", folder.file("none.so")}, "none.so");
  mistake({"bgemm", "--heap", "1024"}, "heap");
  EXPECT_EQ(accelscope({"run", "chain:tasks=5", "--chip-swimlane", "--replace", "-o", out}).exit_code, 0);
}

TEST(Run, ListsTheGraphsThatCanBeMade) {
  const ProgramResult result = accelscope({"run", "--list"});
  EXPECT_EQ(result.exit_code, 0);
  for (const std::string_view name : {"attention", "bgemm", "chain", "fan", "moe", "random", "vector"})
    EXPECT_TRUE(contains(result.standard_output, name)) << name;
}

}  // namespace
}  // namespace accelscope::cli
