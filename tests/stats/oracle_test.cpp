// Every function against every value that scipy 1.10 gives for the nine latency vectors of the conformance
// data, and against the kit's own statistics of them.
#include <gtest/gtest.h>

#include <cmath>

#include "stats/autocorrelation.h"
#include "stats/bootstrap.h"
#include "stats/median_interval.h"
#include "stats/moments.h"
#include "stats/oracle_fixture.h"
#include "stats/outliers.h"
#include "stats/quantile.h"
#include "stats/rank_test.h"
#include "stats/spread.h"
#include "stats/trend.h"

namespace accelscope::stats {
namespace {

class OracleTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!oracle_is_here()) GTEST_SKIP() << "the conformance data is not beside this checkout";
    ASSERT_EQ(parser_.load(kOracleFolder + "oracle_stats_scipy1.10.json").get(oracle_), simdjson::SUCCESS);
  }

  simdjson::dom::parser parser_;
  simdjson::dom::element oracle_;
};

void expect_equal(std::optional<double> actual, std::optional<double> expected, std::string_view what) {
  ASSERT_EQ(actual.has_value(), expected.has_value()) << what;
  if (!expected) return;
  EXPECT_NEAR(*actual, *expected, 1e-9 * std::abs(*expected)) << what;
}

void expect_close(const Interval& actual, simdjson::dom::element expected, std::string_view what) {
  const std::vector<double> ends = numbers_of(expected);
  EXPECT_NEAR(actual.low, ends[0], 0.02 * ends[0]) << what;
  EXPECT_NEAR(actual.high, ends[1], 0.02 * ends[1]) << what;
}

TEST_F(OracleTest, Location) {
  for (const std::string& name : kOracleVectors) {
    const std::vector<double> values = oracle_vector(name), sorted = sorted_copy(values);
    const simdjson::dom::element expected = oracle_[name];
    ASSERT_EQ(static_cast<double>(values.size()), number_of(expected, "n")) << name;
    expect_equal(mean(values), number_of(expected, "mean"), name);
    expect_equal(median(values), number_of(expected, "median"), name);
    expect_equal(variance(values), number_of(expected, "var_ddof1"), name);
    expect_equal(mad(values), number_of(expected, "mad_raw"), name);
    expect_equal(mad_sigma(values), number_of(expected, "mad_sigma"), name);
    expect_equal(geometric_mean(values), number_of(expected, "geomean"), name);
    for (const int percent : {10, 25, 75, 90, 95, 99})
      expect_equal(quantile(sorted, percent / 100.0), number_of(expected, "p" + std::to_string(percent)),
                   name);
  }
}

TEST_F(OracleTest, Order) {
  for (const std::string& name : kOracleVectors) {
    const std::vector<double> values = oracle_vector(name);
    const simdjson::dom::element expected = oracle_[name];
    if (!number_of(expected, "mann_kendall_S")) continue;
    const auto trend = mann_kendall(values);
    expect_equal(static_cast<double>(trend->s), number_of(expected, "mann_kendall_S"), name);
    expect_equal(trend->tau, number_of(expected, "kendall_tau"), name);
    expect_equal(trend->p, number_of(expected, "kendall_p"), name);
    expect_equal(theil_sen_slope(values), number_of(expected, "theil_sen_slope"), name);
    expect_equal(lag1(values), number_of(expected, "lag1_autocorr"), name);
  }
}

TEST_F(OracleTest, IntervalsOfTheMedian) {
  for (const std::string& name : kOracleVectors) {
    const std::vector<double> values = oracle_vector(name);
    const simdjson::dom::element expected = oracle_[name];
    simdjson::dom::element ends;
    if (expected["median_ci95_orderstat"].get(ends) != simdjson::SUCCESS) continue;
    // The oracle gives all of five values for 95 %, though they cover only 93.75 %: this project refuses.
    EXPECT_EQ(median_interval(values, 0.95).has_value(), values.size() != 5);
    const auto exact = median_interval(values, values.size() == 5 ? 0.93 : 0.95);
    ASSERT_TRUE(exact) << name;
    EXPECT_EQ((std::vector{exact->interval.low, exact->interval.high}), numbers_of(ends)) << name;
    EXPECT_EQ((std::vector{static_cast<double>(exact->low_rank), static_cast<double>(exact->high_rank)}),
              numbers_of(expected["median_ci95_orderstat_ranks_1based"]))
        << name;
    expect_close(bootstrap_median(values)->interval, expected["boot_median_ci95_percentile_approx"], name);
  }
}

