#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "stats/noise.h"
#include "stats/shape.h"

namespace accelscope::stats {
namespace {

TEST(StepChange, FindsThePlace) {
  Generator random(1);
  std::vector<double> values = gaussian_noise(random, 40, 0.01);
  for (std::size_t i = 25; i < 40; ++i) values[i] *= 1.2;
  const auto step = step_change(values);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->position, 25U);
  EXPECT_NEAR(step->before_median, 10, 0.1);
  EXPECT_NEAR(step->after_median, 12, 0.12);
  EXPECT_LT(step->p, 1e-4);
}

TEST(StepChange, HasPettittsP) {
  std::vector<double> values(40, 12.0);
  for (std::size_t i = 0; i < 25; ++i) values[i] = 10;
  // The ranks are 13 and 33, so K is 25 * 15: 2 exp(-6 K^2 / (40^3 + 40^2)).
  EXPECT_NEAR(step_change(values)->p / 5.189384287e-06, 1, 1e-9);
  EXPECT_EQ(step_change(values)->position, 25U);
}

TEST(StepChange, SeesRunsGettingFaster) {
  std::vector<double> values(30, 10.0);
  for (std::size_t i = 0; i < 8; ++i) values[i] = 13;
  values[20] = 40;
  EXPECT_EQ(step_change(values)->position, 8U);
  EXPECT_EQ(step_change(values)->before_median, 13);
}

TEST(StepChange, NeedsSizeAndSignificance) {
  Generator random(2);
  std::vector<double> values = gaussian_noise(random, 40, 0.002);
  EXPECT_FALSE(step_change(values));
  for (std::size_t i = 20; i < 40; ++i) values[i] *= 1.01;
  EXPECT_FALSE(step_change(values));
  EXPECT_TRUE(step_change(values, {.smallest_change = 0.005}));
  EXPECT_FALSE(step_change(std::vector<double>(50, 3.0)));
  EXPECT_FALSE(step_change(std::vector{1.0, 1.0, 2.0, 2.0}));
  EXPECT_FALSE(step_change(std::vector<double>(50, std::numeric_limits<double>::quiet_NaN())));
}

TEST(TwoModes, AreFoundWithTheirShare) {
  Generator random(3);
  std::vector<double> values = gaussian_noise(random, 40, 0.01);
  for (std::size_t i = 0; i < 40; i += 4) values[i] *= 1.3;
  const auto modes = two_modes(values);
  ASSERT_TRUE(modes);
  EXPECT_NEAR(modes->low_median, 10, 0.1);
  EXPECT_NEAR(modes->high_median, 13, 0.13);
  EXPECT_EQ(modes->high_share, 0.25);
  EXPECT_GT(modes->border, 10.5);
  EXPECT_LT(modes->border, 12.5);
}

TEST(TwoModes, AreNotHiddenByASpike) {
  Generator random(4);
  std::vector<double> values = bimodal_noise(random, 40);
  values[20] = 60;
  EXPECT_TRUE(two_modes(values));
}

TEST(TwoModes, AreNotSeenInOne) {
  constexpr int kTrials = 1000;
  Generator random(5);
  int gaussian = 0, spiky = 0, bimodal = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    gaussian += two_modes(gaussian_noise(random, 30)) ? 1 : 0;
    spiky += two_modes(spiky_noise(random, 30)) ? 1 : 0;
    bimodal += two_modes(bimodal_noise(random, 30)) ? 1 : 0;
  }
  EXPECT_LE(gaussian, 5);
  EXPECT_LE(spiky, 15);
  EXPECT_GE(bimodal, 990);
}

TEST(TwoModes, NeedDistanceAndValues) {
  // Two neighbouring ticks of a coarse clock.
  std::vector<double> ticks(20, 100.0);
  for (std::size_t i = 0; i < 20; i += 2) ticks[i] = 101;
  EXPECT_FALSE(two_modes(ticks));
  EXPECT_FALSE(two_modes(std::vector<double>(20, 1.0)));
  EXPECT_FALSE(two_modes(std::vector{1.0, 1.0, 1.0, 2.0, 2.0, 2.0}));
  EXPECT_FALSE(two_modes(std::vector<double>(20, std::numeric_limits<double>::infinity())));
}

TEST(SpikeSpacingTest, FindsAPeriod) {
  Generator random(6);
  std::vector<double> values = gaussian_noise(random, 60, 0.01);
  for (std::size_t i = 3; i < 60; i += 12) values[i] = 20;
  const auto spacing = spike_spacing(values);
  ASSERT_TRUE(spacing);
  EXPECT_EQ(spacing->runs, 12U);
  EXPECT_EQ(spacing->spikes, 5U);
}

TEST(SpikeSpacingTest, IgnoresOtherSpikes) {
  std::vector<double> values(60, 10.0), burst = values, irregular = values;
  for (std::size_t i = 0; i < 60; ++i) values[i] += 0.01 * static_cast<double>(i % 5);
  burst = irregular = values;
  for (const std::size_t i : {20U, 21U, 22U, 23U}) burst[i] = 20;
  for (const std::size_t i : {3U, 10U, 31U, 50U}) irregular[i] = 20;
  EXPECT_FALSE(spike_spacing(values));
  EXPECT_FALSE(spike_spacing(burst));
  EXPECT_FALSE(spike_spacing(irregular));
  EXPECT_FALSE(spike_spacing({}));
}

}  // namespace
}  // namespace accelscope::stats
