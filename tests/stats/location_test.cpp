// Quantiles, moments, spread, fences, the exact interval of the median, lag-1 and Holm. Expected values are
// by hand where they are round, else from numpy 1.24 and scipy 1.10.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "stats/autocorrelation.h"
#include "stats/distributions.h"
#include "stats/median_interval.h"
#include "stats/moments.h"
#include "stats/multiple.h"
#include "stats/outliers.h"
#include "stats/quantile.h"
#include "stats/ranks.h"
#include "stats/spread.h"

namespace accelscope::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> kNone;
const std::vector<double> kSeven = {3.1, 2.7, 5.9, 4.4, 2.7, 8.8, 4.1};

TEST(Quantile, InterpolatesBetweenNeighbours) {
  const std::vector<double> sorted = sorted_copy(kSeven);
  EXPECT_NEAR(quantile(sorted, 0.10), 2.7, 1e-12);
  EXPECT_NEAR(quantile(sorted, 0.25), 2.9, 1e-12);
  EXPECT_NEAR(quantile(sorted, 0.37), 3.32, 1e-12);
  EXPECT_NEAR(quantile(sorted, 0.90), 7.06, 1e-12);
  EXPECT_EQ(quantile(sorted, 0), 2.7);
  EXPECT_EQ(quantile(sorted, 1), 8.8);
}

TEST(Quantile, SaysNothingOfNothing) {
  EXPECT_TRUE(std::isnan(quantile(kNone, 0.5)));
  EXPECT_TRUE(std::isnan(quantile(std::vector{1.0, 2.0}, -0.1)));
  EXPECT_TRUE(std::isnan(quantile(std::vector{1.0, 2.0}, 1.1)));
  EXPECT_TRUE(std::isnan(quantile(std::vector{1.0, 2.0}, kNan)));
  EXPECT_TRUE(std::isnan(quantile(sorted_copy(std::vector{kNan, 2.0}), 0.1)));
}

TEST(Quantile, OrdersInfinities) {
  const std::vector<double> sorted = sorted_copy(std::vector{kInfinity, 1.0, -kInfinity, kInfinity});
  EXPECT_EQ(quantile(sorted, 1), kInfinity);
  EXPECT_EQ(quantile(sorted, 0.9), kInfinity);
  EXPECT_EQ(quantile(sorted, 0), -kInfinity);
}

TEST(Quantile, SortsWhatIsNotANumberLast) {
  const std::vector<double> sorted = sorted_copy(std::vector{kNan, 2.0, kNan, 1.0});
  EXPECT_EQ(sorted[0], 1.0);
  EXPECT_EQ(sorted[1], 2.0);
  EXPECT_TRUE(std::isnan(sorted[2]));
}

TEST(Median, OfAnyOrder) {
  EXPECT_EQ(median(kSeven), 4.1);
  EXPECT_EQ(median(std::vector{4.0, 1.0, 3.0, 2.0}), 2.5);
  EXPECT_EQ(median(std::vector{5.0}), 5.0);
  EXPECT_TRUE(std::isnan(median(kNone)));
  EXPECT_TRUE(std::isnan(median(std::vector{1.0, kNan, 2.0})));
  EXPECT_EQ(median(std::vector{1.7e308, 1.7e308, 1.5e308, 1.7e308}), 1.7e308);
}

TEST(Moments, OfSevenValues) {
  EXPECT_NEAR(mean(kSeven), 31.7 / 7, 1e-12);
  EXPECT_NEAR(*variance(kSeven), 4.842380952380953, 1e-12);
  EXPECT_NEAR(*coefficient_of_variation(kSeven), std::sqrt(4.842380952380953) / (31.7 / 7), 1e-12);
  EXPECT_NEAR(*geometric_mean(kSeven), 4.149076967678957, 1e-12);
}

