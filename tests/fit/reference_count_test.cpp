#include "fit/reference_count.h"

#include <gtest/gtest.h>

namespace accelscope::fit {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

TEST(ReferenceCount, DividesBothWays) {
  EXPECT_EQ((Count(7) / 2).as_int64(), 3);
  EXPECT_EQ(ceil_divide(Count(7), 2).as_int64(), 4);
  EXPECT_EQ(ceil_divide(Count(8), 2).as_int64(), 4);
  EXPECT_EQ(ceil_divide(Count(0), 2).as_int64(), 0);
}

TEST(ReferenceCount, AnOverflowStays) {
  const Count large = Count(kLargest) * kLargest;
  EXPECT_FALSE(large.fits());
  EXPECT_FALSE((large / kLargest / kLargest + 1).fits());
  EXPECT_FALSE(excess(1, large).fits());
  EXPECT_FALSE(smaller(1, large).fits());
  EXPECT_EQ(large.as_int64(), std::nullopt);
}

TEST(ReferenceCount, FitsMoreThanItCanHandOver) {
  const Count large = Count(kLargest) * 1000;
  EXPECT_TRUE(large.fits());
  EXPECT_EQ(large.as_int64(), std::nullopt);
  EXPECT_EQ((large / kLargest).as_int64(), 1000);
}

TEST(ReferenceCount, DividingByZeroDoesNotFit) {
  EXPECT_FALSE((Count(1) / 0).fits());
  EXPECT_FALSE(ceil_divide(Count(1), 0).fits());
  EXPECT_FALSE(sum_of_ceils(1, 5, 0).fits());
}

TEST(ReferenceCount, ExcessStopsAtZero) {
  EXPECT_EQ(excess(5, 7).as_int64(), 0);
  EXPECT_EQ(excess(7, 5).as_int64(), 2);
}

TEST(ReferenceCount, SumsOfCeilsAreThoseOfALoop) {
  for (const std::uint64_t divisor : {1U, 2U, 3U, 7U, 64U}) {
    for (std::uint64_t first = 1; first < 20; ++first) {
      std::int64_t sum = 0;
      for (std::uint64_t count = 0; count < 150; ++count) {
        ASSERT_EQ(sum_of_ceils(first, count, divisor).as_int64(), sum)
            << first << " " << count << " " << divisor;
        sum += static_cast<std::int64_t>((first + count + divisor - 1) / divisor);
      }
    }
  }
}

}  // namespace
}  // namespace accelscope::fit
