#include <gtest/gtest.h>

#include <array>

#include "stats/random.h"

namespace accelscope::stats {
namespace {

// Computed with an independent Python transcription of SplitMix64 and xoshiro256++.
TEST(Random, GivesTheSameNumbersEverywhere) {
  Generator random(42);
  EXPECT_EQ(random.next(), 0xD0764D4F4476689FULL);
  EXPECT_EQ(random.next(), 0x519E4174576F3791ULL);
  EXPECT_EQ(random.next(), 0xFBE07CFB0C24ED8CULL);
  EXPECT_EQ(random.next(), 0xB37D9F600CD835B8ULL);
}

TEST(Random, SpreadsBoundedNumbersEvenly) {
  Generator random(7);
  std::array<int, 6> faces = {};
  for (int i = 0; i < 60'000; ++i) ++faces[random.below(6)];
  // Standard deviation 91.
  for (const int face : faces) EXPECT_NEAR(face, 10'000, 400);
}

TEST(Random, KeepsItsBounds) {
  Generator random(7);
  EXPECT_EQ(random.below(0), 0U);
  EXPECT_EQ(random.below(1), 0U);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double value = random.uniform();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
    ASSERT_LT(random.below(0xC000000000000001ULL), 0xC000000000000001ULL);
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.015);
}

}  // namespace
}  // namespace accelscope::stats
