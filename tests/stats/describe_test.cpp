#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "stats/describe.h"
#include "stats/noise.h"
#include "stats/oracle_fixture.h"
#include "stats/toy_model.h"

namespace accelscope::stats {
namespace {

TEST(DescribeTest, CollectsWhatTenRunsTell) {
  const Description toy = describe(kToyOn);
  EXPECT_EQ(toy.n, 10U);
  EXPECT_NEAR(toy.median, 0.261919, 1e-12);
  EXPECT_EQ(toy.min, 0.258993);
  EXPECT_EQ(toy.max, 0.350905);
  EXPECT_EQ(toy.median_interval->low_rank, 2U);
  EXPECT_EQ(toy.warm_up.runs, 1U);
  EXPECT_EQ(toy.outliers.positions, (std::vector<std::size_t>{0, 6}));
  EXPECT_TRUE(toy.p90);
  EXPECT_FALSE(toy.p95);
  EXPECT_FALSE(toy.p99);
  EXPECT_FALSE(toy.drift->drifting);
  EXPECT_FALSE(toy.modes);
}

TEST(DescribeTest, ShowsHighPercentilesWithEnoughRuns) {
  Generator random(1);
  EXPECT_FALSE(describe(gaussian_noise(random, 9)).p90);
  EXPECT_TRUE(describe(gaussian_noise(random, 20)).p95);
  EXPECT_FALSE(describe(gaussian_noise(random, 99)).p99);
  EXPECT_TRUE(describe(gaussian_noise(random, 100)).p99);
}

TEST(DescribeTest, LeavesOutWhatIsNotFinite) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Description some = describe(std::vector{kNan, 2.0, std::numeric_limits<double>::infinity(), 4.0});
  EXPECT_EQ(some.n, 2U);
  EXPECT_EQ(some.not_finite, 2U);
  EXPECT_EQ(some.mean, 3);
  const Description none = describe({});
  EXPECT_EQ(none.n, 0U);
  EXPECT_TRUE(std::isnan(none.mean));
  EXPECT_TRUE(std::isnan(none.median));
  EXPECT_TRUE(std::isnan(none.max));
  EXPECT_EQ(none.effective_count, 0);
  EXPECT_FALSE(none.median_interval);
}

TEST(DescribeTest, TellsTheShapesOfTheConformanceData) {
  if (!oracle_is_here()) GTEST_SKIP() << "the conformance data is not beside this checkout";
  const Description throttled = describe(oracle_vector("n100_throttle"));
  EXPECT_TRUE(throttled.drift->drifting);
  EXPECT_GT(throttled.drift->relative_change, 0.2);
  EXPECT_GT(throttled.drift->last_quarter_median, 1.1 * throttled.drift->first_quarter_median);
  EXPECT_TRUE(throttled.step);
  EXPECT_FALSE(throttled.modes);
  EXPECT_LT(throttled.effective_count, 2);
  const Description bimodal = describe(oracle_vector("n30_bimodal"));
  EXPECT_NEAR(bimodal.modes->low_median, 10.07, 0.01);
  EXPECT_NEAR(bimodal.modes->high_median, 20.07, 0.01);
  const Description cold = describe(oracle_vector("n10_cold"));
  EXPECT_EQ(cold.warm_up.runs, 1U);
  const Description spiky = describe(oracle_vector("n100_lognormal_outliers"));
  EXPECT_FALSE(spiky.drift->drifting);
  EXPECT_FALSE(spiky.step);
  EXPECT_FALSE(spiky.modes);
  EXPECT_FALSE(spiky.outliers.positions.empty());
  EXPECT_EQ(describe(oracle_vector("n5_equal")).mad, 0);
}

}  // namespace
}  // namespace accelscope::stats
