#include "compat/kit_robust.h"

#include <gtest/gtest.h>

#include "compat/kit_fixtures.h"

namespace accelscope::compat {
namespace {

namespace fs = std::filesystem;

std::string json_of(const KitRobustStats& stats) {
  base::MemoryOutput out;
  write_kit_robust_json(out, stats);
  return std::string(out.bytes());
}

std::string json_of(const KitRobustComparison& comparison) {
  base::MemoryOutput out;
  write_kit_robust_comparison_json(out, comparison);
  return std::string(out.bytes());
}

// The kit's NaN is not JSON; ours is null.
std::string with_null(const std::string& json) {
  return replaced(json, "NaN", "null");
}

std::string name_in(const std::string& json) {
  const std::size_t from = json.rfind("\"name\": \"") + 9;
  return json.substr(from, json.find('"', from) - from);
}

KitRobustStats stats_of(const KitTimeline& timeline, const std::string& name) {
  const auto latencies = kit_latencies(timeline);
  EXPECT_TRUE(latencies) << latencies.error().to_string();
  return kit_robust_stats(*latencies, name);
}

TEST(KitRobustFixtures, GiveEveryStatisticsFile) {
  SKIP_WITHOUT_KIT_FIXTURES();
  constexpr std::string_view kEnding = "_robust_stats.json";
  std::size_t compared = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kit_fixtures())) {
    const std::string path = entry.path().string();
    if (!path.ends_with(kEnding)) continue;
    std::string csv = path.substr(0, path.size() - kEnding.size()) + ".csv";
    if (!fs::exists(csv))
      csv = (entry.path().parent_path().parent_path() / "mac_sme2_off" / fs::path(csv).filename()).string();
    const std::string expected = tests::read_file(path);
    EXPECT_EQ(json_of(stats_of(fixture_timeline(csv), name_in(expected))), with_null(expected)) << path;
    ++compared;
  }
  EXPECT_EQ(compared, 15U);
}

TEST(KitRobustFixtures, GiveWhatTheToolPrints) {
  SKIP_WITHOUT_KIT_FIXTURES();
  std::size_t compared = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(kit_fixtures() / "case5_latency_stats")) {
    const std::string file = entry.path().filename().string();
    if (!file.ends_with("_stdout.txt")) continue;
    const std::string name = file.substr(0, file.size() - std::string_view("_stdout.txt").size());
    const KitTimeline timeline =
        fixture_timeline("case5_latency_stats/" + name + "_exec_all_runs_timeline.csv");
    const std::string stem = "/data/executorch/case5_latency_stats/" + name + "_exec_all_runs_timeline";
    const std::string text = kit_robust_text(stem + ".csv", timeline, stats_of(timeline, name)) +
                             kit_robust_saved_text(stem + "_robust_stats.json");
    EXPECT_EQ(text + "\nrc=0\n", tests::read_file(entry.path().string())) << file;
    ++compared;
  }
  EXPECT_EQ(compared, 9U);
}

TEST(KitRobustFixtures, GiveTheComparisons) {
  SKIP_WITHOUT_KIT_FIXTURES();
  const std::string off_stem = "toy_cnn_xnnpack_fp16_mac_sme2_off_t1_exec_all_runs_timeline";
  const std::string on_stem = "toy_cnn_xnnpack_fp16_mac_sme2_on_t1_exec_all_runs_timeline";
  const std::string json_name = off_stem + "_vs_" + on_stem + "_robust_comparison.json";
  const KitTimeline off = fixture_timeline("case2_mac_expdirs/mac_sme2_off/" + off_stem + ".csv");
  const KitTimeline on = fixture_timeline("case2_mac_expdirs/mac_sme2_on/" + on_stem + ".csv");
  const KitRobustStats off_stats = stats_of(off, off_stem);
  const KitRobustStats on_stats = stats_of(on, "SME2-On");
  const KitRobustComparison named = kit_robust_comparison(off_stats, on_stats, "SME2-Off", "SME2-On");
  EXPECT_EQ(json_of(named), fixture_text("case2_mac_expdirs/out_robust/" + json_name));
  EXPECT_EQ(json_of(kit_robust_comparison(off_stats, on_stats, "mac_sme2_off", "mac_sme2_on")),
            fixture_text("case1_mac_flat_pipeline_output/" + json_name));
  const std::string kit = "/kit/out_toy2/runs/mac/";
  const std::string out = "/data/executorch/case2_mac_expdirs/out_robust/";
  EXPECT_EQ(kit_robust_text(kit + "mac_sme2_off/" + off_stem + ".csv", off, off_stats) +
                kit_robust_saved_text(out + off_stem + "_robust_stats.json") +
                kit_robust_text(kit + "mac_sme2_on/" + on_stem + ".csv", on, on_stats) +
                kit_robust_comparison_text(named) + kit_robust_comparison_saved_text(out + json_name),
            fixture_text("case2_mac_expdirs/out_robust/_stdout.txt"));
}

