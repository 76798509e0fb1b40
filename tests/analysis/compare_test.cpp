#include "analysis/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analysis/profile_samples.h"
#include "compat/inspector_csv.h"

namespace accelscope::analysis {
namespace {

using formats::etdump::ToySpeed;
using stats::Verdict;

const std::string kMac = "executorch/case1_mac_flat_pipeline_output/toy_cnn_xnnpack_fp16_mac_sme2_";

void expect_savings_add_up(const MethodComparison& method) {
  double categories = 0;
  double category_shares = 0;
  for (const CategoryComparison& row : method.categories) {
    categories += row.saving;
    category_shares += row.saving_share;
  }
  double operators = 0;
  double operator_shares = 0;
  for (const PairComparison& row : method.operators) {
    operators += row.saving;
    operator_shares += row.saving_share;
  }
  EXPECT_NEAR(categories, method.saving, 1e-9);
  EXPECT_NEAR(operators, method.saving, 1e-9);
  if (method.saving == 0) return;
  EXPECT_NEAR(category_shares, 100, 1e-6);
  EXPECT_NEAR(operator_shares, 100, 1e-6);
}

void expect_toy(const Profile& off, const Profile& on, double speedup) {
  const Comparison comparison = compare(off, on);
  EXPECT_EQ(comparison.refusal, "");
  ASSERT_EQ(comparison.methods.size(), 1U);
  const MethodComparison& method = comparison.methods.front();
  EXPECT_NEAR(method.end_to_end.speedup, speedup, 0.005);
  EXPECT_EQ(method.end_to_end.verdict, Verdict::kFaster);
  ASSERT_TRUE(method.end_to_end.interval);
  EXPECT_GT(method.end_to_end.interval->low, 1);
  EXPECT_LT(method.end_to_end.interval->low, speedup);
  EXPECT_GT(method.end_to_end.interval->high, speedup);
  for (const MethodLatency* latency : {&method.baseline_latency, &method.candidate_latency}) {
    EXPECT_EQ(latency->states.at(0), ExecutionState::kDetectedWarmUp);
    EXPECT_EQ(latency->detected_warm_up, 1U);
    EXPECT_EQ(latency->outliers, (std::vector<std::uint32_t>{6}));
    EXPECT_NE(std::find(latency->steady_values.begin(), latency->steady_values.end(), latency->values[6]),
              latency->steady_values.end());
  }
  expect_savings_add_up(method);
  EXPECT_EQ(method.categories.front().category, Category::kConvolution);
  EXPECT_NE(verdict_sentence(comparison, method).find(fmt::format("{:.2f}x faster", speedup)),
            std::string::npos)
      << verdict_sentence(comparison, method);
}

TEST(Compare, ToyOnAgainstOff) {
  expect_toy(toy(ToySpeed::kSlow), toy(ToySpeed::kFast), 3.01);
}

TEST(Compare, ToyOfTheConformanceData) {
  const auto off = fixture_trace(kMac + "off_t1.etdump");
  const auto on = fixture_trace(kMac + "on_t1.etdump");
  if (!off || !on) GTEST_SKIP() << kNoFixtures;
  expect_toy(profile_of_trace("off", *off), profile_of_trace("on", *on), 3.37);
}

// Other differences than rounding of the CSV's decimal times would be a mistake of one of the readers.
void expect_same_numbers(const Comparison& left, const Comparison& right) {
  ASSERT_EQ(left.methods.size(), 1U);
  ASSERT_EQ(right.methods.size(), 1U);
  const MethodComparison& a = left.methods.front();
  const MethodComparison& b = right.methods.front();
  ASSERT_EQ(a.baseline_latency.values.size(), b.baseline_latency.values.size());
  for (std::size_t i = 0; i < a.baseline_latency.values.size(); ++i) {
    EXPECT_NEAR(a.baseline_latency.values[i], b.baseline_latency.values[i], 1e-9);
    EXPECT_NEAR(a.candidate_latency.values[i], b.candidate_latency.values[i], 1e-9);
  }
  EXPECT_NEAR(a.end_to_end.speedup, b.end_to_end.speedup, 1e-9);
  EXPECT_EQ(a.end_to_end.verdict, b.end_to_end.verdict);
  ASSERT_EQ(a.categories.size(), b.categories.size());
  for (std::size_t i = 0; i < a.categories.size(); ++i) {
    EXPECT_EQ(a.categories[i].category, b.categories[i].category);
    EXPECT_NEAR(a.categories[i].baseline, b.categories[i].baseline, 1e-9);
    EXPECT_NEAR(a.categories[i].candidate, b.categories[i].candidate, 1e-9);
    EXPECT_NEAR(a.categories[i].saving, b.categories[i].saving, 1e-9);
  }
  ASSERT_EQ(a.operators.size(), b.operators.size());
  for (std::size_t i = 0; i < a.operators.size(); ++i) {
    EXPECT_EQ(a.operators[i].name, b.operators[i].name);
    EXPECT_NEAR(a.operators[i].saving, b.operators[i].saving, 1e-9);
  }
}

TEST(Compare, TheEtdumpAndItsTimelineSayTheSame) {
  const auto off = fixture_trace(kMac + "off_t1.etdump");
  const auto on = fixture_trace(kMac + "on_t1.etdump");
  const auto off_csv = fixture_trace(kMac + "off_t1_exec_all_runs_timeline.csv");
  const auto on_csv = fixture_trace(kMac + "on_t1_exec_all_runs_timeline.csv");
  if (!off || !on || !off_csv || !on_csv) GTEST_SKIP() << kNoFixtures;
  expect_same_numbers(compare(profile_of_trace("off", *off), profile_of_trace("on", *on)),
                      compare(profile_of_trace("off", *off_csv), profile_of_trace("on", *on_csv)));
}

trace::Trace through_csv(const trace::Trace& trace) {
  const compat::InspectorTable table = compat::inspector_table(trace);
  base::MemoryOutput csv;
  compat::write_timeline_csv(csv, compat::timeline_rows(table, "toy"));
  auto read = formats::timeline_csv::read_timeline(
      base::MappedFile::from_memory("toy_exec_all_runs_timeline.csv", csv.bytes()));
  EXPECT_TRUE(read) << read.error().to_string();
  return std::move(*read);
}

TEST(Compare, TheSampleAndItsTimelineSayTheSame) {
  const trace::Trace off = trace_of(formats::etdump::toy_dump(ToySpeed::kSlow));
  const trace::Trace on = trace_of(formats::etdump::toy_dump(ToySpeed::kFast));
  expect_same_numbers(
      compare(profile_of_trace("off", off), profile_of_trace("on", on)),
      compare(profile_of_trace("off", through_csv(off)), profile_of_trace("on", through_csv(on))));
}

TEST(Compare, ARecordingWithItself) {
  for (const ToySpeed speed : {ToySpeed::kFast, ToySpeed::kSlow}) {
    const Profile profile = toy(speed);
    const Comparison comparison = compare(profile, profile);
    ASSERT_EQ(comparison.methods.size(), 1U);
    const MethodComparison& method = comparison.methods.front();
    EXPECT_EQ(method.end_to_end.verdict, Verdict::kNoDifference);
    EXPECT_EQ(method.end_to_end.speedup, 1);
    EXPECT_EQ(method.saving, 0);
    for (const PairComparison& row : method.operators) {
      EXPECT_EQ(row.saving, 0);
      EXPECT_EQ(row.saving_share, 0);
      ASSERT_TRUE(row.test) << row.name;
      EXPECT_NE(row.test->verdict, Verdict::kFaster) << row.name;
      EXPECT_NE(row.test->verdict, Verdict::kSlower) << row.name;
    }
    EXPECT_TRUE(verdict_sentence(comparison, method).starts_with("No difference"));
  }
}

// The same program measured twice: noise is not a finding.
TEST(Compare, TwoRecordingsOfTheSameProgram) {
  const Comparison comparison = compare(toy(ToySpeed::kFast, 30, 1), toy(ToySpeed::kFast, 30, 2));
  const MethodComparison& method = comparison.methods.front();
  EXPECT_EQ(method.end_to_end.verdict, Verdict::kNoDifference) << method.end_to_end.reason;
  expect_savings_add_up(method);
  for (const PairComparison& row : method.operators) {
    EXPECT_NE(row.test->verdict, Verdict::kFaster) << row.name;
    EXPECT_NE(row.test->verdict, Verdict::kSlower) << row.name;
  }
}

TEST(Compare, TheOtherWayRoundIsSlower) {
  const Comparison comparison = compare(toy(ToySpeed::kFast), toy(ToySpeed::kSlow));
  const MethodComparison& method = comparison.methods.front();
  EXPECT_EQ(method.end_to_end.verdict, Verdict::kSlower);
  EXPECT_NEAR(method.end_to_end.speedup, 1 / 3.01, 0.001);
  EXPECT_LT(method.saving, 0);
  expect_savings_add_up(method);
  EXPECT_NE(verdict_sentence(comparison, method).find("3.01x slower"), std::string::npos)
      << verdict_sentence(comparison, method);
}

TEST(Compare, OperatorsSayWhatTheyWere) {
  const Comparison comparison = compare(toy(ToySpeed::kSlow), toy(ToySpeed::kFast));
  const MethodComparison& method = comparison.methods.front();
  const PairComparison& first = method.operators.front();
  EXPECT_EQ(first.name, "Convolution (NHWC, PF16) IGEMM #3");
  EXPECT_EQ(first.baseline_name, "Convolution (NHWC, F16) IGEMM #3");
  EXPECT_EQ(first.test->verdict, Verdict::kFaster);
  EXPECT_TRUE(first.test->adjusted_p);
  EXPECT_NEAR(first.baseline / first.candidate, 4.5, 0.1);
  for (std::size_t i = 1; i < method.operators.size(); ++i)
    EXPECT_GE(std::abs(method.operators[i - 1].saving), std::abs(method.operators[i].saving));
  // A copy of half a microsecond, reported in whole ones, has no ratio.
  const auto copy = std::find_if(method.operators.begin(), method.operators.end(),
                                 [](const PairComparison& row) { return row.name == "Copy (ND, X16) #1"; });
  ASSERT_NE(copy, method.operators.end());
  EXPECT_TRUE(copy->below_resolution);
  EXPECT_FALSE(first.below_resolution);
}

TEST(Compare, PackingCountsWithTheOperatorItServes) {
  const auto times = [](std::int64_t value) { return std::vector<std::int64_t>(12, value); };
  const Profile off = profile_with(
      times(100'000), {{"conv", Part::kDelegateOperator, Category::kConvolution, times(80'000), "conv"}});
  const Profile on = profile_with(
      times(50'000), {{"pack", Part::kDelegateOperator, Category::kDataMovement, times(4'000), "pack_lh"},
                      {"conv", Part::kDelegateOperator, Category::kConvolution, times(26'000), "conv"}});
  const Comparison comparison = compare(off, on);
  const MethodComparison& method = comparison.methods.front();
  expect_savings_add_up(method);
  const PairComparison& row = method.operators.front();
  EXPECT_EQ(row.name, "conv");
  EXPECT_DOUBLE_EQ(row.candidate, 0.03);
  EXPECT_DOUBLE_EQ(row.packing, 0.004);
  EXPECT_DOUBLE_EQ(row.saving, 0.05);
}

TEST(Compare, OperatorsOfOneSideOnlyCountInTheTotal) {
  const auto times = [](std::int64_t value) { return std::vector<std::int64_t>(12, value); };
  const Profile off = profile_with(
      times(100), {{"softmax", Part::kLibraryOperator, Category::kNormalisation, times(70), "softmax"}});
  const Profile on = profile_with(times(50));
  const MethodComparison method = compare(off, on).methods.front();
  expect_savings_add_up(method);
  const auto lost = std::find_if(method.operators.begin(), method.operators.end(),
                                 [](const PairComparison& row) { return row.name == "softmax"; });
  ASSERT_NE(lost, method.operators.end());
  EXPECT_TRUE(lost->in_baseline);
  EXPECT_FALSE(lost->in_candidate);
  EXPECT_FALSE(lost->test);
}

TEST(Compare, MethodsAreComparedByName) {
  Profile off = profile_with({100, 101, 102, 103, 104});
  off.methods.push_back(method_with({500, 510, 505, 502, 507}, {}, "decode"));
  off.methods.push_back(method_with({9}, {}, "old"));
  Profile on = profile_with({1}, {}, "on");
  on.methods.front() = method_with({250, 260, 255, 251, 254}, {}, "decode");
  on.methods.push_back(method_with({100, 101, 102, 103, 104}));
  on.methods.push_back(method_with({7}, {}, "new"));
  const Comparison comparison = compare(off, on);
  ASSERT_EQ(comparison.methods.size(), 2U);
  EXPECT_EQ(comparison.methods[0].method, "decode");
  EXPECT_NEAR(comparison.methods[0].end_to_end.speedup, 2, 0.05);
  EXPECT_EQ(comparison.methods[1].end_to_end.speedup, 1);
  EXPECT_EQ(comparison.baseline_only, std::vector<std::string>{"old"});
  EXPECT_EQ(comparison.candidate_only, std::vector<std::string>{"new"});
}

TEST(Compare, OneMethodEachIsTheSameWhateverItsName) {
  Profile on = profile_with({100, 101, 102, 103, 104});
  on.methods.front().method = "method 1";
  EXPECT_EQ(compare(profile_with({100, 101, 102, 103, 104}), on).methods.size(), 1U);
}

TEST(Compare, RefusesTimesThatAreNoLatency) {
  for (const TimingUse use : {TimingUse::kOneRunOfSeveral, TimingUse::kKernelTrace, TimingUse::kAggregated}) {
    Profile bad = toy(ToySpeed::kSlow);
    bad.use = use;
    EXPECT_NE(compare(bad, toy(ToySpeed::kFast)).refusal, "");
    EXPECT_TRUE(compare(bad, toy(ToySpeed::kFast)).methods.empty());
    EXPECT_NE(compare(toy(ToySpeed::kFast), bad).refusal, "");
    EXPECT_TRUE(compare(toy(ToySpeed::kFast), bad).methods.empty());
  }
}

TEST(Compare, RefusesTicksAgainstMilliseconds) {
  Profile ticks = toy(ToySpeed::kSlow);
  ticks.methods.front().frequency = base::Frequency::unknown();
  const Comparison comparison = compare(ticks, toy(ToySpeed::kFast));
  EXPECT_NE(comparison.refusal, "");
  EXPECT_TRUE(comparison.methods.empty());
  EXPECT_TRUE(comparison.baseline_only.empty());
  const Comparison same = compare(ticks, ticks);
  EXPECT_EQ(same.refusal, "");
  EXPECT_EQ(same.methods.front().unit, "ticks");
}

TEST(Compare, WithoutSteadyExecutionsNothingIsClaimed) {
  Profile none = profile_with({100, 110});
  for (Execution& execution : none.methods.front().executions) execution.warm_up = true;
  const Comparison comparison = compare(none, profile_with({50, 51}));
  ASSERT_EQ(comparison.methods.size(), 1U);
  EXPECT_EQ(comparison.methods.front().end_to_end.verdict, Verdict::kInconclusive);
  EXPECT_TRUE(verdict_sentence(comparison, comparison.methods.front()).starts_with("Inconclusive"));
  const Comparison empty = compare(Profile{}, Profile{});
  EXPECT_TRUE(empty.methods.empty());
}

TEST(Compare, TheSameInputGivesTheSameNumbers) {
  const Profile off = toy(ToySpeed::kSlow, 20, 5);
  const Profile on = toy(ToySpeed::kFast, 20, 6);
  const MethodComparison first = compare(off, on).methods.front();
  const MethodComparison second = compare(off, on).methods.front();
  EXPECT_EQ(first.end_to_end.interval->low, second.end_to_end.interval->low);
  EXPECT_EQ(first.end_to_end.interval->high, second.end_to_end.interval->high);
  ASSERT_EQ(first.operators.size(), second.operators.size());
  for (std::size_t i = 0; i < first.operators.size(); ++i)
    EXPECT_EQ(first.operators[i].name, second.operators[i].name);
}

}  // namespace
}  // namespace accelscope::analysis
