#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stats/bootstrap.h"
#include "stats/median_resampler.h"
#include "stats/noise.h"
#include "stats/quantile.h"
#include "stats/toy_model.h"

namespace accelscope::stats {
namespace {

// The direct draw has the distribution of drawing n values and taking their median.
TEST(MedianResampler, DrawsLikeWholeResamples) {
  for (const std::size_t n : {1U, 2U, 3U, 10U, 11U, 100U}) {
    std::vector<double> sorted(n);
    for (std::size_t i = 0; i < n; ++i) sorted[i] = static_cast<double>(i * i);
    const MedianResampler resampler(sorted);
    Generator direct_random(1), whole_random(2);
    constexpr std::size_t kDraws = 20'000;
    std::vector<double> direct(kDraws), whole(kDraws), resample(n);
    for (std::size_t i = 0; i < kDraws; ++i) {
      direct[i] = resampler.draw(direct_random);
      for (double& value : resample) value = sorted[whole_random.below(n)];
      whole[i] = median(resample);
    }
    std::ranges::sort(direct);
    std::ranges::sort(whole);
    // Kolmogorov and Smirnov's distance; above 0.0195 by chance once in a thousand.
    double distance = 0;
    for (const double value : whole) {
      const auto below = [&](const std::vector<double>& draws) {
        return static_cast<double>(std::ranges::upper_bound(draws, value) - draws.begin()) / kDraws;
      };
      distance = std::max(distance, std::abs(below(direct) - below(whole)));
    }
    EXPECT_LT(distance, 0.0195) << n;
  }
}

TEST(MedianResampler, StaysInRangeForManyValues) {
  std::vector<double> sorted(20'000);
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = static_cast<double>(i);
  const MedianResampler resampler(sorted);
  Generator random(1);
  double sum = 0, squares = 0;
  for (int i = 0; i < 2000; ++i) {
    const double off_centre = resampler.draw(random) - 9999.5;
    sum += off_centre;
    squares += off_centre * off_centre;
  }
  // The median of n uniform values has standard deviation n / (2 sqrt(n)), here 70.7.
  EXPECT_NEAR(sum / 2000, 0, 7);
  EXPECT_NEAR(std::sqrt(squares / 2000), 70.7, 5);
}

TEST(BootstrapTest, RatioOfAToyModel) {
  const auto speedup = bootstrap_ratio_of_medians(kToyOff, kToyOn);
  ASSERT_TRUE(speedup);
  EXPECT_NEAR(speedup->estimate, 3.366493076103681, 1e-12);
  EXPECT_NEAR(speedup->interval.low, 3.05, 0.06);
  EXPECT_NEAR(speedup->interval.high, 3.71, 0.07);
  EXPECT_EQ(speedup->resamples, 10'000U);
  EXPECT_EQ(speedup->seed, kDefaultSeed);
  EXPECT_EQ(speedup->method, "BCa");
}

TEST(BootstrapTest, RepeatsItselfWithTheSameSeed) {
  const auto once = bootstrap_ratio_of_medians(kToyOff, kToyOn, {.seed = 1});
  EXPECT_EQ(once->interval, bootstrap_ratio_of_medians(kToyOff, kToyOn, {.seed = 1})->interval);
  EXPECT_EQ(once->seed, 1U);
}

TEST(BootstrapTest, FallsBackToPercentiles) {
  const auto constant = bootstrap_median(std::vector<double>(5, 10.0));
  EXPECT_EQ(constant->method, "percentile");
  EXPECT_EQ(constant->interval, (Interval{10, 10, 0.95}));
  const auto single = bootstrap_median(std::vector{2.5});
  EXPECT_EQ(single->method, "percentile");
  EXPECT_EQ(single->interval.low, 2.5);
}

TEST(BootstrapTest, RefusesWhatItCannotResample) {
  const std::vector<double> none, zero = {0.0, 1.0}, nan = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(bootstrap_median(none));
  EXPECT_FALSE(bootstrap_median(nan));
  EXPECT_FALSE(bootstrap_median(kToyOn, {.level = 1}));
  EXPECT_FALSE(bootstrap_ratio_of_medians(kToyOff, none));
  EXPECT_FALSE(bootstrap_ratio_of_medians(kToyOff, zero));
  EXPECT_FALSE(bootstrap_ratio_of_medians(nan, kToyOn));
  EXPECT_EQ(bootstrap_median(kToyOn, {.resamples = 0})->resamples, 100U);
}

TEST(BootstrapTest, CoversTheTrueRatio) {
  Generator random(9);
  int covered = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<double> above = spiky_noise(random, 30);
    const std::vector<double> under = spiky_noise(random, 40);
    for (double& value : above) value *= 1.5;
    covered += bootstrap_ratio_of_medians(above, under, {.resamples = 2000})->interval.contains(1.5) ? 1 : 0;
  }
  // 380 expected, standard deviation 4.4; the bootstrap of a median is known to be off by a per cent or two.
  EXPECT_GT(covered, 360);
  EXPECT_LT(covered, 398);
}

}  // namespace
}  // namespace accelscope::stats
