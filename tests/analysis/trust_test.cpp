#include "analysis/trust.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "analysis/profile_samples.h"

namespace accelscope::analysis {
namespace {

using formats::etdump::ToySpeed;
using trace::Severity;

struct Checked {
  trace::QualityTable quality = {};
  std::vector<CrossCheck> checks = {};
};

Checked check(const Experiment& experiment) {
  Checked result;
  check_experiment(experiment, result.quality, result.checks);
  return result;
}

Checked check(const std::vector<std::int64_t>& durations) {
  return check(Experiment{.profile = profile_with(durations)});
}

void expect_row(const Checked& checked, std::string_view id, Severity severity) {
  const trace::QualityRow* row = row_of(checked.quality, id);
  ASSERT_NE(row, nullptr) << id;
  EXPECT_EQ(row->severity, severity) << id;
  EXPECT_NE(row->sentence.find("made"), std::string::npos) << row->sentence;
}

Experiment with_reference(std::vector<double> values) {
  return {.profile = profile_with(wobbling(20, 1'000'000, 5'000)),
          .references = {{.source = "metrics.json", .values = std::move(values)}}};
}

TEST(Trust, AGoodRecordingHasNoRows) {
  const Checked checked = check(wobbling(40, 1'000'000, 10'000));
  for (const trace::QualityRow& row : checked.quality.rows()) ADD_FAILURE() << row.id << ": " << row.sentence;
  ASSERT_EQ(checked.checks.size(), 1U) << "without operators, their sum is not checked";
  for (const CrossCheck& made : checked.checks) EXPECT_TRUE(made.passed) << made.what;
}

TEST(Trust, AFailedExperiment) {
  Experiment failed{.profile = {.name = "made"}};
  failed.facts.failure = "the runner crashed";
  const Checked checked = check(failed);
  expect_row(checked, "trust.failed_experiment", Severity::kError);
  EXPECT_EQ(row_of(checked.quality, "trust.no_executions"), nullptr) << "said once is enough";
}

TEST(Trust, NoExecutions) {
  expect_row(check(Experiment{.profile = {.name = "made"}}), "trust.no_executions", Severity::kError);
  Profile cold = profile_with({100, 100});
  for (Execution& execution : cold.methods.front().executions) execution.warm_up = true;
  expect_row(check(Experiment{.profile = cold}), "trust.no_executions", Severity::kError);
}

TEST(Trust, TimesThatAreNoLatency) {
  Experiment experiment{.profile = profile_with(wobbling(20, 1'000'000, 500'000))};
  experiment.profile.use = TimingUse::kOneRunOfSeveral;
  expect_row(check(experiment), "trust.one_run_file", Severity::kError);
  EXPECT_EQ(check(experiment).quality.rows().size(), 1U) << "nothing else is said of such times";
  EXPECT_TRUE(check(experiment).checks.empty());
  experiment.profile.use = TimingUse::kKernelTrace;
  expect_row(check(experiment), "trust.kernel_trace_timing", Severity::kError);
  experiment.profile.use = TimingUse::kAggregated;
  expect_row(check(experiment), "trust.aggregated", Severity::kWarning);
}

TEST(Trust, MissingExecutions) {
  Experiment experiment{.profile = profile_with(wobbling(20, 1'000'000, 5'000))};
  experiment.facts.runs_asked = 20;
  EXPECT_EQ(row_of(check(experiment).quality, "trust.missing_executions"), nullptr);
  experiment.facts.runs_asked = 30;
  expect_row(check(experiment), "trust.missing_executions", Severity::kWarning);
  experiment.facts.runs_asked.reset();
  experiment.profile.aborted_runs = 1;
  expect_row(check(experiment), "trust.missing_executions", Severity::kWarning);
  experiment.profile.aborted_runs = 0;
  experiment.profile.empty_runs = 2;
  expect_row(check(experiment), "trust.missing_executions", Severity::kWarning);
  const Checked wrap = check(Experiment{.profile = profile_of_dump("wrap", formats::etdump::wrap_dump())});
  EXPECT_NE(row_of(wrap.quality, "trust.missing_executions"), nullptr);
}

TEST(Trust, FewRuns) {
  expect_row(check({1000}), "trust.one_run", Severity::kWarning);
  expect_row(check(wobbling(9, 1'000'000, 5'000)), "trust.few_runs", Severity::kWarning);
  EXPECT_EQ(row_of(check(wobbling(10, 1'000'000, 5'000)).quality, "trust.few_runs"), nullptr);
}

TEST(Trust, WarmUpAndOutliers) {
  std::vector<std::int64_t> values = wobbling(30, 1'000'000, 5'000);
  values[0] = 1'400'000;
  values[17] = 1'150'000;
  const Checked checked = check(values);
  expect_row(checked, "trust.warm_up", Severity::kInfo);
  expect_row(checked, "trust.outliers", Severity::kInfo);
  EXPECT_NE(row_of(checked.quality, "trust.outliers")->sentence.find("17"), std::string::npos)
      << "the position among all executions, not among the steady ones";
}

TEST(Trust, Noise) {
  expect_row(check(wobbling(40, 1'000'000, 120'000)), "trust.noisy", Severity::kWarning);
  const Checked wild = check(wobbling(40, 1'000'000, 400'000));
  expect_row(wild, "trust.unreliable", Severity::kWarning);
  EXPECT_EQ(row_of(wild.quality, "trust.noisy"), nullptr);
  expect_row(wild, "trust.spread", Severity::kWarning);
  EXPECT_FALSE(wild.checks.front().passed);
}

TEST(Trust, Drift) {
  std::vector<std::int64_t> rising = wobbling(40, 1'000'000, 3'000);
  for (std::size_t i = 0; i < rising.size(); ++i) rising[i] += static_cast<std::int64_t>(i) * 3'000;
  expect_row(check(rising), "trust.drift", Severity::kWarning);
  EXPECT_NE(row_of(check(rising).quality, "trust.drift")->sentence.find("throttling"), std::string::npos);
  const std::vector<std::int64_t> falling(rising.rbegin(), rising.rend());
  const Checked faster = check(falling);
  expect_row(faster, "trust.drift", Severity::kWarning);
  EXPECT_EQ(row_of(faster.quality, "trust.drift")->sentence.find("throttling"), std::string::npos);
}

TEST(Trust, Step) {
  std::vector<std::int64_t> values = wobbling(40, 1'000'000, 3'000);
  for (std::size_t i = 25; i < values.size(); ++i) values[i] += 100'000;
  expect_row(check(values), "trust.step", Severity::kWarning);
  EXPECT_NE(row_of(check(values).quality, "trust.step")->sentence.find("run 25"), std::string::npos)
      << row_of(check(values).quality, "trust.step")->sentence;
}

TEST(Trust, TwoModes) {
  std::vector<std::int64_t> values = wobbling(40, 1'000'000, 3'000);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i % 5 == 1 || i % 7 == 3) values[i] += 150'000;
  expect_row(check(values), "trust.two_modes", Severity::kWarning);
}

TEST(Trust, SerialCorrelation) {
  std::vector<std::int64_t> values = wobbling(64, 1'000'000, 1'000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] +=
        static_cast<std::int64_t>(10'000 * std::sin(2 * std::numbers::pi * static_cast<double>(i) / 16));
  expect_row(check(values), "trust.serial_correlation", Severity::kWarning);
}

TEST(Trust, AlternatingRuns) {
  std::vector<std::int64_t> values = wobbling(40, 1'000'000, 500);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += i % 2 == 0 ? 8'000 : 0;
  expect_row(check(values), "trust.alternating_runs", Severity::kInfo);
  values.resize(5);
  EXPECT_EQ(row_of(check(values).quality, "trust.alternating_runs"), nullptr);
}

TEST(Trust, PeriodicSpikes) {
  std::vector<std::int64_t> values = wobbling(48, 1'000'000, 3'000);
  for (std::size_t i = 5; i < values.size(); i += 9) values[i] += 100'000;
  expect_row(check(values), "trust.periodic_spikes", Severity::kInfo);
}

TEST(Trust, SumsThatCannotBe) {
  const std::vector<std::int64_t> durations(12, 100);
  Experiment experiment{.profile = profile_with(durations, {{"a", Part::kDelegateOperator, Category::kGemm,
                                                             std::vector<std::int64_t>(12, 120)}})};
  const Checked more = check(experiment);
  expect_row(more, "trust.operators_exceed_total", Severity::kError);
  EXPECT_EQ(row_of(more.quality, "trust.sum_differs"), nullptr);
  experiment.profile.methods.front().entries.back().self.front().value = 1;
  expect_row(check(experiment), "trust.sum_differs", Severity::kError);
}

TEST(Trust, ZeroDurations) {
  std::vector<std::int64_t> values = wobbling(12, 1'000'000, 5'000);
  values[3] = 0;
  expect_row(check(values), "trust.zero_durations", Severity::kError);
  expect_row(check(std::vector<std::int64_t>(12, 0)), "trust.zero_durations", Severity::kError);
}

TEST(Trust, QuantisedTimes) {
  const Checked checked = check(Experiment{.profile = toy(ToySpeed::kFast)});
  const trace::QualityRow* row = row_of(checked.quality, "trust.quantised_times");
  ASSERT_NE(row, nullptr);
  EXPECT_NE(row->sentence.find("steps of 1.000 µs"), std::string::npos) << row->sentence;
}

TEST(Trust, ReferencesThatAgree) {
  const Checked checked = check(with_reference({1.04, 1.04}));
  EXPECT_TRUE(checked.quality.rows().empty());
  ASSERT_EQ(checked.checks.size(), 2U);
  EXPECT_TRUE(checked.checks.back().passed);
  EXPECT_NE(checked.checks.back().what.find("metrics.json"), std::string::npos);
}

TEST(Trust, ReferencesAreComparedWithoutDeclaredWarmUp) {
  Experiment experiment{.profile = profile_with({5'000'000, 5'000'000, 5'000'000, 1'000'000, 1'000'000}),
                        .references = {{.source = "metrics.json", .values = {1.0}}}};
  for (std::size_t i = 0; i < 3; ++i) experiment.profile.methods.front().executions[i].warm_up = true;
  EXPECT_TRUE(check(experiment).checks.back().passed);
}

TEST(Trust, ReferencesThatDisagree) {
  const Checked checked = check(with_reference({1.2}));
  expect_row(checked, "trust.disagrees", Severity::kWarning);
  EXPECT_FALSE(checked.checks.back().passed);
  expect_row(check(with_reference({0.9})), "trust.disagrees", Severity::kWarning);
}

TEST(Trust, NestedRowsSummed) {
  const Checked checked = check(with_reference({2.99, 3.0, 3.01}));
  expect_row(checked, "trust.nested_rows_summed", Severity::kError);
  EXPECT_EQ(row_of(checked.quality, "trust.disagrees"), nullptr);
  EXPECT_NE(row_of(checked.quality, "trust.nested_rows_summed")->sentence.find("nested rows summed"),
            std::string::npos);
}

TEST(Trust, ReferencesThatAreNoNumbers) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  const Checked some = check(with_reference({1.0, nothing, 1.0}));
  expect_row(some, "trust.not_a_number", Severity::kWarning);
  EXPECT_TRUE(some.checks.back().passed);
  const Checked none = check(with_reference({nothing, std::numeric_limits<double>::infinity()}));
  expect_row(none, "trust.not_a_number", Severity::kWarning);
  EXPECT_EQ(none.checks.size(), 1U) << "nothing is left to compare with";
  EXPECT_TRUE(check(with_reference({})).quality.rows().empty());
}

// A reference in milliseconds says nothing about ticks of an unknown clock.
TEST(Trust, TicksAreNotComparedWithMilliseconds) {
  Experiment experiment = with_reference({1.0});
  experiment.profile.methods.front().frequency = base::Frequency::unknown();
  const Checked checked = check(experiment);
  EXPECT_EQ(row_of(checked.quality, "trust.disagrees"), nullptr);
  EXPECT_EQ(checked.checks.size(), 1U);
}

// metrics.json adds the executions of one run up; the same figure is compared.
TEST(Trust, MetricsOfSeveralMethodsAreComparedPerRun) {
  Experiment experiment{.profile = profile_of_dump("wrap", formats::etdump::wrap_dump())};
  experiment.references = {{.source = "metrics.json", .values = {0.01195, 0.01335, 0.00265}}};
  const Checked checked = check(experiment);
  EXPECT_TRUE(checked.checks.back().passed) << checked.checks.back().outcome;
  EXPECT_EQ(row_of(checked.quality, "trust.disagrees"), nullptr);
}

TEST(Trust, NamesTheMethodWhereThereAreSeveral) {
  const Checked checked = check(Experiment{.profile = profile_of_dump("wrap", formats::etdump::wrap_dump())});
  const trace::QualityRow* row = row_of(checked.quality, "trust.few_runs");
  ASSERT_NE(row, nullptr);
  EXPECT_TRUE(row->sentence.starts_with("wrap, method ")) << row->sentence;
}

}  // namespace
}  // namespace accelscope::analysis
