#include "runtime/patience.h"

#include <gtest/gtest.h>

namespace accelscope::runtime {
namespace {

using namespace std::chrono_literals;

constexpr Patience::Steady::time_point at(std::chrono::milliseconds time) {
  return Patience::Steady::time_point(1h + time);
}

TEST(Patience, EndsWhenNothingChangesForTooLong) {
  Patience patience(1000ms);
  for (auto time = 0ms; time <= 1000ms; time += 100ms) EXPECT_FALSE(patience.is_over(5, at(time)));
  EXPECT_TRUE(patience.is_over(5, at(1001ms)));
  EXPECT_FALSE(patience.is_over(6, at(1100ms)));
  EXPECT_FALSE(patience.is_over(6, at(1500ms)));
}

TEST(Patience, TimeInWhichNobodyLookedDoesNotCount) {
  Patience patience(1000ms);
  EXPECT_FALSE(patience.is_over(1, at(0ms)));
  EXPECT_FALSE(patience.is_over(1, at(60'000ms)));
  EXPECT_FALSE(patience.is_over(1, at(60'400ms)));
  EXPECT_FALSE(patience.is_over(1, at(60'800ms)));
  EXPECT_TRUE(patience.is_over(1, at(61'200ms)));
}

TEST(Patience, OfZeroIsWithoutEnd) {
  Patience patience(0ms);
  for (auto time = 0ms; time < 100'000ms; time += 400ms) EXPECT_FALSE(patience.is_over(1, at(time)));
}

}  // namespace
}  // namespace accelscope::runtime
