#include "formats/timeline_csv/decimal_time.h"

#include <gtest/gtest.h>

namespace accelscope::formats::timeline_csv {
namespace {

constexpr DecimalUnit kUs = DecimalUnit::kMicrosecond;
constexpr DecimalUnit kMs = DecimalUnit::kMillisecond;

void expect_time(std::string_view text, DecimalUnit unit, std::int64_t nanoseconds, double fraction) {
  const DecimalTime time = parse_decimal_time(text, unit);
  EXPECT_EQ(time.state, DecimalState::kNumber) << text;
  EXPECT_EQ(time.nanoseconds, nanoseconds) << text;
  EXPECT_NEAR(time.fraction, fraction, 1e-12) << text;
}

TEST(DecimalTime, IsExact) {
  expect_time("426.786", kUs, 426786, 0);
  expect_time("1e-05", kMs, 10, 0);
  expect_time("1E+3", kUs, 1'000'000, 0);
  expect_time("0", kUs, 0, 0);
  expect_time(".5", kUs, 500, 0);
  expect_time("5.", kUs, 5000, 0);
  expect_time("  12.5 ", kUs, 12500, 0);
  expect_time("0.0001234", kUs, 0, 0.1234);
  expect_time("-1.5", kUs, -1500, 0);
  expect_time("-0.0001", kUs, -1, 0.9);
  expect_time("9007199254740.993", kUs, 9007199254740993, 0);
  expect_time("0.1234567890123456789012345", kMs, 123456, 0.7890123456789);
  expect_time("1e-400", kMs, 0, 0);
}

TEST(DecimalTime, TellsMissingFromBad) {
  for (const std::string_view text : {"", " ", "nan", "NaN", "inf", "-Infinity", "None", "N/A"})
    EXPECT_EQ(parse_decimal_time(text, kUs).state, DecimalState::kMissing) << text;
  for (const std::string_view text : {"abc", "1.2.3", "1e", "1e+", "--1", "0x10", "1,5", ".", "e5"})
    EXPECT_EQ(parse_decimal_time(text, kUs).state, DecimalState::kBad) << text;
  for (const std::string_view text : {"1e300", "99999999999999999999", "1e99999999999"})
    EXPECT_EQ(parse_decimal_time(text, kUs).state, DecimalState::kOutOfRange) << text;
}

TEST(DecimalTime, RemovesTheNoiseOfDoubles) {
  // What Python prints for 4595.416/1e3 - 4581.416/1e3 and friends.
  DecimalTime noisy = parse_decimal_time("0.014000000000000234", kMs);
  snap_to_nanosecond(noisy, double_noise(parse_decimal_time("4581.416", kUs)));
  EXPECT_EQ(noisy.nanoseconds, 14000);
  EXPECT_EQ(noisy.fraction, 0);
  noisy = parse_decimal_time("0.05399999999999938", kMs);
  snap_to_nanosecond(noisy, double_noise(parse_decimal_time("4646.416", kUs)));
  EXPECT_EQ(noisy.nanoseconds, 54000);
  EXPECT_EQ(noisy.fraction, 0);
}

TEST(DecimalTime, KeepsRealFractions) {
  DecimalTime third = parse_decimal_time("0.3333333", kUs);
  snap_to_nanosecond(third, double_noise(third));
  EXPECT_EQ(third.nanoseconds, 333);
  EXPECT_NEAR(third.fraction, 0.3333, 1e-9);
}

TEST(DecimalTime, Subtracts) {
  const DecimalTime time = difference(parse_decimal_time("1.0005", kUs), parse_decimal_time("3.0001", kUs));
  EXPECT_EQ(time.nanoseconds, 1999);
  EXPECT_NEAR(time.fraction, 0.6, 1e-9);
}

TEST(DecimalInteger, AcceptsWholeNumbersOnly) {
  EXPECT_EQ(parse_integer("12").value, 12);
  EXPECT_EQ(parse_integer("12.0").value, 12);
  EXPECT_EQ(parse_integer("-1").value, -1);
  EXPECT_EQ(parse_integer("").state, DecimalState::kMissing);
  EXPECT_EQ(parse_integer("1.5").state, DecimalState::kBad);
  EXPECT_EQ(parse_integer("x").state, DecimalState::kBad);
  EXPECT_EQ(parse_integer("5000000000").state, DecimalState::kOutOfRange);
}

}  // namespace
}  // namespace accelscope::formats::timeline_csv
