#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "stats/noise.h"
#include "stats/toy_model.h"
#include "stats/warmup.h"

namespace accelscope::stats {
namespace {

const std::vector<double> kCold = {18, 10, 10.1, 9.9, 10.2, 10.05, 9.95, 10, 10.1, 9.98};

TEST(WarmUpTest, FindsAColdFirstRun) {
  EXPECT_EQ(warm_up(kCold).runs, 1U);
  EXPECT_EQ(warm_up(kCold).limit, 2U);
  EXPECT_NEAR(warm_up(kCold).excess, 0.8, 1e-12);
  EXPECT_EQ(warm_up(kToyOn).runs, 1U);
  EXPECT_EQ(warm_up(kToyOff).runs, 1U);
}

TEST(WarmUpTest, LeavesInteriorSpikes) {
  for (std::size_t spike = 1; spike < 10; ++spike) {
    std::vector<double> values(kCold.begin() + 1, kCold.end());
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(spike), 18.0);
    EXPECT_EQ(warm_up(values).runs, 0U) << spike;
  }
}

TEST(WarmUpTest, FindsSeveralRuns) {
  // A level, not in order, and a decay.
  std::vector<double> level = {15, 15.3, 14.9}, decay = {20, 16, 13, 11.5};
  for (int i = 0; i < 20; ++i) {
    level.push_back(10 + 0.01 * (i % 5));
    decay.push_back(10 + 0.01 * (i % 5));
  }
  EXPECT_EQ(warm_up(level).runs, 3U);
  EXPECT_EQ(warm_up(decay).runs, 4U);
}

TEST(WarmUpTest, StopsAtAQuarter) {
  std::vector<double> half_slow(20, 15.0);
  for (std::size_t i = 10; i < 20; ++i) half_slow[i] = 10;
  EXPECT_LE(warm_up(half_slow).runs, 5U);
  std::vector<double> slow_third(30, 10.0);
  for (std::size_t i = 0; i < 7; ++i) slow_third[i] = 15;
  EXPECT_EQ(warm_up(slow_third).runs, 7U);
}

TEST(WarmUpTest, IsNotHiddenByARareLargerSpike) {
  std::vector<double> values(100, 10.0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += 0.01 * static_cast<double>(i % 7);
  values[0] = 14;
  values[60] = 30;
  EXPECT_EQ(warm_up(values).runs, 1U);
}

TEST(WarmUpTest, IgnoresFastStartsAndLastTicks) {
  std::vector<double> values = kCold;
  values[0] = 5;
  EXPECT_EQ(warm_up(values).runs, 0U);
  std::vector<double> ticks(20, 100.0);
  ticks[0] = 101;
  EXPECT_EQ(warm_up(ticks).runs, 0U);
}

TEST(WarmUpTest, SaysNothingOfFewOrBadValues) {
  EXPECT_EQ(warm_up({}).runs, 0U);
  EXPECT_EQ(warm_up(std::vector{18.0, 10.0, 10.0, 10.0}).runs, 0U);
  std::vector<double> values = kCold;
  values[5] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(warm_up(values).runs, 0U);
}

// For n runs in an order that means nothing, no rule that catches a cold first run can do better than 1 in n
// where spikes are common.
TEST(WarmUpTest, IsQuietOnNoise) {
  constexpr int kTrials = 1000;
  for (const std::size_t n : {10U, 20U, 100U}) {
    Generator random(77);
    int gaussian = 0, spiky = 0, correlated = 0, bimodal = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      gaussian += warm_up(gaussian_noise(random, n)).runs > 0 ? 1 : 0;
      spiky += warm_up(spiky_noise(random, n)).runs > 0 ? 1 : 0;
      correlated += warm_up(autocorrelated_noise(random, n)).runs > 0 ? 1 : 0;
      bimodal += warm_up(bimodal_noise(random, n)).runs > 0 ? 1 : 0;
    }
    EXPECT_LE(gaussian, 20) << n;
    EXPECT_LE(correlated, 30) << n;
    EXPECT_LE(spiky, n == 10 ? 70 : 50) << n;
    EXPECT_LE(bimodal, n == 10 ? 70 : 50) << n;
  }
}

}  // namespace
}  // namespace accelscope::stats