TEST(Moments, NeedEnoughValues) {
  EXPECT_TRUE(std::isnan(mean(kNone)));
  EXPECT_FALSE(variance(std::vector{1.0}));
  EXPECT_FALSE(standard_deviation(kNone));
  EXPECT_FALSE(coefficient_of_variation(std::vector{-1.0, 1.0}));
  EXPECT_FALSE(geometric_mean(kNone));
  EXPECT_FALSE(geometric_mean(std::vector{1.0, 0.0}));
  EXPECT_FALSE(geometric_mean(std::vector{1.0, kNan}));
}

TEST(Moments, TrimWholeValuesFromBothEnds) {
  const std::vector<double> ten = {100, 1, 2, 3, 4, 5, 6, 7, 8, -50};
  EXPECT_EQ(trimmed_mean(ten, 0.05), 8.6);
  EXPECT_EQ(trimmed_mean(ten, 0.10), 4.5);
  EXPECT_EQ(trimmed_mean(ten, 0.9), 4.5);
  EXPECT_EQ(trimmed_mean(ten, -1), 8.6);
  EXPECT_EQ(trimmed_mean(std::vector{3.0}, 0.5), 3.0);
  EXPECT_TRUE(std::isnan(trimmed_mean(kNone, 0.1)));
}

TEST(Spread, IsNotMovedByFarValues) {
  EXPECT_NEAR(mad(kSeven), 1.4, 1e-12);
  EXPECT_NEAR(mad_sigma(kSeven), 1.4 * 1.4826, 1e-12);
  EXPECT_NEAR(iqr(kSeven), 2.25, 1e-12);
  EXPECT_EQ(mad(std::vector{1.0, 1.0, 1.0, 1e9}), 0);
  EXPECT_TRUE(std::isnan(mad(kNone)));
  EXPECT_TRUE(std::isnan(mad(std::vector{1.0, kInfinity})));
  EXPECT_TRUE(std::isnan(iqr(kNone)));
}

TEST(MedianInterval, CountsRanks) {
  std::vector<double> values;
  for (int i = 12; i >= 1; --i) values.push_back(i);
  const auto interval = median_interval(values);
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low_rank, 3U);
  EXPECT_EQ(interval->high_rank, 10U);
  EXPECT_EQ(interval->interval, (Interval{3, 10, 0.95}));
  EXPECT_NEAR(interval->coverage, 0.96142578125, 1e-12);
}

TEST(MedianInterval, KnowsRanksOfOddAndLargeCounts) {
  const auto of_25 = median_interval(std::vector<double>(25, 1.0));
  EXPECT_EQ(of_25->low_rank, 8U);
  EXPECT_NEAR(of_25->coverage, 0.9567147493362427, 1e-12);
  const auto of_1000 = median_interval(std::vector<double>(1000, 1.0));
  EXPECT_EQ(of_1000->low_rank, 469U);
  EXPECT_EQ(of_1000->high_rank, 532U);
  EXPECT_NEAR(of_1000->coverage, 0.9537088026395019, 1e-12);
}

TEST(MedianInterval, SaysHowManyValuesItNeeds) {
  EXPECT_EQ(smallest_count_for_median_interval(0.95), 6U);
  EXPECT_EQ(smallest_count_for_median_interval(0.99), 8U);
  EXPECT_EQ(smallest_count_for_median_interval(0.5), 2U);
  EXPECT_EQ(smallest_count_for_median_interval(1), 0U);
  EXPECT_FALSE(median_interval(std::vector<double>(5, 1.0)));
  EXPECT_TRUE(median_interval(std::vector<double>(6, 1.0)));
  EXPECT_FALSE(median_interval(kNone));
  EXPECT_FALSE(median_interval(std::vector<double>(9, 1.0), 1.0));
  EXPECT_FALSE(median_interval(std::vector<double>(9, kNan)));
}

