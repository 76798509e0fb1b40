#include "base/last_true.h"

#include <gtest/gtest.h>

namespace accelscope::base {
namespace {

TEST(LastTrue, IsTheBoundaryWhereverItLies) {
  for (const std::uint64_t most : {1U, 2U, 3U, 7U, 8U, 9U, 100U}) {
    for (std::uint64_t boundary = 0; boundary <= most; ++boundary) {
      const auto holds = [&](std::uint64_t n) {
        EXPECT_GE(n, 1U);
        EXPECT_LE(n, most);
        return n <= boundary;
      };
      const auto last = last_true(most, holds);
      EXPECT_EQ(last, boundary == 0 ? std::nullopt : std::optional(boundary)) << most;
      const auto first = first_true(most, [&](std::uint64_t n) { return !holds(n); });
      EXPECT_EQ(first, boundary == most ? std::nullopt : std::optional(boundary + 1)) << most;
    }
  }
}

TEST(LastTrue, GoesUpToTheEndOfAllNumbers) {
  EXPECT_EQ(last_true(UINT64_MAX, [](std::uint64_t) { return true; }), UINT64_MAX);
  EXPECT_EQ(last_true(UINT64_MAX, [](std::uint64_t n) { return n < UINT64_MAX; }), UINT64_MAX - 1);
  EXPECT_EQ(last_true(0, [](std::uint64_t) { return true; }), std::nullopt);
}

}  // namespace
}  // namespace accelscope::base
