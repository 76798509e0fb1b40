#include "compat/kit_summary.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compat/kit_fixtures.h"
#include "compat/kit_folder.h"
#include "compat/kit_robust.h"
#include "formats/etdump/etdump_reader.h"

namespace accelscope::compat {
namespace {

template <class Write>
std::string summary_text(const Write& write) {
  base::MemoryOutput out;
  write(out);
  return std::string(out.bytes());
}

struct Plan {
  std::string experiment;
  std::uint32_t threads;
  bool timing;
};

// A run as the pipelines record it; the mac pipeline lists files of traces that do not exist.
KitPipelineRun run_of(const Plan& plan, const std::string& fixture, const std::string& root, bool mac) {
  const std::string name = "toy_cnn_xnnpack_fp16_" + plan.experiment + "_t" + std::to_string(plan.threads);
  const std::string prefix = root + "/" + name;
  KitPipelineRun run{.experiment = plan.experiment, .threads = plan.threads};
  run.runs = plan.timing ? 10 : 100;
  run.warmup = plan.timing ? 1 : 10;
  if (plan.timing || mac)
    run.paths = {{"latency_log", prefix + "_latency.log"},
                 {"timeline_all", prefix + "_exec_all_runs_timeline.csv"},
                 {"timeline_run0", prefix + "_exec_run0_timeline.csv"},
                 {"etdump", prefix + ".etdump"}};
  if (!plan.timing) {
    run.mode = "xnntrace";
    run.paths.emplace_back("xnntrace_log", prefix + "_xnntrace.log");
    run.paths.emplace_back("kernel_csv", prefix + "_kernels.csv");
    return run;
  }
  const auto latencies =
      kit_latencies(fixture_timeline(fixture + "/" + name + "_exec_all_runs_timeline.csv"));
  EXPECT_TRUE(latencies);
  const KitRobustStats stats = kit_robust_stats(*latencies, "");
  run.metrics = {stats.median_ms, stats.mean_ms, stats.cv_percent,
                 prefix + "_exec_all_runs_timeline_robust_stats.json"};
  return run;
}

void expect_summary(const std::string& fixture, const KitPipelineSummary& summary) {
  const std::string stem = fixture + "/toy_cnn_xnnpack_fp16_pipeline_summary";
  EXPECT_EQ(summary_text([&](base::Output& out) { write_kit_pipeline_json(out, summary); }),
            fixture_text(stem + ".json"));
  EXPECT_EQ(kit_pipeline_markdown(summary), fixture_text(stem + ".md"));
}

TEST(KitSummaryFixtures, GiveThePipelineSummaries) {
  SKIP_WITHOUT_KIT_FIXTURES();
  KitPipelineSummary mac{.model = "out_toy_cnn/artifacts/toy_cnn_xnnpack_fp16.pte",
                         .generated_at = "2026-11-15T19:38:41.244037+00:00",
                         .output_root = "/kit/out_toy_cnn/runs/mac",
                         .runs = {}};
  for (const Plan& plan : {Plan{"mac_sme2_on", 1, true}, Plan{"mac_sme2_off", 1, true},
                           Plan{"mac_sme2_on_trace", 1, false}, Plan{"mac_sme2_off_trace", 1, false}})
    mac.runs.push_back(run_of(plan, "case1_mac_flat_pipeline_output", mac.output_root, true));
  expect_summary("case1_mac_flat_pipeline_output", mac);
  KitPipelineSummary android{.model = mac.model,
                             .generated_at = "2026-11-15T19:39:31.083445+00:00",
                             .output_root = "/kit/out_toy_cnn/runs/android",
                             .runs = {}};
  for (const Plan& plan : {Plan{"android_sme2_on", 1, true}, Plan{"android_sme2_off", 1, true},
                           Plan{"android_sme2_off", 4, true}, Plan{"android_sme2_on_xnnlog", 1, false}})
    android.runs.push_back(run_of(plan, "case1_android_flat_pipeline_output", android.output_root, false));
  expect_summary("case1_android_flat_pipeline_output", android);
}

KitAnalysedRecording recording_of(const std::string& experiment) {
  const std::string stem = "mac_" + experiment + "/toy_cnn_xnnpack_fp16_mac_" + experiment + "_t1";
  const auto file =
      base::MappedFile::open((kit_fixtures() / "case2_mac_expdirs" / (stem + ".etdump")).string());
  EXPECT_TRUE(file);
  const auto trace = formats::etdump::read(*file);
  EXPECT_TRUE(trace) << trace.error().to_string();
  const std::vector<KitInspectorRow> rows = kit_inspector_rows(inspector_table(*trace));
  const std::string path = "/kit/out_toy2/runs/mac/" + stem;
  return {.etdump = path + ".etdump",
          .categories = kit_inspector_categories(rows),
          .rows = rows.size(),
          .all_runs_timeline = path + "_exec_all_runs_timeline.csv",
          .first_run_timeline = path + "_exec_run0_timeline.csv",
          .stats = path + "_exec_ops_stats.csv"};
}

TEST(KitSummaryFixtures, GiveTheAnalysisSummary) {
  SKIP_WITHOUT_KIT_FIXTURES();
  const std::vector<KitAnalysedRecording> recordings = {recording_of("sme2_off"), recording_of("sme2_on")};
  EXPECT_EQ(summary_text([&](base::Output& out) {
              write_kit_analysis_json(out, "/kit/out_toy2/runs/mac", "", recordings);
            }),
            fixture_text("case2_mac_expdirs/analysis_summary.json"));
  EXPECT_EQ(kit_analysis_text("/kit/out_toy2/runs/mac/analysis_summary.json", recordings),
            fixture_text("case2_mac_expdirs/_stdout_analyze_results.txt"));
}

TEST(KitSummaryFixtures, GiveWhatTheValidationPrints) {
  SKIP_WITHOUT_KIT_FIXTURES();
  const std::string folder = (kit_fixtures() / "case2_mac_expdirs").string();
  const KitValidation validation = kit_validate(folder);
  EXPECT_TRUE(validation.valid);
  EXPECT_EQ(replaced(validation.text, resolved_path(folder), "/kit/out_toy2/runs/mac") + "rc=0\n",
            fixture_text("case2_mac_expdirs/_stdout_validate_results.txt"));
}

TEST(KitSummary, WritesWhatIsMissingAsSuch) {
  KitPipelineSummary summary{
      .model = "models/größe.pte", .generated_at = "t", .output_root = "/o", .runs = {}};
  EXPECT_EQ(kit_pipeline_markdown(summary),
            "# Pipeline Summary – größe\n\n- Generated: t\n- Output root: `/o`\n");
  summary.runs.push_back({.experiment = "a", .status = "analysis-only", .runs = 3});
  summary.runs.push_back({.experiment = "b", .mode = "xnntrace"});
  summary.runs.push_back({.experiment = "c", .metrics = KitRunMetrics{1, 2, std::nan(""), "s.json"}});
  EXPECT_EQ(kit_pipeline_markdown(summary), R"(# Pipeline Summary – größe

- Generated: t
- Output root: `/o`

## Timing Results
| Experiment | Threads | Runs | Warmup | Median (ms) | Mean (ms) | CV (%) | Robust Stats |
|-----------|---------|------|--------|-------------|-----------|--------|---------------|
| a | 1 | 3 | 0 | nan | nan | nan | `n/a` |
| c | 1 | 0 | 0 | 1.00 | 2.00 | nan | `s.json` |

## XNNTrace Results
| Experiment | Threads | Log Path |
|-----------|---------|----------|
| b | 1 | `n/a` |
)");
  summary.runs.erase(summary.runs.begin(), summary.runs.begin() + 2);
  EXPECT_EQ(summary_text([&](base::Output& out) { write_kit_pipeline_json(out, summary); }), R"({
  "model": "models/gr\u00f6\u00dfe.pte",
  "generated_at": "t",
  "output_root": "/o",
  "runs": [
    {
      "experiment": "c",
      "threads": 1,
      "mode": "timing",
      "status": "ok",
      "paths": {},
      "metrics": {
        "median_ms": 1.0,
        "mean_ms": 2.0,
        "cv_percent": null,
        "robust_stats_path": "s.json"
      },
      "runs": 0,
      "warmup": 0
    }
  ]
})");
}

TEST(KitSummary, SortsByOpTypesAndAddsUpRecordings) {
  const std::vector<KitInspectorRow> rows = {{"[]", 1}, {"['aten.convolution.default']", 2}, {"[]", 4}};
  const KitAnalysedRecording one{.etdump = "a.etdump",
                                 .categories = kit_inspector_categories(rows),
                                 .rows = rows.size(),
                                 .first_run_timeline = "a_run0.csv"};
  const std::vector<KitAnalysedRecording> twice = {one, one};
  EXPECT_EQ(summary_text([&](base::Output& out) { write_kit_analysis_json(out, "/r", "m.etrecord", twice); }),
            R"({
  "run_dir": "/r",
  "etrecord": "m.etrecord",
  "etdump_count": 2,
  "category_totals_ms": {
    "Other": 10.0,
    "Convolution": 4.0
  },
  "per_etdump": [
    {
      "etdump": "a.etdump",
      "categories_ms": {
        "Other": 5.0,
        "Convolution": 2.0
      },
      "rows": 3,
      "csv_timeline": "a_run0.csv",
      "csv_stats": null
    },
    {
      "etdump": "a.etdump",
      "categories_ms": {
        "Other": 5.0,
        "Convolution": 2.0
      },
      "rows": 3,
      "csv_timeline": "a_run0.csv",
      "csv_stats": null
    }
  ],
  "csv_files": [
    "a_run0.csv",
    "a_run0.csv"
  ]
}
)");
  EXPECT_EQ(kit_analysis_text("s.json", {}), "Wrote: s.json\n\nTop categories (ms, summed across traces):\n");
}

}  // namespace
}  // namespace accelscope::compat
