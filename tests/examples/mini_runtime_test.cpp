// The miniature foreign runtime of examples/, run as its reader would run it, and what the program makes of
// its recordings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "accelscope/dfx_flags.h"
#include "base/mapped_file.h"
#include "formats/chip_run/recording_reader.h"
#include "formats/tensor_dump/manifest.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace accelscope {
namespace {

using tests::ProgramResult;
using tests::run_program;
using tests::TemporaryFolder;

// 2 x 16 tiles filled, 16 multiplied four times and added to.
constexpr std::size_t kTasks = 32 + 16 * 4 + 16;
constexpr std::size_t kDependencies = 16 * (4 * 2 + 3) + 16;

class MiniRuntime : public testing::TestWithParam<int> {
 protected:
  std::string level() const { return std::to_string(GetParam()); }
  ProgramResult run_it() { return run_program({MINI_RUNTIME, level(), path}); }

  TemporaryFolder folder;
  std::string path = folder.file("run.astrace");
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// How the states of the list "what must hold" begin.
std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Where others use the processors, producers wait for the host. The recording says so, and lacks nothing.
bool only_waited(const std::string& text) {
  return count(text, "\n  warning  ") == 1 && has(text, "recording.paused") && !has(text, "\n  error  ");
}

TEST_P(MiniRuntime, ComputesAndRecords) {
  const ProgramResult ran = run_it();
  EXPECT_EQ(ran.exit_code, 0) << ran.standard_error;
  EXPECT_TRUE(has(ran.standard_output, std::to_string(kTasks) + " tasks, the result is right"))
      << ran.standard_output;
  EXPECT_TRUE(has(ran.standard_output, " 0 dropped")) << ran.standard_output;
  EXPECT_EQ(std::filesystem::exists(path), GetParam() > 0);
  EXPECT_EQ(run_it().exit_code, GetParam() > 0 ? 1 : 0) << "a file that exists is not replaced";
}

TEST_P(MiniRuntime, HoldsAllInvariants) {
  if (GetParam() == 0) return;
  ASSERT_EQ(run_it().exit_code, 0);
  const ProgramResult validated = run_program({ACCELSCOPE_PROGRAM, "validate", path});
  EXPECT_EQ(validated.exit_code, 0) << validated.standard_output << validated.standard_error;
  EXPECT_TRUE(has(validated.standard_output, "nothing to report")) << validated.standard_output;
  constexpr std::size_t kHolding[] = {0, 4, 7, 13};
  EXPECT_EQ(count(validated.standard_output, "\n  holds  "), kHolding[GetParam()])
      << validated.standard_output;
  EXPECT_EQ(count(validated.standard_output, "\n  not recorded "), 14 - kHolding[GetParam()]);
}

TEST_P(MiniRuntime, IsReportedOnByName) {
  if (GetParam() == 0) return;
  ASSERT_EQ(run_it().exit_code, 0);
  const ProgramResult report = run_program({ACCELSCOPE_PROGRAM, "report", path});
  EXPECT_EQ(report.exit_code, 0) << report.standard_error;
  for (const std::string_view function : {"\n  fill ", "\n  multiply ", "\n  add "})
    EXPECT_TRUE(has(report.standard_output, function)) << report.standard_output;
  // What another recorder costs says nothing of ours.
  EXPECT_TRUE(has(report.standard_output, "What this recording cost is not known")) << report.standard_output;
  const ProgramResult converted =
      run_program({ACCELSCOPE_PROGRAM, "convert", path, "-o", folder.file("run.pftrace")});
  EXPECT_EQ(converted.exit_code, 0) << converted.standard_error;
  EXPECT_GT(std::filesystem::file_size(folder.file("run.pftrace")), 1000U);
}

TEST_P(MiniRuntime, HasAllTasksAndDependencies) {
  if (GetParam() == 0) return;
  ASSERT_EQ(run_it().exit_code, 0);
  const auto file = base::MappedFile::open(path);
  ASSERT_TRUE(file);
  const auto trace = formats::chip_run::read_recording(*file);
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->tasks().size(), kTasks);
  EXPECT_EQ(trace->task_edges().size(), GetParam() >= 2 ? kDependencies : 0);
}

INSTANTIATE_TEST_SUITE_P(Levels, MiniRuntime, testing::Range(0, kMaxChipSwimlaneLevel + 1));

// Every tile that a task reads is what another one wrote, and the last ones are the result.
TEST(MiniRuntimeDump, HasTheTiles) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.astrace");
  ASSERT_EQ(run_program({MINI_RUNTIME, "3", path, "all"}).exit_code, 0);
  const ProgramResult validated = run_program({ACCELSCOPE_PROGRAM, "validate", path});
  EXPECT_EQ(validated.exit_code, 0) << validated.standard_output;
  EXPECT_TRUE(!has(validated.standard_output, "warning") || only_waited(validated.standard_output))
      << validated.standard_output;
  const std::string dump = folder.file("args_dump");
  const ProgramResult converted =
      run_program({ACCELSCOPE_PROGRAM, "convert", path, "--to", "tensor-dump", "-o", dump});
  ASSERT_EQ(converted.exit_code, 0) << converted.standard_error;
  EXPECT_EQ(run_program({ACCELSCOPE_PROGRAM, "validate", dump}).exit_code, 0);
  const auto file = base::MappedFile::open(dump + "/args_dump.json");
  const auto binary = base::MappedFile::open(dump + "/args.bin");
  ASSERT_TRUE(file && binary);
  const auto manifest = formats::tensor_dump::read_manifest(*file);
  ASSERT_TRUE(manifest) << manifest.error().to_string();
  // 32 tiles filled; 64 products of three tiles; 16 sums.
  EXPECT_EQ(manifest->arguments.size(), 32 * 2 + 64 * 4 + 16 * 3U);
  std::size_t results = 0;
  for (const auto& argument : manifest->arguments) {
    if (argument.is_scalar) continue;
    ASSERT_EQ(argument.bin_size, 48 * 48 * sizeof(float));
    std::vector<float> tile(argument.elements);
    std::memcpy(tile.data(), binary->text().data() + argument.bin_offset, argument.bin_size);
    EXPECT_EQ(std::count(tile.begin(), tile.end(), tile.front()), 48 * 48) << "all of a tile is one number";
    const bool of_sum = argument.functions == std::vector<std::int64_t>{2};
    if (!of_sum || argument.stage != recorder::TensorStage::kAfter) continue;
    // Sums are submitted tile by tile, row by row, each as the fifth task of its tile.
    const int number = static_cast<int>(argument.task - 32) / 5;
    int expected = 1;
    for (int k = 0; k < 4; ++k) expected += 48 * (number / 4 + k) * (k - number % 4);
    EXPECT_EQ(tile.front(), static_cast<float>(expected)) << number;
    ++results;
  }
  EXPECT_EQ(results, 16U);
}