TEST(KitRobust, WritesOneRunWithoutADeviation) {
  const auto timeline =
      timeline_of("model_id,name,duration_ms,run_index\nm,Method::execute,12.5,0.0\nm,add,1,0.0\n");
  ASSERT_TRUE(timeline);
  const KitRobustStats stats = stats_of(*timeline, "größe");
  EXPECT_EQ(json_of(stats), R"({
  "count": 1,
  "mean_ms": 12.5,
  "median_ms": 12.5,
  "std_dev_ms": null,
  "cv_percent": null,
  "min_ms": 12.5,
  "max_ms": 12.5,
  "percentiles": {
    "p50": 12.5,
    "p75": 12.5,
    "p90": 12.5,
    "p95": 12.5,
    "p99": 12.5
  },
  "outliers": {
    "count": 0,
    "percentage": 0.0,
    "values": [],
    "bounds": {
      "lower": 12.5,
      "upper": 12.5
    }
  },
  "trimmed_mean_5_ms": 12.5,
  "trimmed_mean_10_ms": 12.5,
  "robust_stats": {
    "count": 1,
    "mean_ms": 12.5,
    "median_ms": 12.5,
    "std_dev_ms": null,
    "cv_percent": null
  },
  "latencies_ms": [
    12.5
  ],
  "run_indices": [
    0.0
  ],
  "name": "gr\u00f6\u00dfe"
})");
  const std::string text = kit_robust_text("t.csv", *timeline, stats);
  EXPECT_EQ(text.substr(0, text.find("\n\n")), "📊 Analyzing: t.csv\n   Total events: 2\n   Runs: 1");
  EXPECT_NE(text.find("   Std Dev: nan ms\n   CV: nan%\n"), std::string::npos);
}

TEST(KitRobust, FindsOutliersAndComparesWithoutThem) {
  const KitRobustStats first =
      kit_robust_stats({{18, 10, 10, 10, 10, 10}, {0, 1, 2, 3, 4, 5}, false}, "first");
  EXPECT_EQ(first.outliers, (std::vector<double>{18}));
  EXPECT_EQ(first.inside_count, 5U);
  EXPECT_EQ(first.inside_cv_percent, 0);
  const KitRobustStats second = kit_robust_stats({{20, 20.5, 21}, {0, 1, 2}, false}, "second");
  const KitRobustComparison comparison = kit_robust_comparison(first, second, "A", "B");
  EXPECT_EQ(comparison.by_median, 10 / 20.5);
  EXPECT_EQ(comparison.description, "A is 2.05x faster than B");
  EXPECT_EQ(comparison.more_variable, "B");
  EXPECT_EQ(comparison.cv_ratio, 0);
  const std::string text = kit_robust_comparison_text(comparison);
  EXPECT_NE(
      text.find("\nA:\n   Median: 10.000 ms\n   Trimmed Mean (5%): 11.333 ms\n   CV: 0.00%\n   Runs: 6\n"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("CV ratio"), std::string::npos);  // there is none where one side does not vary
}

TEST(KitRobust, SaysThatATimelineHasNoRuns) {
  const auto timeline = timeline_of("name,duration_ms\nMethod::execute,2\n");
  ASSERT_TRUE(timeline);
  const KitRobustStats stats = stats_of(*timeline, "x");
  EXPECT_NE(kit_robust_text("t.csv", *timeline, stats)
                .find("   ⚠️  No run_index column - this CSV may not have all runs data\n"),
            std::string::npos);
  EXPECT_NE(json_of(stats).find("\"run_indices\": [\n    0\n  ]"), std::string::npos);
}

}  // namespace
}  // namespace accelscope::compat
