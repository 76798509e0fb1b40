#include "runtime/kernels/mathematics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace accelscope::runtime {
namespace {

TEST(Mathematics, IsAccurate) {
  for (double x = -700; x <= 700; x += 0.0917) {
    EXPECT_NEAR(exponential(x) / std::exp(x), 1, 3e-15) << x;
    EXPECT_NEAR(logistic(x), 1 / (1 + std::exp(-x)), 1e-15) << x;
    EXPECT_NEAR(hyperbolic_tangent(x), std::tanh(x), 1e-15) << x;
  }
  EXPECT_EQ(exponential(0), 1);
}

TEST(Mathematics, HasLimits) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto as_float = [](double x) { return static_cast<float>(exponential(x)); };
  for (const double x : {89.0, 709.0, 1e9, kInfinity}) EXPECT_EQ(as_float(x), HUGE_VALF) << x;
  for (const double x : {-104.0, -708.0, -1e9, -kInfinity}) EXPECT_EQ(as_float(x), 0) << x;
  EXPECT_TRUE(std::isnan(exponential(std::nan(""))));
  EXPECT_EQ(static_cast<float>(logistic(-kInfinity)), 0);
  EXPECT_EQ(logistic(kInfinity), 1);
  EXPECT_EQ(hyperbolic_tangent(-kInfinity), -1);
}

// The same bits everywhere: these were computed once.
TEST(Mathematics, IsTheSameOnEveryMachine) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(exponential(1)), 4613303445314885482U);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(exponential(-12.345)), 4526751318660336514U);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(exponential(300.7)), 6560679320262207298U);
}

}  // namespace
}  // namespace accelscope::runtime