TEST_F(OracleTest, Pairs) {
  for (const simdjson::dom::element pair : oracle_["_pairs"].get_array()) {
    const std::string first_name{std::string_view(pair["a"])}, second_name{std::string_view(pair["b"])};
    const std::vector<double> first = oracle_vector(first_name), second = oracle_vector(second_name);
    std::string what = first_name;
    what += " and ";
    what += second_name;
    const auto normal = mann_whitney(first, second, PValue::kNormal);
    expect_equal(normal->u, number_of(pair, "U"), what);
    expect_equal(normal->p, number_of(pair, "p_asymptotic_cc"), what);
    expect_equal(mann_whitney(first, second, PValue::kExact)->p, number_of(pair, "p_exact_no_tie_correction"),
                 what);
    expect_equal(cliffs_delta(first, second), number_of(pair, "cliffs_delta"), what);
    expect_equal(hodges_lehmann(first, second)->estimate, number_of(pair, "hodges_lehmann_shift_x_minus_y"),
                 what);
    const auto ratio = bootstrap_ratio_of_medians(first, second);
    expect_equal(ratio->estimate, number_of(pair, "ratio_of_medians"), what);
    expect_close(ratio->interval, pair["boot_ratio_of_medians_ci95_approx"], what);
  }
}

TEST_F(OracleTest, ToyModel) {
  const simdjson::dom::element toy = oracle_["_toy_off_vs_on"];
  const std::vector<double> off = numbers_of(toy["off"]), on = numbers_of(toy["on"]);
  const auto test = mann_whitney(off, on);
  EXPECT_TRUE(test->exact);
  expect_equal(test->u, number_of(toy, "U"), "U");
  expect_equal(test->p, number_of(toy, "p_exact"), "p");
  expect_equal(hodges_lehmann(off, on)->estimate, number_of(toy, "hodges_lehmann"), "shift");
  const auto ratio = bootstrap_ratio_of_medians(off, on);
  expect_equal(ratio->estimate, number_of(toy, "ratio_of_medians"), "ratio");
  expect_close(ratio->interval, toy["boot_ratio_ci95_approx"], "ratio");
}

void expect_kit_statistics(std::span<const double> values, simdjson::dom::element expected,
                           const std::string& name) {
  expect_equal(mean(values), number_of(expected, "mean_ms"), name);
  expect_equal(median(values), number_of(expected, "median_ms"), name);
  expect_equal(standard_deviation(values), number_of(expected, "std_dev_ms"), name);
  expect_equal(100 * *coefficient_of_variation(values), number_of(expected, "cv_percent"), name);
}

TEST_F(OracleTest, KitStatistics) {
  for (const std::string& name : kOracleVectors) {
    // The kit writes "NaN" for one run, which is not JSON.
    if (name == "n1") continue;
    simdjson::dom::parser parser;
    simdjson::dom::element kit;
    const std::string file = kOracleFolder + name + "_exec_all_runs_timeline_robust_stats.json";
    ASSERT_EQ(parser.load(file).get(kit), simdjson::SUCCESS) << file;
    const std::vector<double> values = oracle_vector(name), sorted = sorted_copy(values);
    EXPECT_EQ(values, numbers_of(kit["latencies_ms"])) << name;
    expect_kit_statistics(values, kit, name);
    for (const int percent : {50, 75, 90, 95, 99})
      expect_equal(quantile(sorted, percent / 100.0),
                   number_of(kit["percentiles"], "p" + std::to_string(percent)), name);
    expect_equal(trimmed_mean(values, 0.05), number_of(kit, "trimmed_mean_5_ms"), name);
    expect_equal(trimmed_mean(values, 0.10), number_of(kit, "trimmed_mean_10_ms"), name);
    const auto far = tukey_outliers(values);
    expect_equal(far->lower, number_of(kit["outliers"]["bounds"], "lower"), name);
    expect_equal(far->upper, number_of(kit["outliers"]["bounds"], "upper"), name);
    std::vector<double> far_values;
    for (const std::size_t run : far->positions) far_values.push_back(values[run]);
    EXPECT_EQ(far_values, numbers_of(kit["outliers"]["values"])) << name;
    expect_kit_statistics(values_inside(values, far->lower, far->upper), kit["robust_stats"], name);
  }
}

}  // namespace
}  // namespace accelscope::stats
