// `accelscope latency`, `operators` and `kernels`, and what all verbs write under --compat.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/analysis_program.h"
#include "compat/kit_fixtures.h"

namespace accelscope::cli {
namespace {

namespace fs = std::filesystem;
using compat::replaced;
using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

constexpr std::string_view kToyLog =
    "Note (XNNPACK): Using gemm microkernel 'xnn_pf16_gemm_minmax_ukernel_32x32c2__neonsme2'. "
    "(init_gemm_config, gemm-config.c:251)\n";

TEST(Views, PrintFindingsInThreeForms) {
  const TemporaryFolder folder;
  make_toy(folder.file("toy.etdump"), ToySpeed::kFast);
  for (const std::string verb : {"latency", "operators", "kernels"}) {
    const ProgramResult text = accelscope({verb, folder.file("toy.etdump")});
    EXPECT_EQ(text.exit_code, 0) << text.standard_error;
    EXPECT_TRUE(contains(text.standard_output, "trust box")) << verb;
    const ProgramResult markdown = accelscope({verb, folder.file("toy.etdump"), "--markdown"});
    EXPECT_TRUE(markdown.standard_output.starts_with("# ")) << markdown.standard_output.substr(0, 80);
    const ProgramResult json = accelscope({verb, folder.file("toy.etdump"), "--json"});
    EXPECT_EQ(findings_in(json).kind, verb);
    EXPECT_EQ(accelscope({verb, folder.file("toy.etdump"), "--json", "--markdown"}).exit_code, 1);
  }
}

TEST(Views, LatencySeparatesTheColdRun) {
  const TemporaryFolder folder;
  make_toy(folder.file("toy.etdump"), ToySpeed::kFast);
  const findings::Findings latency =
      findings_in(accelscope({"latency", folder.file("toy.etdump"), "--json"}));
  const findings::Metric* median = findings::find_metric(latency, "median");
  ASSERT_NE(median, nullptr);
  EXPECT_EQ(median->n, 9U);
  EXPECT_EQ(median->unit, "ms");
  EXPECT_TRUE(has_row(latency, "trust.warm_up"));
}

TEST(Views, OperatorsMeasureWhatNestedRowsWouldAddUpTo) {
  const TemporaryFolder folder;
  make_toy(folder.file("toy.etdump"), ToySpeed::kFast);
  const findings::Findings own = findings_in(accelscope({"operators", folder.file("toy.etdump"), "--json"}));
  const findings::Metric* inflation = findings::find_metric(own, "nested_rows_inflation");
  ASSERT_NE(inflation, nullptr);
  EXPECT_GT(*inflation->value, 2.5);
  EXPECT_LT(*inflation->value, 3.5);
  SKIP_WITHOUT_FIXTURES();
  const findings::Findings docs = findings_in(
      accelscope({"operators", fixture("case7_docs_tutorial/executorch_docs_tutorial.etdp"), "--json"}));
  // docs/edge-ml.md says so.
  EXPECT_NEAR(*findings::find_metric(docs, "nested_rows_inflation")->value, 2.993, 0.0005);
}

TEST(Views, OperatorsListTheKitsCategoriesWhenAsked) {
  const TemporaryFolder folder;
  make_toy(folder.file("toy.etdump"), ToySpeed::kFast);
  const findings::Findings plain =
      findings_in(accelscope({"operators", folder.file("toy.etdump"), "--json"}));
  EXPECT_EQ(findings::find_section(plain, "kit_categories"), nullptr);
  const findings::Findings listed =
      findings_in(accelscope({"operators", folder.file("toy.etdump"), "--json", "--compat-categories"}));
  const auto rows = rows_of(listed, "kit_categories", "categories");
  ASSERT_FALSE(rows.empty());
  bool found = false;
  for (const auto& row : rows)
    if (contains(std::get<std::string>(row[0]), "Convolution (")) {
      found = true;
      EXPECT_EQ(std::get<std::string>(row[1]), "CONV");
    }
  EXPECT_TRUE(found);
}

TEST(Views, KernelsReadLogsAndTables) {
  const TemporaryFolder folder;
  write_file(folder.file("on_xnntrace.log"), kToyLog);
  make_toy(folder.file("on.etdump"), ToySpeed::kFast);
  const findings::Findings kernels = findings_in(
      accelscope({"kernels", folder.file("on.etdump"), folder.file("on_xnntrace.log"), "--json"}));
  EXPECT_EQ(rows_of(kernels, "kernels", "kernels").size(), 1U);
  ASSERT_EQ(accelscope({"kernels", "--compat", folder.file("on_xnntrace.log")}).exit_code, 0);
  const findings::Findings again =
      findings_in(accelscope({"kernels", folder.file("on_kernels.csv"), "--json"}));
  EXPECT_EQ(rows_of(again, "kernels", "kernels").size(), 1U);
  const ProgramResult wrong = accelscope({"kernels", "--compat", folder.file("on.etdump")});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_TRUE(contains(wrong.standard_error, "no kernel log")) << wrong.standard_error;
}

TEST(CompatVerbs, NeverWriteOverTheirInput) {
  const TemporaryFolder folder;
  const std::string csv = folder.file("toy_exec_all_runs_timeline.csv");
  const std::string bytes = timeline_csv({"1.0", "2.0", "1.5"});
  write_file(csv, bytes);
  const ProgramResult result = accelscope({"latency", "--compat", csv});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_EQ(read_file(csv), bytes);
  EXPECT_TRUE(fs::exists(folder.file("toy_exec_all_runs_timeline_robust_stats.json")));
  EXPECT_FALSE(contains(result.standard_output, "toy_exec_all_runs_timeline.csv\n"))
      << result.standard_output;
}

TEST(CompatVerbs, LatencyGivesTheKitsStatistics) {
  SKIP_WITHOUT_FIXTURES();
  const TemporaryFolder folder;
  for (const std::string name : {"n10_cold", "n20_lognormal", "n30_bimodal", "n100_throttle"}) {
    const std::string csv = fixture("case5_latency_stats/" + name + "_exec_all_runs_timeline.csv");
    ASSERT_EQ(accelscope({"latency", "--compat", csv, "-o", folder.path()}).exit_code, 0);
    const std::string file = name + "_exec_all_runs_timeline_robust_stats.json";
    EXPECT_EQ(read_file(folder.file(file)), read_file(fixture("case5_latency_stats/" + file)));
  }
}

TEST(CompatVerbs, OperatorsGiveTheKitsTables) {
  SKIP_WITHOUT_FIXTURES();
  const TemporaryFolder folder;
  const std::string name = "toy_cnn_xnnpack_fp16_mac_sme2_on_t1";
  const std::string from = "case2_mac_expdirs/mac_sme2_on/" + name;
  ASSERT_EQ(accelscope({"operators", "--compat", fixture(from + ".etdump"), "-o", folder.path()}).exit_code,
            0);
  const std::string tables = "case2_mac_expdirs/out_analyze_single/" + name;
  for (const std::string ending : {"_category_summary.csv", "_operator_details.csv", "_e2e_latency.csv"})
    EXPECT_EQ(read_file(folder.file(name + ending)), read_file(fixture(tables + ending)));
  for (const std::string ending :
       {"_exec_all_runs_timeline.csv", "_exec_run0_timeline.csv", "_exec_ops_stats.csv"})
    EXPECT_EQ(read_file(folder.file(name + ending)), read_file(fixture(from + ending)));
}

TEST(CompatVerbs, KernelsGiveTheKitsTableAndView) {
  SKIP_WITHOUT_FIXTURES();
  const TemporaryFolder folder;
  const std::string on = fixture("case3_kernels/on_xnntrace.log");
  const std::string off = fixture("case3_kernels/off_xnntrace.log");
  ASSERT_EQ(accelscope({"kernels", "--compat", on, off, "-o", folder.path()}).exit_code, 0);
  EXPECT_EQ(read_file(folder.file("kernel_view.md")), read_file(fixture("case3_kernels/kernel_view_all.md")));
  // The kit was told another model_id.
  EXPECT_EQ(replaced(read_file(folder.file("on_kernels.csv")), "\non,", "\ntoy,"),
            read_file(fixture("case3_kernels/on_kernels.csv")));
  ASSERT_EQ(accelscope({"kernels", "--compat", on, off, "-o", folder.path(), "--filter", "gemm", "--title",
                        "GEMM kernels:"})
                .exit_code,
            0);
  EXPECT_EQ(read_file(folder.file("kernel_view.md")),
            read_file(fixture("case3_kernels/kernel_view_gemm_from_logs.md")));
}

TEST(CompatVerbs, CompareGivesTheKitsComparisons) {
  SKIP_WITHOUT_FIXTURES();
  const TemporaryFolder folder;
  const std::string stem = "toy_cnn_xnnpack_fp16_mac_sme2_";
  const std::string on =
      fixture("case2_mac_expdirs/mac_sme2_on/" + stem + "on_t1_exec_all_runs_timeline.csv");
  const std::string off =
      fixture("case2_mac_expdirs/mac_sme2_off/" + stem + "off_t1_exec_all_runs_timeline.csv");
  ASSERT_EQ(accelscope({"compare", "--compat", off, on, "-o", folder.path(), "--baseline", "SME2-Off",
                        "--candidate", "SME2-On"})
                .exit_code,
            0);
  const std::string robust = stem + "off_t1_exec_all_runs_timeline_vs_" + stem +
                             "on_t1_exec_all_runs_timeline_robust_comparison.json";
  EXPECT_EQ(read_file(folder.file(robust)), read_file(fixture("case2_mac_expdirs/out_robust/" + robust)));
  // As the kit documents it: the other way round, labels included.
  ASSERT_EQ(accelscope({"compare", "--compat", on, off, "-o", folder.path(), "--baseline", "SME2-Off",
                        "--candidate", "SME2-On"})
                .exit_code,
            0);
  EXPECT_EQ(read_file(folder.file(stem + "on_t1_comparison.csv")),
            read_file(fixture("case2_mac_expdirs/out_analyze_compare_as_documented/" + stem +
                              "on_t1_comparison.csv")));
}

// Without the lines that depend on when, where and on which machine the kit ran.
std::string without_place_and_time(const std::string& report) {
  std::string kept;
  for (std::size_t begin = 0; begin < report.size();) {
    const std::size_t end = std::min(report.find('\n', begin), report.size() - 1) + 1;
    const std::string line = report.substr(begin, end - begin);
    if (!contains(line, "**Generated**") && !contains(line, "**Run Directory**") &&
        !contains(line, "**Platform") && !contains(line, "**Architecture**"))
      kept += line;
    begin = end;
  }
  return kept;
}

TEST(CompatVerbs, ReportGivesTheKitsReports) {
  SKIP_WITHOUT_FIXTURES();
  const TemporaryFolder folder;
  const std::string out = folder.file("report.md");
  ASSERT_EQ(
      accelscope({"report", "--compat", fixture("case1_mac_flat_pipeline_output"), "--out", out}).exit_code,
      0);
  EXPECT_EQ(without_place_and_time(read_file(out)),
            without_place_and_time(read_file(fixture("case1_mac_flat_pipeline_output/report.md"))));

  // The kit's report names the runners of the config, found from where it is called.
  const std::string runs = folder.file("kit/out_toy2/runs");
  fs::create_directories(runs);
  fs::copy(fixture("case2_mac_expdirs"), runs + "/mac", fs::copy_options::recursive);
  fs::create_directories(folder.file("kit/model_profiling/configs"));
  fs::copy(fixture("case1_mac_flat_pipeline_output/_config.json"),
           folder.file("kit/model_profiling/configs/toy_all.json"));
  for (const std::string build :
       {"mac-arm64", "mac-arm64-sme2-off", "mac-arm64-xnnlog", "mac-arm64-sme2-off-xnnlog"}) {
    fs::create_directories(folder.file("kit/executorch/cmake-out/" + build));
    write_file(folder.file("kit/executorch/cmake-out/" + build + "/executor_runner"), "a runner");
  }
  ASSERT_EQ(accelscope({"report", "--compat", runs + "/mac", "--title", "Toy CNN report", "--out", out},
                       {.folder = folder.file("kit")})
                .exit_code,
            0);
  const std::string root = fs::canonical(folder.file("kit")).string();
  EXPECT_EQ(without_place_and_time(replaced(read_file(out), root, "/kit")),
            without_place_and_time(read_file(fixture("case2_mac_expdirs/report.md"))));

  ASSERT_EQ(accelscope({"report", "--compat", "--combined", "mac=" + fixture("case2_mac_expdirs"),
                        "android=" + fixture("case2_android_expdirs"), "--title", "toy_cnn_xnnpack_fp16",
                        "--out", out})
                .exit_code,
            0);
  EXPECT_EQ(without_place_and_time(read_file(out)),
            without_place_and_time(read_file(fixture("case2_combined_report.md"))));
}

TEST(CompatVerbs, ValidateSaysWhatTheKitSays) {
  const TemporaryFolder folder;
  make_toy(folder.file("runs/on/toy_on_t1.etdump"), ToySpeed::kFast);
  const ProgramResult bad = accelscope({"validate", "--compat", folder.file("runs")});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_TRUE(contains(bad.standard_output, "❌ manifest.json missing")) << bad.standard_output;
  EXPECT_EQ(accelscope({"validate", "--compat", folder.file("runs"), folder.file("runs")}).exit_code, 1);
  SKIP_WITHOUT_FIXTURES();
  const ProgramResult good = accelscope({"validate", "--compat", fixture("case2_mac_expdirs")});
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_EQ(replaced(good.standard_output, fs::canonical(fixture("case2_mac_expdirs")).string(),
                     "/kit/out_toy2/runs/mac") +
                "rc=0\n",
            read_file(fixture("case2_mac_expdirs/_stdout_validate_results.txt")));
}

}  // namespace
}  // namespace accelscope::cli
