#include "base/units.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace accelscope::base {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

// DDR4-2400's tick of 833 1/3 ps, and half a tick of HBM3, 312.5 ps.
constexpr Frequency kDdr4{1'200'000'000, 1};
constexpr Frequency kThirdOfGigahertz{1'000'000'000, 3};
constexpr Frequency kHbm3HalfTick{3'200'000'000, 1};

TEST(Quantity, AddsSubtractsAndCompares) {
  constexpr Ticks kStart{100};
  constexpr Ticks kEnd{130};
  static_assert((kEnd - kStart).value == 30);
  static_assert((kEnd + kStart).value == 230);
  static_assert((-kEnd).value == -130);
  static_assert((kEnd * 3).value == 390);
  static_assert(kStart < kEnd && kStart != kEnd && Ticks{} == Ticks{0});
  Ticks sum = kStart;
  sum += Ticks{5};
  sum -= Ticks{10};
  EXPECT_EQ(sum.value, 95);
  EXPECT_EQ(Bytes::max().value, kMax);
  EXPECT_EQ(Bytes::min().value, kMin);
}

TEST(Quantity, UnitsDoNotMix) {
  static_assert(!std::is_convertible_v<Ticks, Nanoseconds>);
  static_assert(!std::is_convertible_v<std::int64_t, Ticks>);
  static_assert(sizeof(Ticks) == 8 && std::is_trivially_copyable_v<Ticks>);
}

TEST(FloorDivide, RoundsTowardsMinusInfinity) {
  static_assert(floor_divide(7, 2) == 3);
  static_assert(floor_divide(-7, 2) == -4);
  static_assert(floor_divide(7, -2) == -4);
  static_assert(floor_divide(-7, -2) == 3);
  static_assert(floor_divide(6, 2) == 3);
  static_assert(floor_divide(-6, 2) == -3);
  static_assert(floor_divide(-1, 1'000'000) == -1);
  static_assert(floor_divide(0, -5) == 0);
}

TEST(FloorDivide, StopsAtTheEndsOfTheRange) {
  EXPECT_EQ(floor_divide(static_cast<Int128>(kMax) * 2, 1), kMax);
  EXPECT_EQ(floor_divide(static_cast<Int128>(kMin) * 2, 1), kMin);
  EXPECT_EQ(floor_divide(kMin, -1), kMax);
  EXPECT_EQ(floor_divide(kMin, 1), kMin);
}

TEST(FloorDivide, LeavesARemainderBelowTheDivisor) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 10'000; ++i) {
    const auto numerator = static_cast<std::int64_t>(random());
    const auto denominator = static_cast<std::int64_t>(random() >> (random() % 63)) | 1;
    const Int128 rest = static_cast<Int128>(numerator) -
                        static_cast<Int128>(floor_divide(numerator, denominator)) * denominator;
    if (denominator > 0)
      EXPECT_TRUE(rest >= 0 && rest < denominator) << numerator << " / " << denominator;
    else
      EXPECT_TRUE(rest <= 0 && rest > denominator) << numerator << " / " << denominator;
  }
}

TEST(Frequency, ConvertsToNanosecondsRoundingDown) {
  static_assert(Frequency::mhz(50).to_nanoseconds(Ticks{3}).value == 60);
  static_assert(Frequency::mhz(50).to_nanoseconds(Ticks{-3}).value == -60);
  static_assert(Frequency::hz(32'768).to_nanoseconds(Ticks{1}).value == 30'517);
  static_assert(Frequency::hz(32'768).to_nanoseconds(Ticks{-1}).value == -30'518);
  static_assert(kHbm3HalfTick.to_nanoseconds(Ticks{1}).value == 0);
  static_assert(kHbm3HalfTick.to_nanoseconds(Ticks{16}).value == 5);
  static_assert(kThirdOfGigahertz.to_nanoseconds(Ticks{7}).value == 21);
}

TEST(Frequency, TicksOfDdr4AreNotPicoseconds) {
  EXPECT_EQ(kDdr4.to_nanoseconds(Ticks{1}).value, 0);
  EXPECT_EQ(kDdr4.to_nanoseconds(Ticks{6}).value, 5);
  // With 833 ps per tick this would be 999 600 000.
  EXPECT_EQ(kDdr4.to_nanoseconds(Ticks{1'200'000'000}).value, 1'000'000'000);
  EXPECT_EQ(kDdr4.to_nanoseconds(Ticks{-1}).value, -1);
  EXPECT_EQ(kDdr4.to_nanoseconds(Ticks{-6}).value, -5);
  EXPECT_EQ(kDdr4.from_nanoseconds(Nanoseconds{5}).value, 6);
}

TEST(Frequency, KeepsTheOrderOfTimes) {
  for (const Frequency frequency :
       {kDdr4, kThirdOfGigahertz, kHbm3HalfTick, Frequency::hz(7), Frequency{7, 11}}) {
    Nanoseconds last = frequency.to_nanoseconds(Ticks{-1'000});
    for (std::int64_t tick = -999; tick <= 1'000; ++tick) {
      const Nanoseconds time = frequency.to_nanoseconds(Ticks{tick});
      EXPECT_LE(last, time) << tick;
      last = time;
    }
  }
}

TEST(Frequency, TicksSlowerThanANanosecondSurviveTheWayThereAndBack) {
  for (const Frequency frequency :
       {kThirdOfGigahertz, Frequency::mhz(50), Frequency::hz(1), Frequency{1, 1'000}}) {
    for (const std::int64_t tick : {-1'000'003LL, -7LL, -1LL, 0LL, 1LL, 13LL, 1'000'003LL}) {
      const Nanoseconds time = frequency.to_nanoseconds(Ticks{tick});
      // Rounding down may lose a part of a nanosecond, and with it the tick; one more never loses it.
      const Ticks back = frequency.from_nanoseconds(time);
      EXPECT_TRUE(back == Ticks{tick} || frequency.from_nanoseconds(time + Nanoseconds{1}) == Ticks{tick})
          << frequency.ticks << "/" << frequency.seconds << " at " << tick;
    }
  }
}

TEST(Frequency, NanosecondsAndUnknownUnitsAreTakenAsTheyAre) {
  for (const Frequency frequency :
       {Frequency::nanoseconds(), Frequency::unknown(), Frequency{5, 0}, Frequency{-5, 1}}) {
    EXPECT_EQ(frequency.to_nanoseconds(Ticks{kMax}).value, kMax);
    EXPECT_EQ(frequency.from_nanoseconds(Nanoseconds{kMin}).value, kMin);
    EXPECT_DOUBLE_EQ(frequency.to_seconds(Ticks{1'500'000'000}), 1.5);
  }
  EXPECT_TRUE(Frequency::nanoseconds().known());
  EXPECT_FALSE(Frequency::unknown().known());
  EXPECT_FALSE((Frequency{5, 0}.known()));
}

TEST(Frequency, StopsAtTheEndsOfTheRange) {
  EXPECT_EQ(Frequency::hz(1).to_nanoseconds(Ticks{kMax}).value, kMax);
  EXPECT_EQ(Frequency::hz(1).to_nanoseconds(Ticks{kMin}).value, kMin);
  EXPECT_EQ(Frequency::hz(kMax).from_nanoseconds(Nanoseconds{kMax}).value, kMax);
  EXPECT_EQ(Frequency::hz(kMax).from_nanoseconds(Nanoseconds{kMin}).value, kMin);
}

TEST(Frequency, VerySlowClocksDoNotOverflow) {
  const Frequency once_in_an_age{1, 1'000'000'000'000'000'000};
  EXPECT_EQ(once_in_an_age.to_nanoseconds(Ticks{0}).value, 0);
  EXPECT_EQ(once_in_an_age.to_nanoseconds(Ticks{1}).value, kMax);
  EXPECT_EQ(once_in_an_age.to_nanoseconds(Ticks{-1}).value, kMin);
  EXPECT_EQ(once_in_an_age.to_nanoseconds(Ticks{kMax}).value, kMax);
  EXPECT_EQ(once_in_an_age.from_nanoseconds(Nanoseconds{kMax}).value, 0);
  EXPECT_EQ(once_in_an_age.from_nanoseconds(Nanoseconds{-1}).value, -1);
}

TEST(Frequency, TheLongWayAgreesWithTheShortOne) {
  std::mt19937_64 random(5);
  const std::int64_t common = 20'000'000'003;  // makes `seconds` too large for the short way
  for (int i = 0; i < 1'000; ++i) {
    const Frequency quick{1 + static_cast<std::int64_t>(random() % 400'000'000),
                          1 + static_cast<std::int64_t>(random() % 1'000)};
    const Frequency slow{quick.ticks * common, quick.seconds * common};
    const Ticks time{static_cast<std::int64_t>(random()) >> (random() % 60)};
    EXPECT_EQ(quick.to_nanoseconds(time), slow.to_nanoseconds(time)) << quick.ticks << "/" << quick.seconds;
  }
}

TEST(Frequency, EqualsItselfInOtherTerms) {
  EXPECT_EQ(Frequency({2'000'000'000, 2}), Frequency::nanoseconds());
  EXPECT_NE(Frequency({2'000'000'001, 2}), Frequency::nanoseconds());
  EXPECT_EQ(Frequency::khz(50'000), Frequency::mhz(50));
  const Frequency reduced = Frequency{3'600'000'000, 9}.reduced();
  EXPECT_EQ(reduced.ticks, 400'000'000);
  EXPECT_EQ(reduced.seconds, 1);
  EXPECT_EQ(Frequency::unknown().reduced().seconds, 1);
}

TEST(CheckedAdd, SaysWhenTheSumDoesNotFit) {
  EXPECT_EQ(checked_add(kMax, 0), kMax);
  EXPECT_EQ(checked_add(kMax, kMin), -1);
  EXPECT_EQ(checked_add(kMax, 1), std::nullopt);
  EXPECT_EQ(checked_add(kMin, -1), std::nullopt);
}

}  // namespace
}  // namespace accelscope::base
