#include "base/splitmix.h"

#include <gtest/gtest.h>

namespace accelscope::base {
namespace {

// The first numbers of splitmix64 with seed 0 and with seed 1234567, as its authors publish them.
TEST(Splitmix, GivesTheNumbersOfSplitmix64) {
  EXPECT_EQ(splitmix(kSplitmixStep), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(splitmix(2 * kSplitmixStep), 0x6E789E6AA1B965F4ULL);
  EXPECT_EQ(splitmix(1234567 + kSplitmixStep), 6457827717110365317ULL);
  EXPECT_EQ(splitmix(1234567 + 2 * kSplitmixStep), 3203168211198807973ULL);
}

TEST(Splitmix, FractionsStayBelowOne) {
  EXPECT_EQ(fraction_of(0), 0);
  EXPECT_EQ(fraction_of(1ULL << 63U), 0.5);
  EXPECT_EQ(fraction_of(~0ULL), 1 - 0x1p-53);
}

}  // namespace
}  // namespace accelscope::base
