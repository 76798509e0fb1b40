#include "formats/chrome_json/number.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace accelscope::formats::chrome_json {
namespace {

// Padding behind the text, as in a mapped file.
template <class Parse, class Result>
bool parse_padded(Parse parse, std::string_view text, Result& result) {
  std::string padded(text);
  padded.append(64, 'x');
  return parse(std::string_view(padded).substr(0, text.size()), result);
}

TEST(Number, OnlyTheGrammarOfJsonIsANumber) {
  for (const char* good :
       {"0", "-0", "1", "-12", "0.5", "10.25", "1e3", "1E+3", "1.5e-300", "123456789012345678901234"})
    EXPECT_TRUE(is_json_number(good)) << good;
  for (const char* bad :
       {"", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x10", "1 ", "NaN", "Infinity", "1.2.3", "--1"})
    EXPECT_FALSE(is_json_number(bad)) << bad;
}

TEST(Number, IntegersKeepEveryBit) {
  std::uint64_t bits = 0;
  EXPECT_EQ(parse_number("9007199254740993", bits), NumberKind::kInt);
  EXPECT_EQ(bits, 9007199254740993U);
  EXPECT_EQ(parse_number("-9223372036854775808", bits), NumberKind::kInt);
  EXPECT_EQ(static_cast<std::int64_t>(bits), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_number("9223372036854775808", bits), NumberKind::kUint);
  EXPECT_EQ(parse_number("18446744073709551615", bits), NumberKind::kUint);
  EXPECT_EQ(bits, ~std::uint64_t{0});
  EXPECT_EQ(parse_number("18446744073709551616", bits), NumberKind::kTooWide);
  EXPECT_EQ(parse_number("1e999", bits), NumberKind::kTooWide);
  EXPECT_EQ(parse_number("-0", bits), NumberKind::kDouble);
  EXPECT_EQ(bits, std::uint64_t{1} << 63U);
  EXPECT_EQ(parse_number("2.5", bits), NumberKind::kDouble);
  EXPECT_EQ(std::bit_cast<double>(bits), 2.5);
}

TEST(Number, TheShortWayAgreesWithTheLongOne) {
  std::mt19937_64 random(7);
  int taken = 0;
  for (int i = 0; i < 200'000; ++i) {
    // Mostly digits of every length, now and then something that is no number.
    std::string text = random() % 4 == 0 ? "-" : "";
    for (std::size_t length = random() % 18; length > 0; --length)
      text += random() % 50 == 0 ? static_cast<char>(random() % 256) : static_cast<char>('0' + random() % 10);
    if (random() % 2 == 0) text.append(".").append(std::to_string(random() % 1000));
    if (text.empty()) continue;
    std::uint64_t bits = 0;
    std::uint64_t expected = 0;
    if (parse_padded([](auto t, auto& r) { return parse_short_integer(t, r); }, text, bits)) {
      ASSERT_EQ(parse_number(text, expected), NumberKind::kInt) << text;
      ASSERT_EQ(bits, expected) << text;
      ++taken;
    }
    PreciseTime time;
    PreciseTime exact;
    if (parse_padded([](auto t, auto& r) { return parse_short_microseconds(t, r); }, text, time)) {
      ASSERT_EQ(parse_microseconds(text, exact), TimeOutcome::kParsed) << text;
      ASSERT_EQ(time.nanoseconds, exact.nanoseconds) << text;
      ASSERT_EQ(exact.billionths, 0U) << text;
      ++taken;
    }
  }
  EXPECT_GT(taken, 50'000);
}

struct TimeCase {
  const char* text;
  std::int64_t nanoseconds;
  std::uint32_t billionths;
};

TEST(Number, MicrosecondsAreExact) {
  for (const TimeCase& c : {TimeCase{"0", 0, 0},
                            {"1", 1000, 0},
                            {"0.001", 1, 0},
                            {"0.1", 100, 0},
                            {"-0.001", -1, 0},
                            {"1.5e6", 1'500'000'000, 0},
                            {"1500000E-3", 1'500'000, 0},
                            {"9007199254740.993", 9007199254740993, 0},
                            {"4611686018427387.903", 4611686018427387903, 0},
                            {"0.0005", 0, 500'000'000},
                            {"-0.0005", -1, 500'000'000},
                            {"1.23456789012", 1234, 567'890'120},
                            {"0.00000000000000000001", 0, 0},
                            {"-0.00000000000000000001", -1, 999'999'999},
                            {"0e999999999999999999999", 0, 0},
                            {"1e-999999999999999999999", 0, 0},
                            {"1234567.1239999999", 1234567123, 999'999'900}}) {
    PreciseTime time{-7, 7};
    EXPECT_EQ(parse_microseconds(c.text, time), TimeOutcome::kParsed) << c.text;
    EXPECT_EQ(time.nanoseconds, c.nanoseconds) << c.text;
    EXPECT_EQ(time.billionths, c.billionths) << c.text;
  }
  PreciseTime time;
  for (const char* beyond :
       {"1e30", "-1e30", "1e999999999999999999999", "4611686018427387.904", "99999999999999999999"})
    EXPECT_EQ(parse_microseconds(beyond, time), TimeOutcome::kOutOfRange) << beyond;
  EXPECT_EQ(parse_microseconds("12a", time), TimeOutcome::kMalformed);
}

TEST(Number, RoundingKeepsTheOrderOfTimes) {
  EXPECT_EQ(rounded({5, 499'999'999}).value, 5);
  EXPECT_EQ(rounded({5, 500'000'000}).value, 6);
  EXPECT_EQ(rounded({-1, 500'000'000}).value, 0);
  const auto total = sum({1, 600'000'000}, {2, 600'000'000});
  ASSERT_TRUE(total);
  EXPECT_EQ(total->nanoseconds, 4);
  EXPECT_EQ(total->billionths, 200'000'000U);
  EXPECT_FALSE(sum({kMaxNanoseconds - 1, 0}, {1, 0}));
}

}  // namespace
}  // namespace accelscope::formats::chrome_json
