#include "jobs/run_checklist.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/bench_folder.h"
#include "jobs/bench.h"

namespace accelscope::jobs {
namespace {

namespace fs = std::filesystem;
using experiments::BenchFolder;
using tests::read_file;
using tests::write_file;

// A complete run directory, to be damaged.
class Checked : public testing::Test {
 protected:
  void SetUp() override {
    write_file(folder_.file("toy.json"), experiments::kToyConfig);
    BenchJobOptions options{.config = folder_.file("toy.json")};
    options.config_options.directory = folder_.path();
    options.run.schedule.rounds = 2;
    options.run.tool_version = "test";
    const auto outcome = bench(options);
    ASSERT_TRUE(outcome) << outcome.error().to_string();
    ASSERT_TRUE(outcome->no_report.empty()) << outcome->no_report;
    ASSERT_EQ(failed(), std::vector<std::string>{});
  }

  std::string place(const std::string& name) const { return folder_.file("out_toy/results/" + name); }
  RunChecklist list() const {
    auto made = check_run_directory(folder_.file("out_toy/results"), {});
    EXPECT_TRUE(made) << made.error().to_string();
    return made ? *std::move(made) : RunChecklist{};
  }
  std::vector<std::string> failed() const {
    std::vector<std::string> ids;
    for (const RunCheck& check : list().checks) {
      if (check.status != CheckStatus::kFailed) continue;
      ids.push_back(check.id);
      EXPECT_FALSE(check.found.empty()) << check.id;
      EXPECT_NE(check.what_to_do, "") << check.id;
    }
    return ids;
  }
  void replace_in(const std::string& name, std::string_view what, std::string_view with) const {
    std::string text = read_file(place(name));
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    write_file(place(name), text.replace(at, what.size(), with));
  }

  BenchFolder folder_;
};

using Ids = std::vector<std::string>;

TEST_F(Checked, FindsMissingRecords) {
  fs::remove(place("metrics.json"));
  EXPECT_EQ(failed(), Ids{"metrics"});
  write_file(place("manifest.json"), "{");
  const Ids ids = failed();
  EXPECT_EQ(ids.front(), "manifest");
}

TEST_F(Checked, FindsMissingAndDamagedRecordings) {
  fs::remove(place("on/toy_on_t1_r1.etdump"));
  EXPECT_EQ(failed(), Ids{"recorded_files"});
  const std::string whole = read_file(place("off/toy_off_t1_r1.etdump"));
  write_file(place("off/toy_off_t1_r1.etdump"), whole.substr(0, whole.size() / 2));
  EXPECT_EQ(failed(), (Ids{"recorded_files", "recordings"}));
  fs::remove(place("on/toy_on_t1_r2.etdump"));
  write_file(place("on_trace/toy_on_trace_t1_xnntrace.log"), "nothing about kernels\n");
  EXPECT_EQ(failed(), (Ids{"recorded_files", "recordings"}));
}

TEST_F(Checked, FindsMetricsThatDisagree) {
  std::string metrics =
      R"({"results": [{"experiment": "on", "metrics": {"threads": 1, "latency_ms": [1.0, 1.1]}}]})";
  write_file(place("metrics.json"), metrics);
  const Ids ids = failed();
  EXPECT_NE(std::find(ids.begin(), ids.end(), "metrics_agree"), ids.end());
}

TEST_F(Checked, FindsTablesThatDisagree) {
  fs::remove(place("on/toy_on_t1_r1_exec_all_runs_timeline.csv"));
  EXPECT_EQ(failed(), Ids{"tables_agree"});
  // Of one run only, where the ETDump has five.
  fs::copy(place("on/toy_on_t1_r1_exec_run0_timeline.csv"),
           place("on/toy_on_t1_r1_exec_all_runs_timeline.csv"));
  EXPECT_EQ(failed(), Ids{"tables_agree"});
}

TEST_F(Checked, FindsReportsThatLackSomething) {
  replace_in("report.md", "## Kernel-Level Insights", "## Kernels");
  replace_in("report.md", "Config File", "Config");
  const RunChecklist damaged = list();
  const auto report = std::find_if(damaged.checks.begin(), damaged.checks.end(),
                                   [](const RunCheck& check) { return check.id == "report"; });
  ASSERT_NE(report, damaged.checks.end());
  EXPECT_EQ(report->found.size(), 2U);
  EXPECT_NE(report->what_to_do.find("accelscope report"), std::string::npos);
  EXPECT_FALSE(damaged.complete());
  fs::remove(place("report.md"));
  fs::remove(place("kernel_view.md"));
  write_file(place("operator_analysis.json"), "{}");
  EXPECT_EQ(failed(), (Ids{"report", "operator_analysis", "kernel_view"}));
}

TEST(RunChecklist, SkipsWhatHasNothingToBeAbout) {
  const tests::TemporaryFolder folder;
  write_file(folder.file("toy_on_t1_latency.log"), "I said something\n");
  const auto list = check_run_directory(folder.path(), {});
  ASSERT_TRUE(list) << list.error().to_string();
  std::vector<std::string> skipped;
  for (const RunCheck& check : list->checks)
    if (check.status == CheckStatus::kSkipped) skipped.push_back(check.id);
  EXPECT_EQ(skipped, (Ids{"metrics_agree", "tables_agree"}));
  EXPECT_FALSE(list->complete());
}

TEST(RunChecklist, RefusesWhatIsNoRunDirectory) {
  const tests::TemporaryFolder folder;
  EXPECT_FALSE(check_run_directory(folder.path(), {}));
  EXPECT_FALSE(check_run_directory(folder.file("absent"), {}));
}

}  // namespace
}  // namespace accelscope::jobs
