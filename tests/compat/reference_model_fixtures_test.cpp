// What the reference's analysers printed, made again: every line is the same.
#include <gtest/gtest.h>

#include <sstream>

#include "compat/reference_critical_path.h"
#include "compat/reference_fixtures.h"
#include "compat/reference_overhead.h"
#include "compat/reference_statistics.h"

namespace accelscope::compat {
namespace {

struct Files {
  const char* capture;
  const char* overhead;
  const char* console;
};
constexpr std::array<Files, 2> kAnalysed = {
    {{"TestMixedExample_case1", "tool_out/sched_overhead.stdout.txt",
      "tool_out/swimlane_converter.stdout.txt"},
     {"vector_loop_L4/", "sched_overhead.stdout.txt", "swimlane_converter.stdout.txt"}}};

std::string text_of(const std::filesystem::path& folder, const std::string& name) {
  const auto file = read_unpacked(file_in(folder, name));
  EXPECT_TRUE(file) << file.error().to_string();
  return file ? std::string(file->text()) : std::string();
}

// The first line that differs, or "".
std::string first_line_that_differs(const std::string& expected, const std::string& actual) {
  std::istringstream expected_lines(expected);
  std::istringstream actual_lines(actual);
  std::string a;
  std::string b;
  for (int line = 1;; ++line) {
    const bool more_expected = static_cast<bool>(std::getline(expected_lines, a));
    const bool more_actual = static_cast<bool>(std::getline(actual_lines, b));
    if (!more_expected && !more_actual) return {};
    if (more_expected != more_actual) return "one text is shorter, from line " + std::to_string(line);
    if (a != b) return "line " + std::to_string(line) + ":\n" + a + "\n" + b;
  }
}

class ReferenceModelFixtures : public testing::TestWithParam<Files> {
 protected:
  void SetUp() override {
    folder_ = chip_capture(GetParam().capture);
    if (folder_.empty()) GTEST_SKIP() << "the conformance data is not beside this checkout";
    auto opened = open_capture(folder_);
    ASSERT_TRUE(opened) << opened.error().to_string();
    trace_.emplace(std::move(*opened));
  }

  std::filesystem::path folder_;
  std::optional<trace::Trace> trace_;
};

TEST_P(ReferenceModelFixtures, SayTheSameOfOverhead) {
  const std::string printed = text_of(folder_, GetParam().overhead);
  // Two paths come first.
  const std::string parts = printed.substr(printed.find("\n\n") + 1);
  EXPECT_EQ(
      first_line_that_differs(parts, reference_overhead_text(reference_overhead(reference_run(*trace_)))),
      "");
}

TEST_P(ReferenceModelFixtures, HaveTheSameStatistics) {
  const std::string printed = text_of(folder_, GetParam().console);
  const std::size_t begin = printed.find("\n====") + 1;
  const std::size_t end = printed.find("\nScheduler-overhead deep-dive");
  EXPECT_EQ(first_line_that_differs(printed.substr(begin, end - begin),
                                    reference_statistics_text(reference_statistics(reference_run(*trace_)))),
            "");
}

TEST_P(ReferenceModelFixtures, HaveTheSameCriticalPath) {
  const std::string printed = text_of(folder_, "critical_path_report.md");
  const ReferenceRun run = reference_run(*trace_);
  const ReferenceCriticalPath path = reference_critical_path(run);
  const std::string made =
      reference_critical_path_text(path, run, folder_.filename().string()) + reference_path_table(path, run);
  EXPECT_EQ(first_line_that_differs(printed.substr(printed.find("## Rank")), made), "");
}

INSTANTIATE_TEST_SUITE_P(Analysed, ReferenceModelFixtures, testing::ValuesIn(kAnalysed),
                         [](const auto& test) { return test.index == 0 ? "Mixed" : "VectorLoop"; });

}  // namespace
}  // namespace accelscope::compat
