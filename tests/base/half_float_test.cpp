#include "base/half_float.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace accelscope::base {
namespace {

// By the definition of the format.
double by_definition(std::uint32_t bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const auto exponent = static_cast<int>((bits >> static_cast<unsigned>(fraction_bits)) &
                                         ((1U << static_cast<unsigned>(exponent_bits)) - 1));
  const double fraction = bits & ((1U << static_cast<unsigned>(fraction_bits)) - 1);
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1)
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

TEST(HalfFloats, AreWhatTheirFormatsSay) {
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    for (const bool brain : {false, true}) {
      const double expected = brain ? by_definition(bits, 8, 7) : by_definition(bits, 5, 10);
      const float number = brain ? float_of_bfloat16(half) : float_of_float16(half);
      const std::uint16_t back = brain ? bfloat16_bits(number) : float16_bits(number);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(number)) << bits;
        ASSERT_TRUE(std::isnan(brain ? float_of_bfloat16(back) : float_of_float16(back))) << bits;
      } else {
        ASSERT_EQ(number, expected) << bits;
        ASSERT_EQ(back, half) << bits;
      }
    }
  }
}

// Between two neighbours the nearer one, in the middle the one whose last bit is zero.
TEST(HalfFloats, RoundToTheNearest) {
  for (std::uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    const auto low = static_cast<std::uint16_t>(bits);
    const auto high = static_cast<std::uint16_t>(bits + 1);
    const float middle = (float_of_float16(low) + float_of_float16(high)) / 2;
    ASSERT_EQ(float16_bits(middle), (bits & 1U) == 0 ? low : high) << bits;
    ASSERT_EQ(float16_bits(std::nextafter(middle, 0.0F)), low) << bits;
    ASSERT_EQ(float16_bits(std::nextafter(middle, HUGE_VALF)), high) << bits;
    ASSERT_EQ(float16_bits(-middle), 0x8000U | ((bits & 1U) == 0 ? low : high)) << bits;
  }
  for (std::uint32_t bits = 1; bits < 0x7F7F; bits += 3) {
    const auto low = static_cast<std::uint16_t>(bits);
    const auto high = static_cast<std::uint16_t>(bits + 1);
    const auto middle =
        static_cast<float>((static_cast<double>(float_of_bfloat16(low)) + float_of_bfloat16(high)) / 2);
    ASSERT_EQ(bfloat16_bits(middle), (bits & 1U) == 0 ? low : high) << bits;
    ASSERT_EQ(bfloat16_bits(std::nextafter(middle, 0.0F)), low) << bits;
    ASSERT_EQ(bfloat16_bits(std::nextafter(middle, HUGE_VALF)), high) << bits;
  }
}

// The middle between two neighbours is a double, and so is what lies a little beside it: closer than any
// float does, which would be rounded to the middle first.
TEST(HalfFloats, RoundDoublesOnce) {
  const auto check = [](std::uint32_t bits, auto float_of, auto bits_of) {
    const auto low = static_cast<std::uint16_t>(bits);
    const auto high = static_cast<std::uint16_t>(bits + 1);
    const double middle = (static_cast<double>(float_of(low)) + static_cast<double>(float_of(high))) / 2;
    ASSERT_EQ(bits_of(static_cast<double>(float_of(low))), low) << bits;
    ASSERT_EQ(bits_of(middle), (bits & 1U) == 0 ? low : high) << bits;
    ASSERT_EQ(bits_of(std::nextafter(middle, 0.0)), low) << bits;
    ASSERT_EQ(bits_of(std::nextafter(middle, HUGE_VAL)), high) << bits;
    ASSERT_EQ(bits_of(-middle), 0x8000U | ((bits & 1U) == 0 ? low : high)) << bits;
    ASSERT_EQ(bits_of(std::nextafter(-middle, -HUGE_VAL)), 0x8000U | high) << bits;
  };
  for (std::uint32_t bits = 0; bits < 0x7BFF; ++bits)
    check(bits, float_of_float16, [](double value) { return float16_bits(value); });
  for (std::uint32_t bits = 0; bits < 0x7F7F; ++bits)
    check(bits, float_of_bfloat16, [](double value) { return bfloat16_bits(value); });
}

TEST(HalfFloats, RoundFloatsAndDoublesAlike) {
  for (std::uint64_t bits = 0; bits <= 0xFFFFFFFF; bits += 4097) {
    const auto number = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isnan(number)) continue;
    ASSERT_EQ(float16_bits(static_cast<double>(number)), float16_bits(number)) << number;
    ASSERT_EQ(bfloat16_bits(static_cast<double>(number)), bfloat16_bits(number)) << number;
  }
}

TEST(HalfFloats, EndInInfinity) {
  EXPECT_EQ(float16_bits(65519.996F), 0x7BFF);
  EXPECT_EQ(float16_bits(65520.0F), 0x7C00);
  EXPECT_EQ(float16_bits(-1e30F), 0xFC00);
  EXPECT_EQ(float16_bits(1e-30F), 0);
  EXPECT_EQ(bfloat16_bits(std::numeric_limits<float>::max()), 0x7F80);
  EXPECT_EQ(bfloat16_bits(-HUGE_VALF), 0xFF80);
  EXPECT_EQ(float16_bits(std::nextafter(65520.0, 0.0)), 0x7BFF) << "which is no float";
  EXPECT_EQ(float16_bits(65520.0), 0x7C00);
  EXPECT_EQ(float16_bits(-HUGE_VAL), 0xFC00);
  EXPECT_EQ(float16_bits(-1e-300), 0x8000);
  EXPECT_EQ(float16_bits(std::numeric_limits<double>::denorm_min()), 0);
  EXPECT_EQ(bfloat16_bits(std::numeric_limits<double>::max()), 0x7F80);
  EXPECT_EQ(bfloat16_bits(std::nextafter(static_cast<double>(std::numeric_limits<float>::max()), 0.0)),
            0x7F80);
  for (const std::uint16_t bits : {float16_bits(std::nan("")), float16_bits(-std::nan(""))})
    EXPECT_TRUE(std::isnan(float_of_float16(bits)));
  EXPECT_TRUE(std::isnan(float_of_bfloat16(bfloat16_bits(std::nan("")))));
}

}  // namespace
}  // namespace accelscope::base
