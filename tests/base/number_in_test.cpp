#include "base/number_in.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace accelscope::base {
namespace {

TEST(NumberIn, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(number_in<std::int32_t>("-17"), -17);
  EXPECT_EQ(number_in<std::uint64_t>("18446744073709551615"), 18446744073709551615U);
  EXPECT_EQ(number_in<double>("1.5"), 1.5);
  EXPECT_EQ(number_in<std::uint64_t>("fF", 16), 255U);
  for (const char* text : {"", " 1", "1 ", "1x", "-", "-1", "+1", "4294967296"})
    EXPECT_EQ(number_in<std::uint32_t>(text), std::nullopt) << text;
  EXPECT_EQ(number_in<std::uint64_t>("0x1", 16), std::nullopt);
}

}  // namespace
}  // namespace accelscope::base
