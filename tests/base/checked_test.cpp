#include "base/checked.h"

#include <gtest/gtest.h>

namespace accelscope::base {
namespace {

constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;

TEST(Checked, IsAPlainNumberWhileItFits) {
  EXPECT_EQ((Checked(3) * 4 + 5).value(), 17U);
  EXPECT_EQ((Checked(kHalf) + (kHalf - 1)).value(), UINT64_MAX);
}

TEST(Checked, WhatDoesNotFitOnceNeverFitsAgain) {
  const Checked large = Checked(kHalf) * 2;
  EXPECT_FALSE(large.fits());
  EXPECT_FALSE((large * 0).fits());
  EXPECT_FALSE((Checked(1) + large).fits());
  EXPECT_FALSE((Checked(kHalf) + kHalf).fits());
  EXPECT_EQ(large.value(), std::nullopt);
  EXPECT_EQ(large.value_or(7), 7U);
}

TEST(DivideUp, RoundsUpAndDividesByNothing) {
  EXPECT_EQ(divide_up(8, 4), 2U);
  EXPECT_EQ(divide_up(9, 4), 3U);
  EXPECT_EQ(divide_up(0, 4), 0U);
  EXPECT_EQ(divide_up(UINT64_MAX, 2), kHalf);
  EXPECT_EQ(divide_up(5, 0), 0U);
}

}  // namespace
}  // namespace accelscope::base
