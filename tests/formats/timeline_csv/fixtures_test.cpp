// The kit's own files, where the conformance data is beside the checkout.
#include <gtest/gtest.h>

#include <filesystem>

#include "formats/timeline_csv/sniff.h"
#include "formats/timeline_csv/timeline_reader.h"

namespace accelscope::formats::timeline_csv {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> fixture_files(std::string_view ending) {
  std::vector<std::string> files;
  const fs::path folder = fs::path(ACCELSCOPE_FIXTURES_DIR) / "executorch";
  if (!fs::exists(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().string().ends_with(ending)) files.push_back(entry.path().string());
  return files;
}

TEST(TimelineFixtures, AreReadWithOneRunPerExecution) {
  const std::vector<std::string> files = fixture_files("_timeline.csv");
  if (files.empty()) GTEST_SKIP() << "the conformance data is not beside this checkout";
  for (const std::string& path : files) {
    const auto file = base::MappedFile::open(path);
    ASSERT_TRUE(file) << file.error().to_string();
    EXPECT_TRUE(looks_like_timeline_csv(file->text())) << path;
    EXPECT_FALSE(looks_like_ops_stats_csv(file->text())) << path;
    const auto trace = read_timeline(*file);
    ASSERT_TRUE(trace) << trace.error().to_string();
    EXPECT_TRUE(trace->clocks()[0].frequency.is_nanoseconds()) << path;
    EXPECT_FALSE(trace->quality().has_errors()) << path;
    std::size_t executions = 0;
    for (const trace::Run& run : trace->runs()) {
      EXPECT_NE(run.root, trace::SliceId::kNone) << path;
      EXPECT_EQ(run.status, trace::RunStatus::kComplete) << path;
      if (run.kind == trace::RunKind::kExecution) ++executions;
    }
    const bool all_runs_of_toy =
        path.find("toy_cnn") != std::string::npos && path.find("all_runs") != std::string::npos;
    EXPECT_EQ(executions == 10, all_runs_of_toy || path.find("n10_cold") != std::string::npos) << path;
    EXPECT_TRUE(executions == 1 || path.find("run0") == std::string::npos) << path;
    EXPECT_EQ(trace->quality().count("timeline_csv.single_run"), executions == 1 ? 1U : 0U) << path;
  }
}

TEST(TimelineFixtures, OpsStatsAreRead) {
  const std::vector<std::string> files = fixture_files("_ops_stats.csv");
  if (files.empty()) GTEST_SKIP() << "the conformance data is not beside this checkout";
  for (const std::string& path : files) {
    const auto file = base::MappedFile::open(path);
    ASSERT_TRUE(file) << file.error().to_string();
    EXPECT_TRUE(looks_like_ops_stats_csv(file->text())) << path;
    EXPECT_FALSE(looks_like_timeline_csv(file->text())) << path;
    const auto trace = read_ops_stats(*file);
    ASSERT_TRUE(trace) << trace.error().to_string();
    EXPECT_GT(trace->slices().size(), 5U) << path;
  }
}

}  // namespace
}  // namespace accelscope::formats::timeline_csv
