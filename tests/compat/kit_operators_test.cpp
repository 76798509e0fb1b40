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

}  // namespace
}  // namespace accelscope::compat
