// Mann-Kendall, Theil-Sen and the verdict on drift. Expected values by hand or from scipy 1.10.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "stats/noise.h"
#include "stats/trend.h"

namespace accelscope::stats {
namespace {

const std::vector<double> kSevenRising = {3.1, 2.7, 5.9, 4.4, 2.7, 8.8, 4.1};

TEST(MannKendallTest, WithTies) {
  const auto test = mann_kendall(kSevenRising);
  EXPECT_EQ(test->s, 4);
  EXPECT_NEAR(*test->tau, 0.19518001458970663, 1e-12);
  EXPECT_NEAR(*test->p, 0.5434238636256694, 1e-12);
  EXPECT_FALSE(test->exact);
}

TEST(MannKendallTest, CountsExactlyWithoutTies) {
  const auto test = mann_kendall(std::vector{3.1, 2.7, 5.9, 4.4});
  EXPECT_EQ(test->s, 2);
  EXPECT_NEAR(*test->p, 0.75, 1e-12);
  EXPECT_TRUE(test->exact);
  // All of 5! = 120 orders but one and its reverse are less extreme.
  EXPECT_NEAR(*mann_kendall(std::vector{1.0, 2.0, 3.0, 4.0, 5.0})->p, 2.0 / 120, 1e-15);
}

TEST(MannKendallTest, CountsLikeAllPairs) {
  Generator random(5);
  std::vector<double> values(300);
  for (double& value : values) value = static_cast<double>(random.below(40));
  std::int64_t s = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j)
      s += (values[j] > values[i]) - (values[j] < values[i]);
  EXPECT_EQ(mann_kendall(values)->s, s);
}

TEST(MannKendallTest, SaysNothingOfEqualOrFewValues) {
  EXPECT_FALSE(mann_kendall(std::vector{1.0}));
  EXPECT_FALSE(mann_kendall(std::vector{1.0, std::numeric_limits<double>::quiet_NaN()}));
  const auto equal = mann_kendall(std::vector<double>(5, 2.0));
  EXPECT_EQ(equal->s, 0);
  EXPECT_FALSE(equal->tau);
  EXPECT_FALSE(equal->p);
}

TEST(TheilSen, IsTheMedianSlope) {
  EXPECT_NEAR(*theil_sen_slope(kSevenRising), 0.28, 1e-12);
  EXPECT_FALSE(theil_sen_slope(std::vector{1.0}));
}

TEST(TheilSen, TakesAnEvenSubsampleOfLongSeries) {
  std::vector<double> line(10'000);
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = 5 + 0.25 * static_cast<double>(i);
  EXPECT_NEAR(*theil_sen_slope(line), 0.25, 1e-12);
}

TEST(DriftTest, NeedsSizeAndSignificance) {
  Generator random(11);
  std::vector<double> steady = gaussian_noise(random, 60, 0.01);
  EXPECT_FALSE(drift_of(steady)->drifting);
  std::vector<double> slowing = steady, barely = steady;
  for (std::size_t i = 0; i < steady.size(); ++i) {
    slowing[i] *= 1 + 0.002 * static_cast<double>(i);
    barely[i] *= 1 + 0.0003 * static_cast<double>(i);
  }
  const auto drift = drift_of(slowing);
  EXPECT_TRUE(drift->drifting);
  EXPECT_NEAR(drift->relative_change, 0.113, 0.02);
  EXPECT_LT(drift->first_quarter_median, drift->last_quarter_median);
  EXPECT_FALSE(drift_of(barely)->drifting);
  EXPECT_FALSE(drift_of(std::vector{1.0, 2.0, 3.0}));
}

TEST(DriftTest, SeesRunsGettingFaster) {
  std::vector<double> values(20);
  for (std::size_t i = 0; i < 20; ++i) values[i] = 20 - 0.1 * static_cast<double>(i);
  EXPECT_TRUE(drift_of(values)->drifting);
  EXPECT_LT(drift_of(values)->relative_change, -0.09);
}

}  // namespace
}  // namespace accelscope::stats
