#include "compat/kit_report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compat/kit_files.h"
#include "compat/kit_fixtures.h"

namespace accelscope::compat {
namespace {

namespace fs = std::filesystem;

const KitHost kHost{"x86_64", "Linux", "#1 SMP PREEMPT_DYNAMIC @0"};

// A kit in a temporary folder: its runners, one configuration, and the runs of a fixture.
class ToyKit {
 public:
  ToyKit(std::string_view platform, const fs::path& config, const std::string& config_name) {
    const fs::path root = fs::path(temporary_.path()) / "kit";
    root_ = resolved_path(root.string());
    run_dir_ = root_ + "/out_toy2/runs/" + std::string(platform);
    for (const char* build :
         {"mac-arm64", "mac-arm64-sme2-off", "mac-arm64-xnnlog", "mac-arm64-sme2-off-xnnlog",
          "android-arm64-v9a", "android-arm64-v9a-sme2-off"}) {
      const fs::path folder = fs::path(root_) / "executorch" / "cmake-out" / build;
      fs::create_directories(folder);
      tests::write_file((folder / "executor_runner").string(), "a runner");
    }
    fs::create_directories(root / "model_profiling" / "configs");
    fs::copy(kit_fixtures() / config, root / "model_profiling" / "configs" / config_name);
    fs::create_directories(fs::path(run_dir_).parent_path());
    fs::copy(kit_fixtures() / ("case2_" + std::string(platform) + "_expdirs"), run_dir_,
             fs::copy_options::recursive);
    fs::remove(run_dir_ + "/report.md");
  }

  const std::string& root() const { return root_; }
  const std::string& run_dir() const { return run_dir_; }
  std::string normalised(const std::string& text) const { return replaced(text, root_, "/kit"); }

