// Mann-Whitney, Hodges-Lehmann, Cliff's delta and the selection among pairwise differences. Expected values
// from scipy 1.10; those of the intervals from a list of all differences and the counted distribution of U.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stats/noise.h"
#include "stats/pairwise.h"
#include "stats/quantile.h"
#include "stats/rank_test.h"

namespace accelscope::stats {
namespace {

const std::vector<double> kSevenRanked = {3.1, 2.7, 5.9, 4.4, 2.7, 8.8, 4.1};
const std::vector<double> kFour = {3.1, 2.7, 5.9, 4.4};
const std::vector<double> kFive = {2.0, 3.3, 1.1, 2.9, 2.2};

TEST(MannWhitneyTest, CountsExactlyWithoutTies) {
  const auto test = mann_whitney(kFour, kFive);
  EXPECT_EQ(test->u, 17);
  EXPECT_NEAR(test->p, 0.1111111111111111, 1e-12);
  EXPECT_TRUE(test->exact);
  EXPECT_EQ(mann_whitney(kFive, kFour)->u, 3);
  EXPECT_NEAR(mann_whitney(kFive, kFour)->p, test->p, 1e-15);
}

TEST(MannWhitneyTest, CorrectsForTiesAndContinuity) {
  const auto test = mann_whitney(kSevenRanked, kFive);
  EXPECT_EQ(test->u, 30);
  EXPECT_FALSE(test->exact);
  EXPECT_NEAR(test->p, 0.05091315780184361, 1e-12);
  EXPECT_NEAR(mann_whitney(kSevenRanked, kFive, PValue::kExact)->p, 0.04797979797979798, 1e-12);
  const auto tied =
      mann_whitney(std::vector{1.0, 2.0, 2.0, 3.0, 5.0}, std::vector{2.0, 3.0, 4.0, 6.0, 6.0, 7.0});
  EXPECT_EQ(tied->u, 5.5);
  EXPECT_NEAR(tied->p, 0.09570475117488142, 1e-12);
}

TEST(MannWhitneyTest, SaysNoDifferenceOfEqualValues) {
  const std::vector<double> equal(8, 3.0);
  EXPECT_EQ(mann_whitney(equal, equal)->p, 1);
  EXPECT_EQ(*cliffs_delta(equal, equal), 0);
}

TEST(MannWhitneyTest, RefusesWhatHasNoOrder) {
  const std::vector<double> none, nan = {1.0, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(mann_whitney(none, kFive));
  EXPECT_FALSE(mann_whitney(kFive, nan));
  EXPECT_FALSE(hodges_lehmann(kFive, none));
  EXPECT_FALSE(cliffs_delta(nan, kFive));
}

TEST(MannWhitneyTest, KnowsTheSmallestP) {
  EXPECT_NEAR(smallest_p(3, 3), 0.1, 1e-12);
  EXPECT_NEAR(smallest_p(4, 4), 2.0 / 70, 1e-12);
  EXPECT_EQ(smallest_p(0, 4), 1);
  EXPECT_NEAR(mann_whitney(std::vector{1.0, 2.0, 3.0}, std::vector{4.0, 5.5, 6.0})->p, smallest_p(3, 3),
              1e-12);
}

TEST(HodgesLehmann, TakesRanksOfTheDifferences) {
  const auto shift = hodges_lehmann(kFour, kFive);
  EXPECT_NEAR(shift->estimate, 1.55, 1e-12);
  EXPECT_NEAR(shift->interval->low, -0.2, 1e-12);
  EXPECT_NEAR(shift->interval->high, 3.9, 1e-12);
  const auto wider = hodges_lehmann(kSevenRanked, kFive);
  EXPECT_NEAR(wider->estimate, 1.6, 1e-12);
  EXPECT_NEAR(wider->interval->low, 0.2, 1e-12);
  EXPECT_NEAR(wider->interval->high, 4.8, 1e-12);
}

TEST(HodgesLehmann, HasNoIntervalForTooFewValues) {
  const auto shift = hodges_lehmann(std::vector{1.0, 2.0, 3.0}, std::vector{4.0, 5.5, 6.0});
  EXPECT_NEAR(shift->estimate, -3, 1e-12);
  EXPECT_FALSE(shift->interval);
  EXPECT_TRUE(hodges_lehmann(std::vector{1.0, 2.0, 3.0}, std::vector{4.0, 5.5, 6.0}, 0.9)->interval);
  EXPECT_FALSE(hodges_lehmann(kFour, kFive, 1.5)->interval);
}

TEST(HodgesLehmann, CoversTheTrueShift) {
  Generator random(3);
  int covered = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<double> first = gaussian_noise(random, 30), second = gaussian_noise(random, 25);
    for (double& value : first) value += 0.5;
    covered += hodges_lehmann(first, second)->interval->contains(0.5) ? 1 : 0;
  }
  // 380 expected, standard deviation 4.4.
  EXPECT_GT(covered, 362);
  EXPECT_LT(covered, 396);
}

TEST(CliffsDelta, RunsFromMinusOneToOne) {
  EXPECT_EQ(*cliffs_delta(std::vector{5.0, 6.0}, std::vector{1.0, 2.0}), 1);
  EXPECT_EQ(*cliffs_delta(std::vector{1.0}, std::vector{1.0, 2.0}), -0.5);
}

// Every rank of samples small and large, with and without ties, against a sorted list.
TEST(Pairwise, SelectsLikeASortedList) {
  Generator random(17);
  for (const std::size_t n : {1U, 2U, 7U, 40U}) {
    for (const std::size_t m : {1U, 3U, 50U}) {
      for (const std::uint64_t distinct : {1U, 4U, 1'000'000U}) {
        std::vector<double> x(n), y(m), all;
        for (double& value : x) value = static_cast<double>(random.below(distinct)) / 7;
        for (double& value : y) value = static_cast<double>(random.below(distinct)) / 7;
        for (const double a : x)
          for (const double b : y) all.push_back(a - b);
        std::ranges::sort(x);
        std::ranges::sort(y);
        std::ranges::sort(all);
        PairwiseDifferences differences(x, y);
        for (std::size_t rank = 0; rank < all.size(); ++rank) ASSERT_EQ(differences.at_rank(rank), all[rank]);
        EXPECT_EQ(differences.median(), median_of_sorted(all));
      }
    }
  }
}

}  // namespace
}  // namespace accelscope::stats