TEST(MiniRuntimeDump, HasScopesAndDepths) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.astrace");
  ASSERT_EQ(run_program({MINI_RUNTIME, "3", path, "all"}).exit_code, 0);
  const auto file = base::MappedFile::open(path);
  ASSERT_TRUE(file);
  const auto rows = formats::chip_run::read_recorded_rows(*file);
  ASSERT_TRUE(rows && rows->siblings.scope_stats);
  const auto& boundaries = rows->siblings.scope_stats->boundaries;
  ASSERT_EQ(boundaries.size(), 4U);
  EXPECT_EQ(boundaries[0].site, "mini_runtime.c:fill");
  EXPECT_EQ(boundaries[1].task_window_end, 32U);
  EXPECT_EQ(boundaries[3].task_window_end, kTasks);
  EXPECT_EQ(rows->siblings.scope_stats->task_window_max[0], kTasks);
  for (const auto& phase : rows->capture.scheduler_threads.at(0)) EXPECT_TRUE(phase.queues_at_start);
}

TEST(MiniRuntimeFaults, AreSentences) {
  const TemporaryFolder folder;
  for (const char* level : {"4", "-1"}) {
    const ProgramResult ran = run_program({MINI_RUNTIME, level, folder.file("run.astrace")});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_EQ(ran.standard_error, "mini_runtime: there is no such level: levels are 0 to 3\n");
  }
  EXPECT_EQ(run_program({MINI_RUNTIME, "1", ""}).standard_error,
            "mini_runtime: a feature is recorded, but there is no path for its file\n");
  EXPECT_EQ(run_program({MINI_RUNTIME}).exit_code, 2);
  EXPECT_EQ(run_program({MINI_RUNTIME, "1", folder.file("run.astrace"), "some"}).exit_code, 2);
  EXPECT_TRUE(folder.names().empty());
}

// The guide quotes the example: every line of a block that says so stands there, and so does the compiler
// line.
TEST(EmbeddingGuide, QuotesTheExample) {
  const std::string source = tests::read_file(ACCELSCOPE_SOURCE_DIR "/examples/mini_runtime/mini_runtime.c");
  std::istringstream guide(tests::read_file(ACCELSCOPE_SOURCE_DIR "/docs/embedding.md"));
  std::size_t quoted = 0;
  bool in_quote = false;
  for (std::string line; std::getline(guide, line);) {
    const bool is_compiler_line = has(line, "-std=c99") || has(line, "-laccelscope_recorder");
    if (line == "/* mini_runtime.c */") {
      in_quote = true;
    } else if (line == "```") {
      in_quote = false;
    } else if (in_quote || is_compiler_line) {
      EXPECT_TRUE(has(source, line + "\n")) << line;
      ++quoted;
    }
  }
  EXPECT_GT(quoted, 20U);
}

}  // namespace
}  // namespace accelscope