 private:
  tests::TemporaryFolder temporary_;
  std::string root_;
  std::string run_dir_;
};

TEST(KitReportFixtures, GiveTheReportOfAFlatFolder) {
  SKIP_WITHOUT_KIT_FIXTURES();
  auto facts = kit_report_facts((kit_fixtures() / "case1_mac_flat_pipeline_output").string(), ".");
  ASSERT_TRUE(facts) << facts.error().to_string();
  facts->run_dir = "/kit/out_toy_cnn/runs/mac";
  facts->generated = "2026-11-15 19:39:51";
  facts->host = kHost;
  EXPECT_EQ(kit_report(*facts), fixture_text("case1_mac_flat_pipeline_output/report.md"));
}

TEST(KitReportFixtures, GiveTheReportOfExperimentFolders) {
  SKIP_WITHOUT_KIT_FIXTURES();
  const ToyKit kit("mac", "case1_mac_flat_pipeline_output/_config.json", "toy_all.json");
  const auto files = write_kit_report(kit.run_dir(), {.title = "Toy CNN report",
                                                      .generated = "2026-11-15 19:39:52",
                                                      .host = kHost,
                                                      .working_folder = kit.root()});
  ASSERT_TRUE(files) << files.error().to_string();
  EXPECT_EQ(files->written, (std::vector<std::string>{kit.run_dir() + "/report.md"}));
  EXPECT_EQ(kit.normalised(tests::read_file(files->written[0])), fixture_text("case2_mac_expdirs/report.md"));
}

TEST(KitReportFixtures, GiveTheReportOfAndroidOnceTheOrderOfFilesIsTheSame) {
  SKIP_WITHOUT_KIT_FIXTURES();
  const ToyKit kit("android", "case1_android_flat_pipeline_output/_config.json", "toy_android.json");
  auto facts = kit_report_facts(kit.run_dir(), kit.root());
  ASSERT_TRUE(facts) << facts.error().to_string();
  facts->generated = "2026-11-15 19:40:52";
  facts->host = kHost;
  std::reverse(facts->experiments.begin(), facts->experiments.end());
  EXPECT_EQ(kit.normalised(kit_report(*facts)), fixture_text("case2_android_expdirs/report.md"));
}

TEST(KitReportFixtures, GiveTheCombinedReport) {
  SKIP_WITHOUT_KIT_FIXTURES();
  const tests::TemporaryFolder folder;
  const auto files = write_kit_combined((kit_fixtures() / "case2_mac_expdirs").string(),
                                        (kit_fixtures() / "case2_android_expdirs").string(),
                                        {.model_name = "toy_cnn_xnnpack_fp16",
                                         .generated = "2026-11-15 19:40:52",
                                         .out = folder.file("combined.md")});
  ASSERT_TRUE(files) << files.error().to_string();
  EXPECT_EQ(tests::read_file(folder.file("combined.md")), fixture_text("case2_combined_report.md"));
}

TEST(KitReport, SaysLittleWhereItKnowsLittle) {
  KitReportFacts facts{.generated = "now",
                       .run_dir = "/r",
                       .host = {"arm64", "Darwin", "v", "macOS", "15.1"},
                       .experiments = {}};
  facts.executorch_sha = "abc";
  facts.executorch_dirty = true;
  facts.experiments.push_back({.name = "base", .stats_csv = "base_ops_stats.csv", .latencies = {1, 2}});
  EXPECT_EQ(kit_report(facts), R"(# Profiling Report: Unknown

**Generated**: now


## Metadata

- **Run Directory**: `/r`

### Device Information

- **Architecture**: arm64
- **Platform**: Darwin
- **Platform Version**: v
- **OS**: macOS
- **OS Version**: 15.1

### ExecuTorch Information

- **ExecuTorch SHA**: `abc`
- **ExecuTorch Status**: ⚠️ Dirty

### Analysis Information

- **CSV Files Analyzed**: 1

## Latency Comparison (SME2-On vs SME2-Off)

| Metric | SME2-On | SME2-Off | Speedup |
|--------|---------|----------|---------|

## Operator Category Breakdown

## Generated Artifacts

### CSV Files (Source Data for Report)

| File | Description |
|------|-------------|
| `base_ops_stats.csv` | Stats CSV (aggregated operator statistics) |

## Summary


---
*Report generated from CSV files (derived from ETDump)*)");
}

std::string summary_of(double on, double off) {
  const KitReportFacts facts{
      .generated = {},
      .run_dir = {},
      .host = {},
      .experiments = {{.name = "x_SME2-on", .latencies = {on}}, {.name = "x_sme2_off", .latencies = {off}}}};
  const std::string text = kit_report(facts);
  const std::size_t from = text.find("## Summary\n\n") + 12;
  return text.substr(from, text.find('\n', from) - from);
}

TEST(KitReport, NamesSpeedupSlowdownAndEquality) {
  EXPECT_EQ(summary_of(1, 3.367), "✅ **SME2 acceleration shows 3.37x speedup** in median latency.");
  EXPECT_EQ(summary_of(4, 2), "⚠️  **SME2 shows 2.00x slowdown** in median latency.");
  EXPECT_EQ(summary_of(2, 2), "ℹ️  **No significant difference** between SME2-on and SME2-off.");
  EXPECT_EQ(summary_of(0, 2), "ℹ️  **No significant difference** between SME2-on and SME2-off.");
}

TEST(KitReport, ShowsWhereRunnersWereFoundOrNot) {
  KitReportFacts facts{.generated = {}, .run_dir = "/r", .host = {}, .experiments = {}};
  facts.runners = {
      {.experiment = "a", .path = "here"},
      {.experiment = "b", .path = "/gone", .full_path = "/gone", .status = KitRunner::Status::kMissing},
      {.experiment = "c", .path = {}},
      {.experiment = "d",
       .path = "x",
       .full_path = "/x",
       .status = KitRunner::Status::kExists,
       .bytes = 3'145'728}};
  EXPECT_NE(kit_report(facts).find("### Runner Paths\n\n- **a**:\n  - Relative path: `here`\n"
                                   "- **b**:\n  - Relative path: `/gone`\n  - Full path: `/gone`\n"
                                   "  - Status: ⚠️ Not found\n"
                                   "- **d**:\n  - Relative path: `x`\n  - Full path: `/x`\n"
                                   "  - Status: ✓ Executable\n  - Size: 3.00 MB\n\n### Device"),
            std::string::npos)
      << kit_report(facts);
}

TEST(KitReport, ChoosesTheExperimentWithMostLatenciesByName) {
  const std::vector<KitExperiment> experiments = {{.name = "m_sme2_on_t1", .latencies = {1}},
                                                  {.name = "m_sme2_on_t4", .latencies = {1, 2}},
                                                  {.name = "m_sme2_on_t8", .latencies = {3, 4}},
                                                  {.name = "m_sme2-off", .latencies = {}}};
  const KitChoice choice = choose_kit_experiments(experiments);
  ASSERT_NE(choice.on, nullptr);
  ASSERT_NE(choice.off, nullptr);
  EXPECT_EQ(choice.on->name, "m_sme2_on_t4");
  EXPECT_EQ(choice.off->name, "m_sme2-off");
  const KitChoice last = choose_last_kit_experiments(experiments);
  EXPECT_EQ(last.on->name, "m_sme2_on_t8");
  EXPECT_EQ(last.off, nullptr);
}

TEST(KitReport, PutsCategoriesInOrderOfTimeThenName) {
  const KitReportFacts facts{
      .generated = {},
      .run_dir = {},
      .host = {},
      .experiments = {{.name = "sme2_on", .category_ms = {{"GEMM", 1}, {"Other", 2}}},
                      {.name = "sme2_off", .category_ms = {{"Convolution", 3}, {"Elementwise", 1}}}}};
  EXPECT_NE(kit_report(facts).find("| **Convolution** | 0.000 | 3.000 |\n| **Other** | 2.000 | 0.000 |\n"
                                   "| **Elementwise** | 0.000 | 1.000 |\n| **GEMM** | 1.000 | 0.000 |\n"),
            std::string::npos)
      << kit_report(facts);
}

TEST(KitReport, AddsUpOperatorsButNotTheFramework) {
  const std::vector<KitOperatorTotal> totals = {{"method::EXECUTE", "", 9},
                                                {"x", "DELEGATE_CALL", 9},
                                                {"Convert (NC)", "Convert (NC)", 1},
                                                {"conv", "conv", 2},
                                                {"Softmax", "Softmax", 4}};
  EXPECT_EQ(kit_category_totals(totals), (std::map<std::string, double>{{"Convolution", 3}, {"Other", 4}}));
}

TEST(KitReport, HasStatisticsOfFewAndOfManyValues) {
  EXPECT_FALSE(kit_report_stats({}));
  const auto one = kit_report_stats({2.5});
  ASSERT_TRUE(one);
  EXPECT_EQ(one->mean, 2.5);
  EXPECT_EQ(one->deviation, 0);
  const auto four = kit_report_stats({4, 1, 3, 2});
  ASSERT_TRUE(four);
  EXPECT_EQ(four->median, 2.5);
  EXPECT_EQ(four->min, 1);
  EXPECT_EQ(four->max, 4);
  EXPECT_NEAR(four->deviation, 1.2909944487358056, 1e-15);
  const auto lost = kit_report_stats({1e16, 1, -1e16, 1});
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->mean, 0.5);
}

TEST(KitCombinedReport, LeavesOutWhatIsNotThere) {
  const KitCombinedFacts facts{.model_name = "größe",
                               .generated = "now",
                               .platforms = {{"Android",
                                              {{.name = "b", .latencies = {2}},
                                               {.name = "a", .latencies = {1, 3}},
                                               {.name = "c_sme2_on", .latencies = {}}}}}};
  EXPECT_EQ(kit_combined_report(facts), R"(# Profiling Report: größe (macOS + Android)

**Generated**: now


## Metadata

- **Model**: `größe.pte`
- **Platforms**: macOS, Android

## Cross-Platform Latency Comparison

| Platform | Experiment | Median (ms) | Mean (ms) | Min (ms) | Max (ms) | Std Dev (ms) |
|----------|-----------|-------------|-----------|----------|----------|--------------|
| Android | a | 2.00 | 2.00 | 1.00 | 3.00 | 1.41 |
| Android | b | 2.00 | 2.00 | 2.00 | 2.00 | 0.00 |

## SME2 Speedup Comparison (SME2-On vs SME2-Off)

| Platform | Speedup |
|----------|---------|

## Operator Category Breakdown (Cross-Platform)

### Android

| Category | SME2-On (ms) | SME2-Off (ms) |
|----------|--------------|---------------|

---
*Report generated from CSV files (derived from ETDump)*)");
}

}  // namespace
}  // namespace accelscope::compat
