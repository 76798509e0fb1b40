// Whether each file beside a swimlane is claimed by its own reader and by no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "findings/findings_json.h"
#include "findings/sample_findings.h"
#include "formats/chrome_json/reader.h"
#include "formats/deps/deps.h"
#include "formats/gzip/gzip.h"
#include "formats/host_phases/host_phases.h"
#include "formats/kernel_log/kernel_log_reader.h"
#include "formats/name_map/name_map.h"
#include "formats/pmu_csv/pmu_csv.h"
#include "formats/scope_stats/scope_stats.h"
#include "formats/strace_log/strace_log.h"
#include "formats/timeline_csv/sniff.h"

namespace accelscope::formats {
namespace {

std::string claims_on(std::string_view bytes) {
  std::string claims;
  const auto add = [&](bool claimed, const char* name) {
    if (claimed) claims += (claims.empty() ? "" : ", ") + std::string(name);
  };
  add(deps::looks_like_dependencies(bytes), "deps");
  add(name_map::looks_like_name_map(bytes), "names");
  add(pmu_csv::looks_like_pmu_csv(bytes), "pmu");
  add(scope_stats::looks_like_scope_stats(bytes), "scopes");
  add(host_phases::looks_like_host_phases(bytes), "host phases");
  add(strace_log::looks_like_strace_log(bytes), "log");
  add(chrome_json::looks_like_chrome_json(bytes), "chrome");
  add(timeline_csv::looks_like_timeline_csv(bytes), "timeline");
  add(timeline_csv::looks_like_ops_stats_csv(bytes), "operators");
  add(kernel_log::looks_like_kernels_csv(bytes), "kernels");
  add(kernel_log::looks_like_kernel_log(bytes), "kernel log");
  return claims;
}

TEST(Recognition, FindingsAreNobodys) {
  base::MemoryOutput out;
  findings::write_json(tests::sample_findings(), out);
  EXPECT_EQ(claims_on(out.bytes()), "");
}

TEST(Recognition, SwimlanesAreNobodysHere) {
  EXPECT_EQ(
      claims_on(
          R"({"chip_swimlane_level":1,"metadata":{"clock_freq_hz":50000000},"aicore_tasks":[[8,0,1,2,3]]})"),
      "");
  EXPECT_EQ(
      claims_on(
          R"({"version":1,"tasks":[{"task_id":4294967296,"func_id":1,"core_id":9,"core_type":"aiv",)"
          R"("start_time_us":12.340,"fanout":[4294967298],"fanout_count":1}],"aicpu_scheduler_phases":[[]]})"),
      "");
}

TEST(Recognition, ChromeJsonStaysChromeJson) {
  EXPECT_EQ(
      claims_on(
          R"({"traceEvents":[{"ph":"X","name":"tasks","args":{"edges":1,"records":[{"phase":"a"}]}}]})"),
      "chrome");
  EXPECT_EQ(claims_on(R"([{"ph":"X","name":"[STRACE] v=1"}])"), "chrome");
}

std::string expected_claims(const std::filesystem::path& path) {
  const std::string name = path.filename();
  if (name.starts_with("deps.json")) return "deps";
  if (name.starts_with("name_map")) return "names";
  if (name == "pmu.csv") return "pmu";
  if (name == "scope_stats.jsonl") return "scopes";
  if (name == "host_phase_records.jsonl") return "host phases";
  if (name == "run.log") return "log";
  if (name.starts_with("merged_") || name.starts_with("CPM_")) return "chrome";
  return "";
}

TEST(Recognition, OfRealFiles) {
  const std::string folder = std::string(ACCELSCOPE_FIXTURES_DIR) + "/swimlane";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "no conformance data: set ACCELSCOPE_FIXTURES to run this test";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  EXPECT_GT(paths.size(), 50U);
  for (const std::filesystem::path& path : paths) {
    auto file = base::MappedFile::open(path);
    ASSERT_TRUE(file) << file.error().to_string();
    if (gzip::looks_like_gzip(file->text())) file = gzip::gunzip(*file);
    ASSERT_TRUE(file) << file.error().to_string();
    EXPECT_EQ(claims_on(file->text()), expected_claims(path)) << path;
  }
}

}  // namespace
}  // namespace accelscope::formats
