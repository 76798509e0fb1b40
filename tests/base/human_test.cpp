#include "base/human.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace accelscope::base {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// Values of every magnitude from 0 to `limit`, the same ones in every run.
std::vector<std::int64_t> values_of_every_magnitude(std::int64_t limit) {
  std::vector<std::int64_t> values{0, 1, limit};
  std::mt19937_64 random(7);
  for (std::int64_t size = 1; size <= limit / 2; size *= 2) {
    for (const std::int64_t near : {size - 1, size, size + 1}) values.push_back(near);
    for (int i = 0; i < 20; ++i)
      values.push_back(size + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size)));
  }
  return values;
}

TEST(Size, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parse_size("0")->value, 0);
  EXPECT_EQ(parse_size("512")->value, 512);
  EXPECT_EQ(parse_size("512B")->value, 512);
  EXPECT_EQ(parse_size("512M")->value, 512LL << 20);
  EXPECT_EQ(parse_size("512m")->value, 512LL << 20);
  EXPECT_EQ(parse_size(" 1.5 KiB ")->value, 1536);
  EXPECT_EQ(parse_size("1.5Gi")->value, 3LL << 29);
  EXPECT_EQ(parse_size(".5k")->value, 512);
  EXPECT_EQ(parse_size("3.K")->value, 3072);
  EXPECT_EQ(parse_size("2kB")->value, 2'000);
  EXPECT_EQ(parse_size("2KB")->value, 2'000);
  EXPECT_EQ(parse_size("2GB")->value, 2'000'000'000);
  EXPECT_EQ(parse_size("4T")->value, 4LL << 40);
  EXPECT_EQ(parse_size("1PiB")->value, 1LL << 50);
  EXPECT_EQ(parse_size("3PB")->value, 3'000'000'000'000'000);
  EXPECT_EQ(parse_size("9223372036854775807")->value, kMax);
}

TEST(Rate, ReadsAndWritesWhatPeopleWrite) {
  EXPECT_EQ(parse_rate("38000000")->value, 38'000'000);
  EXPECT_EQ(parse_rate("38MB/s")->value, 38'000'000);
  EXPECT_EQ(parse_rate(" 1.5 GB/s ")->value, 1'500'000'000);
  EXPECT_EQ(parse_rate("2GiB/s")->value, 2LL << 30);
  for (const char* text : {"", "/s", "-1", "fast", "1.5 Gbit/s", "1/s/s", "9e9", "10000000PB/s"})
    EXPECT_FALSE(parse_rate(text)) << text;
  EXPECT_EQ(format_rate({38'000'000}), "38 MB/s");
  EXPECT_EQ(format_rate({819'200'000'000}), "819.2 GB/s");
  EXPECT_EQ(format_rate({999'999}), "1 MB/s");
  EXPECT_EQ(format_rate({7}), "7 B/s");
}

TEST(Size, DropsFractionsOfAByte) {
  EXPECT_EQ(parse_size("0.9")->value, 0);
  EXPECT_EQ(parse_size("1.3K")->value, 1331);
}

TEST(Size, RefusesWhatIsNone) {
  for (const char* text : {"",
                           " ",
                           ".",
                           "-1",
                           "+1",
                           "K",
                           "12Q",
                           "12 Mb",
                           "12 mB",
                           "1 2",
                           "1K 2",
                           "1..2",
                           "1.2.3",
                           "0x10",
                           "1e3",
                           "K12",
                           "12KiBs",
                           "12 K B",
                           "1,5K",
                           "8192P",
                           "9223372036854775808",
                           "1.00000000000000000000"}) {
    const Result<Bytes> size = parse_size(text);
    ASSERT_FALSE(size.has_value()) << text;
    EXPECT_EQ(size.error().code, ErrorCode::kUsage);
    EXPECT_NE(size.error().message.find("'" + std::string(text) + "'"), std::string::npos)
        << size.error().message;
  }
  EXPECT_EQ(parse_size("12Q").error().message,
            "'12Q' is not a size: its unit is unknown; write for example 512M, 1.5GiB or 4096");
  EXPECT_EQ(parse_size("many").error().message,
            "'many' is not a size; write for example 512M, 1.5GiB or 4096");
  EXPECT_EQ(parse_size("9000P").error().message, "'9000P' is too large for a size");
}

TEST(Size, IsPrintedShort) {
  EXPECT_EQ(format_size(Bytes{0}), "0 B");
  EXPECT_EQ(format_size(Bytes{1023}), "1023 B");
  EXPECT_EQ(format_size(Bytes{1024}), "1 KiB");
  EXPECT_EQ(format_size(Bytes{1536}), "1.5 KiB");
  EXPECT_EQ(format_size(Bytes{-1536}), "-1.5 KiB");
  EXPECT_EQ(format_size(Bytes{16LL << 20}), "16 MiB");
  EXPECT_EQ(format_size(Bytes{100LL << 40}), "100 TiB");
  EXPECT_EQ(format_size(Bytes{kMax}), "8192 PiB");
}

TEST(Size, NeverPrints1024OfAUnitThatHasALargerOne) {
  EXPECT_EQ(format_size(Bytes{(1LL << 20) - 1}), "1 MiB");
  EXPECT_EQ(format_size(Bytes{(1LL << 30) - 1}), "1 GiB");
  EXPECT_EQ(format_size(Bytes{(1LL << 20) - 6}), "1023.99 KiB");
}

TEST(Size, ReadsBackWhatItPrints) {
  for (const std::int64_t value : values_of_every_magnitude(kMax / 2)) {
    const std::string text = format_size(Bytes{value});
    const Result<Bytes> back = parse_size(text);
    ASSERT_TRUE(back.has_value()) << text;
    // Two digits behind the point of at least 1: off by half a percent at most.
    EXPECT_LE(std::abs(back->value - value), value / 200 + 1) << text;
    EXPECT_EQ(format_size(*back), text) << value;
  }
}

TEST(Duration, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parse_duration("12")->value, 12);
  EXPECT_EQ(parse_duration("12ns")->value, 12);
  EXPECT_EQ(parse_duration("3us")->value, 3'000);
  EXPECT_EQ(parse_duration("3 \xC2\xB5s")->value, 3'000);  // the micro sign
  EXPECT_EQ(parse_duration("3\xCE\xBCs")->value, 3'000);   // the Greek letter
  EXPECT_EQ(parse_duration("1.5ms")->value, 1'500'000);
  EXPECT_EQ(parse_duration("2s")->value, 2'000'000'000);
  EXPECT_EQ(parse_duration("1m")->value, 60'000'000'000);
  EXPECT_EQ(parse_duration("0.5h")->value, 1'800'000'000'000);
  EXPECT_EQ(parse_duration("3 min 20 s")->value, 200'000'000'000);
  EXPECT_EQ(parse_duration("1h30m")->value, 5'400'000'000'000);
  EXPECT_EQ(parse_duration(" 2 h 5 min ")->value, 7'500'000'000'000);
  EXPECT_EQ(parse_duration("1.9 ns")->value, 1);
}

TEST(Duration, RefusesWhatIsNone) {
  for (const char* text : {"", "s", "-1s", "1 2", "1s 2", "1 2s", "1s x", "1 day", "ms 1", "1s,", "2600000h",
                           "2562047h 60m 60m", "99999999999999999999"}) {
    const Result<Nanoseconds> duration = parse_duration(text);
    ASSERT_FALSE(duration.has_value()) << text << " read as " << duration->value;
    EXPECT_EQ(duration.error().code, ErrorCode::kUsage);
  }
  EXPECT_EQ(parse_duration("3 days").error().message,
            "'3 days' is not a duration: its unit is unknown; write for example 10ms, 1.5s or 200us");
}

TEST(Duration, IsPrintedWithFourDigits) {
  EXPECT_EQ(format_duration(Nanoseconds{0}), "0 ns");
  EXPECT_EQ(format_duration(Nanoseconds{812}), "812 ns");
  EXPECT_EQ(format_duration(Nanoseconds{-812}), "-812 ns");
  EXPECT_EQ(format_duration(Nanoseconds{9'300}), "9.300 \xC2\xB5s");
  EXPECT_EQ(format_duration(Nanoseconds{1'898'821}), "1.899 ms");
  EXPECT_EQ(format_duration(Nanoseconds{-1'898'821}), "-1.899 ms");
  EXPECT_EQ(format_duration(Nanoseconds{18'988'210}), "18.99 ms");
  EXPECT_EQ(format_duration(Nanoseconds{189'882'100}), "189.9 ms");
  EXPECT_EQ(format_duration(Nanoseconds{2'500'000'000}), "2.500 s");
  EXPECT_EQ(format_duration(Nanoseconds{200'000'000'000}), "3 min 20 s");
  EXPECT_EQ(format_duration(Nanoseconds{-200'000'000'000}), "-3 min 20 s");
  EXPECT_EQ(format_duration(Nanoseconds{7'500'000'000'000}), "2 h 5 min");
}

TEST(Duration, StepsToTheNextUnitWhereRoundingReachesIt) {
  EXPECT_EQ(format_duration(Nanoseconds{999}), "999 ns");
  EXPECT_EQ(format_duration(Nanoseconds{1'000}), "1.000 \xC2\xB5s");
  EXPECT_EQ(format_duration(Nanoseconds{999'949}), "999.9 \xC2\xB5s");
  EXPECT_EQ(format_duration(Nanoseconds{999'950}), "1.000 ms");
  EXPECT_EQ(format_duration(Nanoseconds{9'999'499}), "9.999 ms");
  EXPECT_EQ(format_duration(Nanoseconds{9'999'500}), "10.00 ms");
  EXPECT_EQ(format_duration(Nanoseconds{99'995'000}), "100.0 ms");
  EXPECT_EQ(format_duration(Nanoseconds{999'950'000}), "1.000 s");
  EXPECT_EQ(format_duration(Nanoseconds{119'949'999'999}), "119.9 s");
  EXPECT_EQ(format_duration(Nanoseconds{119'950'000'000}), "2 min 0 s");
  EXPECT_EQ(format_duration(Nanoseconds{7'199'499'999'999}), "119 min 59 s");
  EXPECT_EQ(format_duration(Nanoseconds{7'199'500'000'000}), "2 h 0 min");
  EXPECT_EQ(format_duration(Nanoseconds{7'259'000'000'000}), "2 h 1 min");
}

TEST(Duration, SurvivesTheEndsOfTheRange) {
  EXPECT_EQ(format_duration(Nanoseconds::max()), "2562047 h 47 min");
  EXPECT_EQ(format_duration(Nanoseconds::min()), "-2562047 h 47 min");
}

TEST(Duration, ReadsBackWhatItPrints) {
  for (const std::int64_t value : values_of_every_magnitude(kMax / 2)) {
    const std::string text = format_duration(Nanoseconds{value});
    const Result<Nanoseconds> back = parse_duration(text);
    ASSERT_TRUE(back.has_value()) << text;
    // Four digits, or half a minute of two hours.
    EXPECT_LE(std::abs(back->value - value), value / 200 + 1) << text;
    EXPECT_EQ(format_duration(*back), text) << value;
  }
}

TEST(FrequencyText, ReadsWhatPeopleWrite) {
  EXPECT_EQ(*parse_frequency("1000000000"), Frequency::nanoseconds());
  EXPECT_EQ(*parse_frequency("1GHz"), Frequency::nanoseconds());
  EXPECT_EQ(*parse_frequency("1G"), Frequency::nanoseconds());
  EXPECT_EQ(*parse_frequency("50MHz"), Frequency::mhz(50));
  EXPECT_EQ(*parse_frequency("19.2 MHz"), Frequency::khz(19'200));
  EXPECT_EQ(*parse_frequency("32768 Hz"), Frequency::hz(32'768));
  EXPECT_EQ(*parse_frequency("12k"), Frequency::khz(12));
}

TEST(FrequencyText, IsExactAndInLowestTerms) {
  const Frequency half = *parse_frequency("0.5");
  EXPECT_EQ(half.ticks, 1);
  EXPECT_EQ(half.seconds, 2);
  const Frequency third_digit = *parse_frequency("32.7685 kHz");
  EXPECT_EQ(third_digit.ticks, 65'537);
  EXPECT_EQ(third_digit.seconds, 2);
  // The digits times 10^9 exceed 64 bits; the frequency does not.
  const Frequency many_digits = *parse_frequency("1.2345678901 GHz");
  EXPECT_EQ(many_digits, Frequency({12'345'678'901, 10}));
  EXPECT_EQ(*parse_frequency("1.000000000000000000 GHz"), Frequency::nanoseconds());
}

TEST(FrequencyText, RefusesWhatIsNone) {
  for (const char* text : {"", "0", "0.0MHz", "-1MHz", "MHz", "1 mHz", "1 THz", "1 MHz 2", "9223372037 G"})
    EXPECT_FALSE(parse_frequency(text).has_value()) << text;
  EXPECT_EQ(parse_frequency("0 Hz").error().message, "'0 Hz' is zero, and such a clock never ticks");
}

TEST(FrequencyText, IsPrintedWithSixDigits) {
  EXPECT_EQ(format_frequency(Frequency::unknown()), "unknown unit");
  EXPECT_EQ(format_frequency(Frequency::hz(1)), "1 Hz");
  EXPECT_EQ(format_frequency(Frequency::hz(32'768)), "32.768 kHz");
  EXPECT_EQ(format_frequency(Frequency::mhz(50)), "50 MHz");
  EXPECT_EQ(format_frequency(Frequency{2'500'000'000, 3}), "833.333 MHz");
  EXPECT_EQ(format_frequency(Frequency::nanoseconds()), "1 GHz");
  EXPECT_EQ(format_frequency(Frequency{9'999'999, 10}), "1 MHz");
  EXPECT_EQ(format_frequency(Frequency::hz(kMax)), "9223372037 GHz");
}

TEST(FrequencyText, ReadsBackWhatItPrints) {
  for (const std::int64_t value : values_of_every_magnitude(kMax / 2)) {
    if (value == 0) continue;
    for (const std::int64_t seconds : {1, 3, 1'000}) {
      const std::string text = format_frequency(Frequency{value, seconds});
      const Result<Frequency> back = parse_frequency(text);
      ASSERT_TRUE(back.has_value()) << text;
      const double hertz = static_cast<double>(value) / static_cast<double>(seconds);
      EXPECT_NEAR(static_cast<double>(back->ticks) / static_cast<double>(back->seconds), hertz,
                  hertz * 5.1e-6)
          << text;
      EXPECT_EQ(format_frequency(*back), text) << value;
    }
  }
}

TEST(Count, HasItsThousandsApart) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1'000), "1 000");
  EXPECT_EQ(format_count(173'201), "173 201");
  EXPECT_EQ(format_count(std::numeric_limits<std::uint64_t>::max()), "18 446 744 073 709 551 615");
}

}  // namespace
}  // namespace accelscope::base
