#include "runtime/fixed_divisor.h"

#include <gtest/gtest.h>

#include <random>

namespace accelscope::runtime {
namespace {

constexpr std::uint64_t kLimit = std::uint64_t{1} << 63U;

void expect_exact(std::uint64_t divisor, std::uint64_t dividend) {
  EXPECT_EQ(FixedDivisor(divisor).divide(dividend), dividend / divisor) << dividend << " / " << divisor;
}

TEST(FixedDivisor, IsExactAroundMultiplesAndLimits) {
  for (const std::uint64_t divisor :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{20}, std::uint64_t{1000},
        std::uint64_t{1'000'000'000}, (std::uint64_t{1} << 32U) + 1, kLimit - 1}) {
    for (const std::uint64_t near : {std::uint64_t{1}, divisor, kLimit / divisor / 2 * divisor, kLimit - 1})
      for (const std::uint64_t dividend : {near - 1, near, near + 1})
        if (dividend < kLimit) expect_exact(divisor, dividend);
    // The last multiple is where a factor that is too large shows first.
    const std::uint64_t last = (kLimit - 1) / divisor * divisor;
    expect_exact(divisor, last);
    expect_exact(divisor, last - 1);
  }
}

TEST(FixedDivisor, IsExactForNumbersOfAllLengths) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t divisor = (random() >> (1 + random() % 63)) | 1U;
    expect_exact(divisor, random() >> (1 + random() % 63));
  }
}

}  // namespace
}  // namespace accelscope::runtime
