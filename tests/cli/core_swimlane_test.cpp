// Core swimlanes through the program: pictures with lanes of pipes, the report on them, and a comparison.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <map>

#include "base/output.h"
#include "cli/analysis_program.h"
#include "formats/chip_run/sample_pipes.h"

namespace accelscope::cli {
namespace {

using formats::chip_run::PipeSpan;
using formats::chip_run::SamplePipes;
using formats::chip_run::words_of;
using formats::perfmon::Pipe;
using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

class CoreSwimlane : public testing::Test {
 protected:
  // A load, and behind it a vector operation, which starts earlier the more they overlap.
  static std::string recording(std::int64_t overlap) {
    SamplePipes run{.cores = {formats::capture::CoreType::kVector, formats::capture::CoreType::kVector},
                    .functions = {"ADD"}};
    for (std::uint32_t core = 0; core < 2; ++core)
      for (std::uint64_t i = 0; i < 3; ++i) {
        const std::uint64_t start = 10'000 + 1000 * i;
        const auto at = static_cast<std::int64_t>(start);
        run.tasks.push_back({core, 3 * core + i + 1, 0, start, start + 900});
        run.drains.push_back({.core = core,
                              .time = start + 905,
                              .task = 3 * core + i + 1,
                              .bytes = words_of({{at, at + 400, Pipe::kMte2},
                                                 {at + 400 - overlap, at + 800 - overlap, Pipe::kVec},
                                                 {at + 850, at + 890, Pipe::kMte3}},
                                                {{at + 10, Pipe::kMte2, 42}})});
      }
    base::MemoryOutput out;
    EXPECT_TRUE(record_pipes(run, out));
    return std::string(out.bytes());
  }
  void SetUp() override {
    write_file(before, recording(0));
    write_file(after, recording(300));
  }

  TemporaryFolder folder;
  std::string before = folder.file("before.astrace");
  std::string after = folder.file("after.astrace");
};

TEST_F(CoreSwimlane, PicturesHaveLanesOfPipesBelowEachCore) {
  const std::string picture = folder.file("picture.json");
  const ProgramResult converted = accelscope({"convert", before, "-o", picture});
  ASSERT_EQ(converted.exit_code, 0) << converted.standard_error;
  simdjson::dom::parser parser;
  const simdjson::dom::element document = parser.parse(read_file(picture));
  std::vector<std::pair<std::int64_t, std::string>> lanes;
  std::map<std::int64_t, std::string> name_of;
  std::size_t marks = 0;
  std::size_t loads = 0;
  for (const simdjson::dom::element event : document["traceEvents"]) {
    const std::string_view kind = event["ph"];
    const std::string_view name = event["name"];
    if (kind == "M" && name == "thread_name") name_of[event["tid"]] = std::string_view(event["args"]["name"]);
    if (kind == "M" && name == "thread_sort_index")
      lanes.emplace_back(std::int64_t(event["args"]["sort_index"]), name_of[event["tid"]]);
    marks += kind == "i" && name == "mark 42" ? 1U : 0U;
    loads += kind == "X" && name == "MTE2" ? 1U : 0U;
  }
  std::sort(lanes.begin(), lanes.end());
  std::vector<std::string> names;
  for (const auto& [order, name] : lanes)
    if (name.starts_with("AIV")) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"AIV 0", "AIV 0 / VEC", "AIV 0 / MTE2", "AIV 0 / MTE3", "AIV 1",
                                             "AIV 1 / VEC", "AIV 1 / MTE2", "AIV 1 / MTE3"}));
  EXPECT_EQ(marks, 6U);
  EXPECT_EQ(loads, 6U);
  for (const char* ending : {"picture.pftrace", "again.astrace", "picture.speedscope.json"}) {
    const ProgramResult other = accelscope({"convert", before, "-o", folder.file(ending)});
    EXPECT_EQ(other.exit_code, 0) << ending << other.standard_error;
  }
  const ProgramResult saved = accelscope({"report", folder.file("again.astrace")});
  EXPECT_TRUE(contains(saved.standard_output, "Inside the cores")) << "a trace keeps its pipes";
}

TEST_F(CoreSwimlane, TheReportSaysWhatLimitsAFunction) {
  const ProgramResult result = accelscope({"report", before});
  ASSERT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_TRUE(contains(result.standard_output, "ADD: MTE2 is busy 44.4 % and overlaps VEC only 0.0 %"))
      << result.standard_output;
  const ProgramResult better = accelscope({"report", after});
  EXPECT_FALSE(contains(better.standard_output, "double-buffer")) << better.standard_output;
  EXPECT_TRUE(contains(better.standard_output, "No pipe is busy")) << better.standard_output;
  const ProgramResult valid = accelscope({"validate", before});
  EXPECT_EQ(valid.exit_code, 0) << valid.standard_output;
}

TEST_F(CoreSwimlane, TwoRunsAreComparedByTheirPipes) {
  const ProgramResult result = accelscope({"compare", before, after});
  ASSERT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_TRUE(contains(result.standard_output, "ADD/overlap.MTE2.VEC went from 0.0 % to 75.0 %."))
      << result.standard_output;
}

}  // namespace
}  // namespace accelscope::cli
