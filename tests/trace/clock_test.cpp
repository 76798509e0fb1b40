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

}  // namespace
}  // namespace accelscope::trace
