#include "compat/kit_operators.h"

#include <gtest/gtest.h>

#include "compat/kit_fixtures.h"

namespace accelscope::compat {
namespace {

template <class Write>
std::string written(const Write& write) {
  base::MemoryOutput out;
  write(out);
  return std::string(out.bytes());
}

KitOperatorAnalysis analysis_of(const KitTimeline& timeline, const std::string& model) {
  auto analysis = kit_operator_analysis(timeline, model);
  EXPECT_TRUE(analysis) << analysis.error().to_string();
  return analysis ? std::move(*analysis) : KitOperatorAnalysis{};
}

void expect_files(const std::filesystem::path& folder, const KitOperatorAnalysis& analysis) {
  const std::string stem = (folder / analysis.model_name).string();
  EXPECT_EQ(written([&](base::Output& out) { write_kit_category_csv(out, analysis); }),
            fixture_text(stem + "_category_summary.csv"));
  EXPECT_EQ(written([&](base::Output& out) { write_kit_operator_csv(out, analysis.operators); }),
            fixture_text(stem + "_operator_details.csv"));
  EXPECT_EQ(written([&](base::Output& out) { write_kit_e2e_csv(out, analysis); }),
            fixture_text(stem + "_e2e_latency.csv"));
  const std::vector<KitOperatorTime> other = kit_top_other_operators(analysis);
  const bool has_other = std::filesystem::exists(kit_fixtures() / (stem + "_other_top_ops.csv"));
  EXPECT_EQ(has_other, !other.empty());
  if (has_other) {
    EXPECT_EQ(written([&](base::Output& out) { write_kit_operator_csv(out, other); }),
              fixture_text(stem + "_other_top_ops.csv"));
  }
}

std::string toy(std::string_view experiment) {
  return "toy_cnn_xnnpack_fp16_mac_" + std::string(experiment) + "_t1";
}

KitTimeline toy_timeline(std::string_view experiment) {
  return fixture_timeline("case2_mac_expdirs/mac_" + std::string(experiment) + "/" + toy(experiment) +
                          "_exec_all_runs_timeline.csv");
}

std::string kit_path(std::string_view experiment) {
  return "/kit/out_toy2/runs/mac/mac_" + std::string(experiment) + "/" + toy(experiment) +
         "_exec_all_runs_timeline.csv";
}

TEST(KitOperatorsFixtures, GiveTheFilesOfOneTimeline) {
  SKIP_WITHOUT_KIT_FIXTURES();
  const KitTimeline on = toy_timeline("sme2_on");
  const KitOperatorAnalysis analysis = analysis_of(on, on.model_id);
  expect_files("case2_mac_expdirs/out_analyze_single", analysis);
  EXPECT_EQ(kit_operator_text(kit_path("sme2_on"), on, analysis) +
                kit_operator_saved_text(
                    "/data/executorch/case2_mac_expdirs/out_analyze_single/" + toy("sme2_on"), analysis),
            fixture_text("case2_mac_expdirs/out_analyze_single/_stdout.txt"));
  const KitTimeline tutorial =
      fixture_timeline("case7_docs_tutorial/executorch_docs_tutorial.etdp_exec_all_runs_timeline.csv");
  const KitOperatorAnalysis real = analysis_of(tutorial, "executorch_docs_tutorial");
  expect_files("case7_docs_tutorial", real);
  const std::string folder = "/data/executorch/case7_docs_tutorial/";
  EXPECT_EQ(
      kit_operator_text(folder + "executorch_docs_tutorial.etdp_exec_all_runs_timeline.csv", tutorial, real) +
          kit_operator_saved_text(folder + "executorch_docs_tutorial", real),
      fixture_text("case7_docs_tutorial/_stdout_analyze.txt"));
}

TEST(KitOperatorsFixtures, GiveTheComparisonWithItsLabelsInverted) {
  SKIP_WITHOUT_KIT_FIXTURES();
  const std::string folder = "case2_mac_expdirs/out_analyze_compare_as_documented/";
  const KitTimeline on = toy_timeline("sme2_on");
  const KitTimeline off = toy_timeline("sme2_off");
  const KitOperatorAnalysis first = analysis_of(on, on.model_id);
  const KitOperatorAnalysis second = analysis_of(off, off.model_id);
  expect_files(folder, first);
  expect_files(folder, second);
  const KitOperatorComparison comparison = kit_operator_comparison(first, second, "SME2-Off", "SME2-On");
  EXPECT_EQ(written([&](base::Output& out) { write_kit_comparison_csv(out, comparison); }),
            fixture_text(folder + toy("sme2_on") + "_comparison.csv"));
  const std::string out = "/data/executorch/" + folder;
  EXPECT_EQ(kit_operator_text(kit_path("sme2_on"), on, first) +
                kit_operator_saved_text(out + toy("sme2_on"), first) +
                kit_operator_text(kit_path("sme2_off"), off, second) +
                kit_operator_saved_text(out + toy("sme2_off"), second) +
                kit_operator_comparison_text(comparison) +
                kit_operator_comparison_saved_text(out + toy("sme2_on")),
            fixture_text(folder + "_stdout.txt"));
}

TEST(KitOperators, CountNamesAndEventsAndLeaveOutTheFramework) {
  const auto timeline = timeline_of(
      "model_id,name,duration_ms,run_index\n"
      "m,Method::init,99,0\n"
      "m,\"Softmax, x\",1,0\nm,\"Softmax, x\",,1\n"
      "m,add,1,0\nm,mul,2,0\nm,add,3,1\n"
      "m,DELEGATE_CALL,50,0\n"
      "m,Method::execute,10,0\nm,Method::execute,10,1\n");
  ASSERT_TRUE(timeline);
  const KitOperatorAnalysis analysis = analysis_of(*timeline, timeline->model_id);
  EXPECT_EQ(written([&](base::Output& out) { write_kit_category_csv(out, analysis); }),
            "category,total_ms,avg_ms,pct_of_e2e,operator_count\n"
            "ELEMENTWISE,6.0,3.0,30.0,2\n"
            "ACTIVATION,1.0,0.5,5.0,1\n");
  EXPECT_EQ(written([&](base::Output& out) { write_kit_operator_csv(out, analysis.operators); }),
            "operator,category,total_ms,avg_ms,pct_of_e2e,event_count\n"
            "add,ELEMENTWISE,4.0,2.0,20.0,2\n"
            "mul,ELEMENTWISE,2.0,1.0,10.0,1\n"
            "\"Softmax, x\",ACTIVATION,1.0,0.5,5.0,2\n");
  EXPECT_TRUE(kit_top_other_operators(analysis).empty());
}

TEST(KitOperators, HaveNothingToSayOfExecutionsAlone) {
  const auto timeline = timeline_of("model_id,name,duration_ms,run_index\nm,Method::execute,0,0\n");
  ASSERT_TRUE(timeline);
  const KitOperatorAnalysis nothing = analysis_of(*timeline, "m");
  EXPECT_EQ(written([&](base::Output& out) { write_kit_category_csv(out, nothing); }), "\n");
  EXPECT_EQ(written([&](base::Output& out) { write_kit_operator_csv(out, nothing.operators); }), "\n");
  EXPECT_EQ(written([&](base::Output& out) {
              write_kit_comparison_csv(out, kit_operator_comparison(nothing, nothing, "a", "b"));
            }),
            "\n");
  const auto no_runs = timeline_of("name,duration_ms\nMethod::execute,1\n");
  ASSERT_TRUE(no_runs);
  EXPECT_FALSE(kit_operator_analysis(*no_runs, "m"));
  const auto no_executions = timeline_of("name,duration_ms,run_index\nadd,1,0\n");
  ASSERT_TRUE(no_executions);
  EXPECT_EQ(kit_operator_analysis(*no_executions, "m").error().message,
            "No 'Method::execute' event found in timeline CSV");
}

TEST(KitOperators, CompareCategoriesThatOneSideLacks) {
  const auto first = timeline_of("name,duration_ms,run_index\nMethod::execute,4,0\nconv,1,0\nadd,2,0\n");
  const auto second = timeline_of("name,duration_ms,run_index\nMethod::execute,8,0\nconv,4,0\nrope,1,0\n");
  ASSERT_TRUE(first && second);
  const KitOperatorComparison comparison =
      kit_operator_comparison(analysis_of(*first, "a"), analysis_of(*second, "b"), "A, new", "B");
  EXPECT_EQ(written([&](base::Output& out) { write_kit_comparison_csv(out, comparison); }),
            "category,\"A, new_ms\",B_ms,speedup,\"A, new_pct\",B_pct\n"
            "CONV,1.0,4.0,4.0,25.0,50.0\n"
            "ELEMENTWISE,2.0,0.0,0.0,50.0,0.0\n"
            "OTHER,0.0,1.0,0.0,0.0,12.5\n");
  const std::string text = kit_operator_comparison_text(comparison);
  EXPECT_NE(text.find("E2E Latency                    4.000 ms           8.000 ms         2.000x\n"),
            std::string::npos)
      << text;
  EXPECT_LT(text.find("ELEMENTWISE "), text.find("CONV "));
}

TEST(KitOperators, ShortenLongNamesByCharacters) {
  const std::string longer = [] {
    std::string name;
    for (int i = 0; i < 64; ++i) name += "ö";
    return name;
  }();
  const auto timeline =
      timeline_of("name,duration_ms,run_index\nMethod::execute,4,0\n" + longer + ",1,0\nshort,1,0\n");
  ASSERT_TRUE(timeline);
  const std::string text = kit_operator_text("t.csv", *timeline, analysis_of(*timeline, "m"));
  const auto repeated = [](int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += "ö";
    return result;
  };
  EXPECT_NE(text.find("\n" + repeated(47) + "... OTHER                  1.000 ms         25.00%\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("   1. " + repeated(60) + "... — 1.000 ms avg (25.00% of E2E across 1 events)\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace accelscope::compat
