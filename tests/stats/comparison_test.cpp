#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stats/comparison.h"
#include "stats/noise.h"
#include "stats/toy_model.h"

namespace accelscope::stats {
namespace {

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

TEST(ComparisonTest, OfAToyModel) {
  const Comparison toy = compare(kToyOff, kToyOn);
  EXPECT_EQ(toy.verdict, Verdict::kFaster);
  EXPECT_EQ(to_text(toy.verdict), "faster");
  EXPECT_NEAR(toy.speedup, 3.366493076103681, 1e-12);
  EXPECT_NEAR(*toy.p, 1.082508822446903e-05, 1e-12);
  EXPECT_NEAR(toy.interval->low, 3.05, 0.06);
  EXPECT_NEAR(toy.interval->high, 3.71, 0.07);
  EXPECT_EQ(toy.interval_method, "BCa bootstrap of the ratio of medians");
  EXPECT_NEAR(*toy.shift, 0.618827, 1e-9);
  EXPECT_EQ(*toy.cliffs_delta, 1);
  EXPECT_EQ(toy.correlation_factor, 1);
  EXPECT_EQ(toy.seed, kDefaultSeed);
  EXPECT_EQ(toy.resamples, 10'000U);
  EXPECT_FALSE(toy.runs_needed);
  EXPECT_EQ(compare(kToyOn, kToyOff).verdict, Verdict::kSlower);
}

TEST(ComparisonTest, WithoutBootstrapUsesHodgesAndLehmann) {
  const Comparison toy = compare(kToyOff, kToyOn, {.bootstrap = false});
  EXPECT_EQ(toy.verdict, Verdict::kFaster);
  EXPECT_EQ(toy.interval_method, "Hodges-Lehmann interval of the ratio, from logarithms");
  EXPECT_TRUE(toy.interval->contains(3.3665));
  EXPECT_LT(toy.interval->high / toy.interval->low, 1.3);
  EXPECT_EQ(toy.resamples, 0U);
}

TEST(ComparisonTest, SeesNoDifferenceInTheSameNumbers) {
  const Comparison same = compare(kToyOn, kToyOn);
  EXPECT_EQ(same.verdict, Verdict::kNoDifference);
  EXPECT_EQ(same.speedup, 1);
  EXPECT_EQ(compare(std::vector{7.0}, std::vector{7.0}).verdict, Verdict::kNoDifference);
  EXPECT_EQ(compare(std::vector{0.0, 0.0}, std::vector{0.0, 0.0}).verdict, Verdict::kNoDifference);
  const std::vector<double> constant(10, 5.0), other_order = {1, 2, 3, 4, 5, 6}, order = {6, 5, 4, 3, 2, 1};
  EXPECT_EQ(compare(constant, std::vector<double>(12, 5.0)).verdict, Verdict::kNoDifference);
  EXPECT_NE(compare(order, other_order).verdict, Verdict::kFaster);
  EXPECT_NE(compare(order, other_order).verdict, Verdict::kSlower);
}

TEST(ComparisonTest, TellsApartConstants) {
  EXPECT_EQ(compare(std::vector<double>(10, 5.0), std::vector<double>(10, 5.5)).verdict, Verdict::kSlower);
  EXPECT_EQ(compare(std::vector<double>(10, 5.0), std::vector<double>(10, 5.01)).verdict,
            Verdict::kNoDifference);
}

TEST(ComparisonTest, CallsSmallChangesNone) {
  Generator random(1);
  const std::vector<double> baseline = gaussian_noise(random, 60, 0.005);
  const Comparison below = compare(baseline, scaled(gaussian_noise(random, 60, 0.005), 1.01));
  EXPECT_EQ(below.verdict, Verdict::kNoDifference);
  EXPECT_LT(*below.p, 0.05);
  EXPECT_NE(below.reason.find("below the threshold of 2 %"), std::string::npos) << below.reason;
  const Comparison strict =
      compare(baseline, scaled(gaussian_noise(random, 60, 0.005), 1.01), {.threshold = 0});
  EXPECT_EQ(strict.verdict, Verdict::kSlower);
}

TEST(ComparisonTest, AsksForMoreRuns) {
  Generator random(2);
  const Comparison noisy = compare(gaussian_noise(random, 10, 0.1), gaussian_noise(random, 10, 0.1));
  EXPECT_EQ(noisy.verdict, Verdict::kInconclusive);
  ASSERT_TRUE(noisy.runs_needed);
  EXPECT_GT(*noisy.runs_needed, 10U);
  const Comparison few = compare(std::vector{1.0, 1.1, 1.2}, std::vector{2.0, 2.1, 2.2});
  EXPECT_EQ(few.verdict, Verdict::kInconclusive);
  EXPECT_EQ(few.runs_needed, 4U);
  EXPECT_NE(few.reason.find("too few runs: 3 and 3"), std::string::npos) << few.reason;
  // Complete separation of four and four gives p = 0.029: enough for 95 %, not for 99 %.
  const std::vector<double> four = {1.0, 1.01, 1.02, 1.03};
  EXPECT_EQ(compare(four, scaled(four, 2)).verdict, Verdict::kSlower);
  const Comparison strict = compare(four, scaled(four, 2), {.level = 0.99});
  EXPECT_EQ(strict.verdict, Verdict::kInconclusive);
  EXPECT_GE(strict.runs_needed.value_or(0), 5U);
}

// The runs that are asked for decide, mostly.
TEST(ComparisonTest, AsksForEnoughRuns) {
  Generator random(3);
  int asked = 0, decided = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<double> baseline = gaussian_noise(random, 12, 0.05),
                              other = gaussian_noise(random, 12, 0.05);
    const CompareOptions options = {.threshold = 0.01, .resamples = 1000};
    const Comparison first = compare(baseline, scaled(other, 1.05), options);
    if (first.verdict != Verdict::kInconclusive || !first.runs_needed || *first.runs_needed > 2000) continue;
    ++asked;
    const std::size_t n = std::max<std::size_t>(*first.runs_needed, 60);
    const Comparison second =
        compare(gaussian_noise(random, n, 0.05), scaled(gaussian_noise(random, n, 0.05), 1.05), options);
    decided += second.verdict == Verdict::kSlower ? 1 : 0;
  }
  EXPECT_GT(asked, 30);
  EXPECT_GT(decided, asked * 9 / 10);
}

TEST(ComparisonTest, FindsATrueSlowdown) {
  for (const bool bootstrap : {true, false}) {
    Generator random(4);
    int found = 0;
    for (int trial = 0; trial < 400; ++trial) {
      const std::vector<double> baseline = gaussian_noise(random, 20, 0.01);
      const Comparison result = compare(baseline, scaled(gaussian_noise(random, 20, 0.01), 1.05),
                                        {.bootstrap = bootstrap, .resamples = 1000});
      found += result.verdict == Verdict::kSlower ? 1 : 0;
    }
    EXPECT_GT(found, 380) << bootstrap;
  }
}

TEST(ComparisonTest, CountsDriftingRunsForLess) {
  std::vector<double> rising, falling;
  for (int i = 0; i < 20; ++i) {
    rising.push_back(10 + 0.1 * i);
    falling.push_back(12.7 - 0.1 * i);
  }
  const Comparison drifting = compare(rising, falling);
  EXPECT_GT(drifting.correlation_factor, 5);
  EXPECT_EQ(drifting.verdict, Verdict::kInconclusive);
  // A gap wider than all of the drift cannot come from it.
  const Comparison apart = compare(rising, scaled(falling, 2));
  EXPECT_EQ(apart.correlation_factor, 1);
  EXPECT_EQ(apart.verdict, Verdict::kSlower);
}

TEST(ComparisonTest, HasNoVerdictOnBadInput) {
  const std::vector<double> good = {1, 2, 3, 4, 5}, zero = {0, 1, 2, 3, 4}, none;
  const std::vector<double> nan = {1, 2, 3, 4, std::numeric_limits<double>::quiet_NaN()};
  for (const std::vector<double>& bad : {zero, none, nan}) {
    for (const Comparison& result :
         {compare(good, bad), compare(bad, good), compare(bad, bad, {.bootstrap = false})}) {
      EXPECT_TRUE(result.verdict == Verdict::kInconclusive || result.identical);
      EXPECT_TRUE(std::isnan(result.speedup));
      EXPECT_FALSE(result.interval);
      EXPECT_FALSE(result.reason.empty());
    }
  }
  EXPECT_TRUE(compare(good, zero).p);
  for (const double level : {0.0, 1.0, -3.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(compare(good, scaled(good, 9), {.level = level}).verdict, Verdict::kInconclusive);
  EXPECT_EQ(compare(good, scaled(good, 9), {.threshold = -1}).verdict, Verdict::kInconclusive);
}

TEST(ComparisonTest, RepeatsItself) {
  EXPECT_EQ(compare(kToyOff, kToyOn).interval, compare(kToyOff, kToyOn).interval);
  EXPECT_EQ(compare(kToyOff, kToyOn, {.seed = 5}).seed, 5U);
}

TEST(ComparisonTest, AdjustsForMany) {
  Generator random(6);
  std::vector<Comparison> plain, adjusted;
  for (int i = 0; i < 500; ++i) {
    const double factor = i == 100 ? 1.1 : 1;
    const std::vector<double> baseline = gaussian_noise(random, 20);
    plain.push_back(
        compare(baseline, scaled(gaussian_noise(random, 20), factor), {.threshold = 0, .bootstrap = false}));
  }
  adjusted = plain;
  adjust_for_many(adjusted, {.threshold = 0, .bootstrap = false});
  const auto verdicts = [](const std::vector<Comparison>& comparisons) {
    return std::ranges::count_if(comparisons, [](const Comparison& comparison) {
      return comparison.verdict == Verdict::kSlower || comparison.verdict == Verdict::kFaster;
    });
  };
  EXPECT_GT(verdicts(plain), 3);
  EXPECT_EQ(verdicts(adjusted), 1);
  EXPECT_EQ(adjusted[100].verdict, Verdict::kSlower);
  EXPECT_GE(*adjusted[100].adjusted_p, *adjusted[100].p);
  EXPECT_EQ(plain[100].adjusted_p, std::nullopt);
}

// Only the verdict depends on the threshold, so that it can be given again without comparing again.
TEST(ComparisonTest, CanBeJudgedByAnotherThreshold) {
  Generator random(7);
  for (const double factor : {1.0, 1.01, 1.03, 1.05, 1.2}) {
    const std::vector<double> baseline = gaussian_noise(random, 20);
    const std::vector<double> candidate = scaled(gaussian_noise(random, 20), factor);
    for (const double threshold : {0.0, 0.02, 0.04, 0.5}) {
      std::vector<Comparison> again{compare(baseline, candidate, {.threshold = 0.02})};
      std::vector<Comparison> anew{compare(baseline, candidate, {.threshold = threshold})};
      adjust_for_many(again, {.threshold = 0.02});
      adjust_for_many(again, {.threshold = threshold});
      adjust_for_many(anew, {.threshold = threshold});
      EXPECT_EQ(again[0].verdict, anew[0].verdict) << factor << ", " << threshold;
      EXPECT_EQ(again[0].reason, anew[0].reason);
      EXPECT_EQ(again[0].runs_needed, anew[0].runs_needed);
      EXPECT_EQ(again[0].adjusted_p, anew[0].adjusted_p);
      EXPECT_EQ(again[0].interval, anew[0].interval);
    }
  }
}

}  // namespace
}  // namespace accelscope::stats
