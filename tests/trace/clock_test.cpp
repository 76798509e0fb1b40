#include "trace/clock.h"

#include <gtest/gtest.h>

namespace accelscope::trace {
namespace {

using base::Frequency;

TEST(ClockRelation, InterpolatesBetweenSamplesAndExtrapolatesBeyond) {
  const ClockRelation relation = fit_clock_relation(ClockId{0}, ClockId{1},
                                                    {{Ticks{0}, Ticks{1000}, Ticks{10}},
                                                     {Ticks{100}, Ticks{3000}, Ticks{10}},
                                                     {Ticks{200}, Ticks{4000}, Ticks{10}}},
                                                    Frequency::mhz(50), Frequency::nanoseconds());
  EXPECT_EQ(map_time(relation, Ticks{50})->value.value, 2000);
  EXPECT_EQ(map_time(relation, Ticks{100})->value.value, 3000);
  EXPECT_EQ(map_time(relation, Ticks{150})->value.value, 3500);
  EXPECT_EQ(map_time(relation, Ticks{300})->value.value, 5000);
  EXPECT_EQ(map_time(relation, Ticks{-50})->value.value, 0);
  EXPECT_EQ(relation.uncertainty.value, 5);
  EXPECT_EQ(relation.samples.size(), 3U);
}

TEST(ClockRelation, SlowRoundTripsAreKeptButNotUsed) {
  const ClockRelation relation = fit_clock_relation(ClockId{0}, ClockId{1},
                                                    {{Ticks{0}, Ticks{0}, Ticks{10}},
                                                     {Ticks{50}, Ticks{900}, Ticks{500}},
                                                     {Ticks{100}, Ticks{100}, Ticks{12}}},
                                                    Frequency::unknown(), Frequency::unknown());
  EXPECT_EQ(relation.samples.size(), 3U);
  EXPECT_EQ(relation.knots.size(), 2U);
  EXPECT_EQ(map_time(relation, Ticks{50})->value.value, 50);
  EXPECT_EQ(relation.uncertainty.value, 6);
}

TEST(ClockRelation, OneSampleIsContinuedWithTheRatioOfFrequencies) {
  const ClockRelation relation =
      fit_clock_relation(ClockId{0}, ClockId{1}, {{Ticks{500}, Ticks{7}, Ticks{2}}}, Frequency::mhz(50),
                         Frequency::nanoseconds());
  EXPECT_EQ(map_time(relation, Ticks{550})->value.value, 1007);
}

TEST(ClockRelation, UnusableSamplesGiveNoRelation) {
  EXPECT_FALSE(map_time(
      fit_clock_relation(ClockId{0}, ClockId{1}, {}, Frequency::unknown(), Frequency::unknown()), Ticks{0}));
  EXPECT_FALSE(map_time(fit_clock_relation(ClockId{0}, ClockId{1}, {{Ticks{1}, Ticks{1}, Ticks{0}}},
                                           Frequency::unknown(), Frequency::nanoseconds()),
                        Ticks{0}));
}

TEST(ClockRelation, ExtremeTimesStopAtTheEndsOfTheRange) {
  ClockRelation relation;
  relation.knots = {{Ticks::min(), Ticks::min()}, {Ticks::max(), Ticks::max()}};
  for (const std::int64_t time : {Ticks::min().value, std::int64_t{-1}, std::int64_t{0}, Ticks::max().value})
    EXPECT_EQ(map_time(relation, Ticks{time})->value.value, time);

  relation.knots = {{Ticks{0}, Ticks{-7}}, {Ticks{1}, Ticks::max()}};
  EXPECT_EQ(map_time(relation, Ticks::max())->value, Ticks::max());
  EXPECT_EQ(map_time(relation, Ticks::min())->value, Ticks::min());
  EXPECT_EQ(map_time(relation, Ticks{2})->value, Ticks::max());
  EXPECT_EQ(map_time(relation, Ticks{-1})->value, Ticks::min());
  EXPECT_EQ(map_time(relation, Ticks{0})->value.value, -7);

  relation.knots = {{Ticks::min(), Ticks{0}}, {Ticks::max(), Ticks{3}}};
  EXPECT_EQ(map_time(relation, Ticks{0})->value.value, 1);
  EXPECT_EQ(map_time(relation, Ticks::max())->value.value, 3);

  relation.knots = {{Ticks::max() - Ticks{2}, Ticks{10}}, {Ticks::max(), Ticks{11}}};
  EXPECT_EQ(map_time(relation, Ticks::max() - Ticks{3})->value.value, 9);  // 9 1/2, rounded down
  EXPECT_EQ(map_time(relation, Ticks::min())->value.value, 10 - Ticks::max().value);
}

TEST(ClockRelation, ExtremeSamplesAreFittedWithoutOverflow) {
  const ClockRelation relation = fit_clock_relation(
      ClockId{0}, ClockId{1},
      {{Ticks::min(), Ticks::min(), Ticks::max()}, {Ticks::max(), Ticks::max(), Ticks::max()}},
      Frequency::unknown(), Frequency::unknown());
  ASSERT_EQ(relation.knots.size(), 2U);
  EXPECT_EQ(relation.uncertainty.value, Ticks::max().value / 2 + 1);
  // A sample at the very end leaves no room for a second knot, and neither does a clock of one tick a day.
  EXPECT_TRUE(fit_clock_relation(ClockId{0}, ClockId{1}, {{Ticks::max(), Ticks{0}, Ticks{1}}},
                                 Frequency::mhz(50), Frequency::nanoseconds())
                  .knots.empty());
  EXPECT_TRUE(fit_clock_relation(ClockId{0}, ClockId{1}, {{Ticks{0}, Ticks{0}, Ticks{1}}},
                                 Frequency{1, 86'400}, Frequency::nanoseconds())
                  .knots.empty());
}

}  // namespace
}  // namespace accelscope::trace