TEST(Outliers, AreStrictlyOutsideTheFences) {
  // Quartiles 2 and 4, fences -1 and 7.
  const auto far = tukey_outliers(std::vector{7.0, 1.0, 2.0, 3.0, 4.0});
  EXPECT_EQ(far->lower, -1);
  EXPECT_EQ(far->upper, 7);
  EXPECT_TRUE(far->positions.empty());
  const auto some = tukey_outliers(std::vector{7.1, 1.0, 2.0, 3.0, 4.0, 3.0, 3.0, -9.0, 2.0});
  EXPECT_EQ(some->positions, (std::vector<std::size_t>{0, 7}));
  EXPECT_FALSE(tukey_outliers(kNone));
  EXPECT_FALSE(tukey_outliers(std::vector{1.0, kNan}));
  EXPECT_EQ(values_inside(std::vector{3.0, 1.0, 2.0}, 1, 2), (std::vector{1.0, 2.0}));
}

TEST(Autocorrelation, OfNeighbours) {
  EXPECT_NEAR(*lag1(kSeven), -0.32621552898866313, 1e-12);
  EXPECT_FALSE(lag1(std::vector{1.0, 2.0}));
  EXPECT_FALSE(lag1(std::vector<double>(9, 0.1)));
  EXPECT_FALSE(lag1(std::vector{1.0, kNan, 2.0, 3.0}));
  EXPECT_EQ(effective_count(30, 0.5), 10);
  EXPECT_EQ(effective_count(30, -0.5), 30);
  EXPECT_EQ(effective_count(30, 1), 1);
  EXPECT_EQ(effective_count(0, 0.5), 0);
  EXPECT_NEAR(lag1_without_bias(20, 0.4), 9.0 / 16, 1e-12);
  EXPECT_EQ(lag1_without_bias(10, 0.9), 1);
  EXPECT_EQ(lag1_without_bias(4, 0.9), 0);
}

TEST(Ranks, ShareTheMiddleOfTies) {
  const Ranks ranks = mid_ranks(std::vector{5.0, 1.0, 5.0, 3.0, 5.0});
  EXPECT_EQ(ranks.values, (std::vector{4.0, 1.0, 4.0, 2.0, 4.0}));
  EXPECT_EQ(ranks.sizes_of_ties, (std::vector<std::size_t>{3}));
}

TEST(Holm, StepsDownInOrder) {
  // 4 * 0.01, 3 * 0.02, then 2 * 0.025 is held at the one before it, then 0.9.
  const std::vector<double> adjusted = holm(std::vector{0.9, 0.01, 0.025, 0.02});
  EXPECT_NEAR(adjusted[0], 0.9, 1e-15);
  EXPECT_NEAR(adjusted[1], 0.04, 1e-15);
  EXPECT_NEAR(adjusted[2], 0.06, 1e-15);
  EXPECT_NEAR(adjusted[3], 0.06, 1e-15);
  EXPECT_TRUE(holm(kNone).empty());
  const std::vector<double> with_gap = holm(std::vector{kNan, 0.01, 0.7});
  EXPECT_TRUE(std::isnan(with_gap[0]));
  EXPECT_NEAR(with_gap[1], 0.02, 1e-15);
  EXPECT_EQ(holm(std::vector{0.7, 0.8})[0], 1);
}

TEST(Distributions, MeetTables) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile(0.001), -3.090232306167813, 1e-12);
  EXPECT_NEAR(normal_upper_tail(10) / 7.61985302416047e-24, 1, 1e-9);
  EXPECT_NEAR(normal_cdf(normal_quantile(0.3)), 0.3, 1e-14);
  EXPECT_EQ(normal_quantile(0), -kInfinity);
  EXPECT_EQ(normal_quantile(1), kInfinity);
  EXPECT_TRUE(std::isnan(normal_quantile(2)));
  EXPECT_NEAR(2 * binomial_at_least(9, 12, 0.5), 0.14599609375, 1e-12);
  EXPECT_EQ(binomial_at_least(0, 3, 0.5), 1);
  EXPECT_EQ(binomial_at_least(4, 3, 0.5), 0);
  EXPECT_TRUE(std::isnan(binomial_at_least(1, 3, -1)));
  EXPECT_NEAR(std::exp(log_choose(10, 3)), 120, 1e-9);
  EXPECT_EQ(log_choose(3, 4), -kInfinity);
}

}  // namespace
}  // namespace accelscope::stats
