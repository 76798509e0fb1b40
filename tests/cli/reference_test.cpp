// What people who come from the reference's tools ask for, as a user runs it.
#include <gtest/gtest.h>

#include "formats/etdump/etdump_writer.h"
#include "formats/etdump/sample_dumps.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace accelscope::cli {
namespace {

using tests::ProgramResult;
using tests::read_file;
using tests::run_program;
using tests::TemporaryFolder;
using tests::write_file;

// Two tasks on two vector cores at level 2, and the edge between them.
constexpr std::string_view kRecords = R"({"chip_swimlane_level": 2,
  "metadata": {"clock_freq_hz": 50000000, "num_cores": 3, "core_types": ["aic", "aiv", "aiv"]},
  "aicore_tasks": [[1, 0, 1, 1000, 2000, 10], [2, 1, 1, 3000, 4000, 10]],
  "aicpu_tasks": [[1, 1, 900, 2100], [2, 1, 2500, 4100]]})";
constexpr std::string_view kDeps = R"({"tasks": [{"task_id": "0", "kernel_ids": [-1, 0, -1], "block_num": 1},
  {"task_id": "1", "kernel_ids": [-1, 1, -1], "block_num": 1}],
  "tensors": [], "edges": [{"pred": "0", "succ": "1", "source": "creator"}]})";

std::string write_run(const TemporaryFolder& folder) {
  write_file(folder.file("chip_swimlane_records.json"), kRecords);
  write_file(folder.file("deps.json"), kDeps);
  return folder.file("chip_swimlane_records.json");
}

ProgramResult convert(const std::string& input, const std::string& output,
                      const std::vector<std::string>& more) {
  std::vector<std::string> words = {ACCELSCOPE_PROGRAM, "convert", input, "-o", output};
  words.insert(words.end(), more.begin(), more.end());
  return run_program(words);
}

TEST(Reference, LayoutIsWrittenOnRequest) {
  const TemporaryFolder folder;
  const std::string input = write_run(folder);
  const std::string output = folder.file("merged.json");
  const ProgramResult plain = convert(input, output, {"--layout", "reference"});
  EXPECT_EQ(plain.exit_code, 0) << plain.standard_error;
  const std::string picture = read_file(output);
  for (const std::string_view expected : {"Worker View", "Scheduler View", "func_1_b(t1)", "\"dependency\""})
    EXPECT_NE(picture.find(expected), std::string::npos) << expected;
  EXPECT_EQ(picture.find("oh_aiv_ready"), std::string::npos);
  EXPECT_EQ(convert(input, output, {"--layout", "reference", "--overhead"}).exit_code, 0);
  EXPECT_NE(read_file(output).find("oh_aiv_ready"), std::string::npos);
}

TEST(Reference, LayoutIsRefusedWhereItCannotBe) {
  const TemporaryFolder folder;
  const std::string input = write_run(folder);
  for (const auto& [output, options, expected] :
       std::vector<std::tuple<std::string, std::vector<std::string>, std::string>>{
           {"out.pftrace", {"--layout", "reference"}, "Chrome JSON"},
           {"out.json", {"--layout", "reference", "--stretch", "10"}, "--stretch"},
           {"out.json", {"--overhead"}, "--layout reference"},
           {"out.json", {"--layout", "theirs"}, "--layout"}}) {
    const ProgramResult result = convert(input, folder.file(output), options);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.standard_error.find(expected), std::string::npos) << result.standard_error;
    EXPECT_FALSE(std::filesystem::exists(folder.file(output)));
  }
}

TEST(Reference, LayoutIsForChipsOnly) {
  const TemporaryFolder folder;
  write_file(folder.file("toy.etdump"),
             formats::etdump::write_etdump(formats::etdump::toy_dump(formats::etdump::ToySpeed::kFast)));
  const ProgramResult result =
      convert(folder.file("toy.etdump"), folder.file("toy.json"), {"--layout", "reference"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.standard_error.find("recordings of a chip"), std::string::npos) << result.standard_error;
  EXPECT_FALSE(std::filesystem::exists(folder.file("toy.json")));
  const ProgramResult model =
      run_program({ACCELSCOPE_PROGRAM, "report", folder.file("toy.etdump"), "--model", "reference"});
  EXPECT_EQ(model.exit_code, 1);
  EXPECT_NE(model.standard_error.find("recordings of a chip"), std::string::npos) << model.standard_error;
}

TEST(Reference, ModelIsPrintedOnRequest) {
  const TemporaryFolder folder;
  const std::string input = write_run(folder);
  const ProgramResult result = run_program({ACCELSCOPE_PROGRAM, "report", input, "--model", "reference"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  for (const std::string_view expected :
       {"Deps JSON:", "Part 1: Overhead verdict", "Part 6: Critical-path latency attribution",
        "Task Statistics by Function", "Total Test Time: 64.00 us", "happens-before edges: 1"})
    EXPECT_NE(result.standard_output.find(expected), std::string::npos) << expected << '\n'
                                                                        << result.standard_output;
  // A file of the run may be named as an input, another run may not.
  EXPECT_EQ(
      run_program({ACCELSCOPE_PROGRAM, "report", input, folder.file("deps.json"), "--model", "reference"})
          .standard_output,
      result.standard_output);
  std::filesystem::copy_file(input, folder.file("again.json"));
  const ProgramResult two =
      run_program({ACCELSCOPE_PROGRAM, "report", input, folder.file("again.json"), "--model", "reference"});
  EXPECT_EQ(two.exit_code, 1);
  EXPECT_NE(two.standard_error.find("of one recording"), std::string::npos) << two.standard_error;
  const ProgramResult refused =
      run_program({ACCELSCOPE_PROGRAM, "report", input, "--model", "reference", "--json"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.standard_error.find("--json does not go with"), std::string::npos);
}

}  // namespace
}  // namespace accelscope::cli
