#include "base/human.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "base/digits.h"

namespace accelscope::base {
namespace {

// A decimal number kept exactly: digits without the point, and how many of them stood behind it.
struct Decimal {
  std::int64_t digits = 0;
  std::int64_t scale = 1;  // the value is digits / scale
};

struct UnitFactor {
  std::string_view name;
  std::int64_t factor;
};

// The micro sign and the Greek letter look alike and are both typed.
constexpr std::array<UnitFactor, 10> kDurationUnits{{{"", 1},
                                                     {"ns", 1},
                                                     {"us", 1'000},
                                                     {"\u00B5s", 1'000},
                                                     {"\u03BCs", 1'000},
                                                     {"ms", 1'000'000},
                                                     {"s", 1'000'000'000},
                                                     {"m", 60'000'000'000},
                                                     {"min", 60'000'000'000},
                                                     {"h", 3'600'000'000'000}}};

constexpr std::array<UnitFactor, 9> kFrequencyUnits{{{"", 1},
                                                     {"Hz", 1},
                                                     {"kHz", 1'000},
                                                     {"KHz", 1'000},
                                                     {"k", 1'000},
                                                     {"MHz", 1'000'000},
                                                     {"M", 1'000'000},
                                                     {"GHz", 1'000'000'000},
                                                     {"G", 1'000'000'000}}};

constexpr std::string_view kSizeExamples = "512M, 1.5GiB or 4096";
constexpr std::string_view kRateExamples = "38MB/s, 1.5GB/s or 38000000";
constexpr std::string_view kDurationExamples = "10ms, 1.5s or 200us";
constexpr std::string_view kFrequencyExamples = "50MHz, 1.2GHz or 32768";

std::optional<std::int64_t> factor_of(std::span<const UnitFactor> units, std::string_view name) {
  const auto found =
      std::find_if(units.begin(), units.end(), [&](const auto& unit) { return unit.name == name; });
  if (found == units.end()) return std::nullopt;
  return found->factor;
}

// "K", "Ki" and "KiB" are 1024, "kB" and "KB" are 1000; a small letter alone ("512m") is the large one.
std::optional<std::int64_t> size_factor(std::string_view unit) {
  if (unit.empty() || unit == "B") return 1;
  const std::string_view suffix = unit.substr(1);
  std::size_t power = std::string_view("KMGTP").find(unit.front());
  if (power == std::string_view::npos && (suffix.empty() || unit == "kB"))
    power = std::string_view("kmgtp").find(unit.front());
  const bool binary = suffix.empty() || suffix == "i" || suffix == "iB";
  if (power == std::string_view::npos || (!binary && suffix != "B")) return std::nullopt;
  std::int64_t factor = 1;
  for (std::size_t i = 0; i <= power; ++i) factor *= binary ? 1024 : 1000;
  return factor;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Takes a number off the front of `rest`. `whole` and `what` are for the message: "'x' is not a size".
Result<Decimal> take_decimal(std::string_view& rest, std::string_view whole, std::string_view what,
                             std::string_view examples) {
  Decimal number;
  bool seen_point = false;
  bool seen_digit = false;
  std::size_t i = 0;
  for (; i < rest.size(); ++i) {
    const char c = rest[i];
    if (c == '.' && !seen_point) {
      seen_point = true;
      continue;
    }
    if (!is_digit(c)) break;
    seen_digit = true;
    if (__builtin_mul_overflow(number.digits, 10, &number.digits) ||
        __builtin_add_overflow(number.digits, c - '0', &number.digits) ||
        (seen_point && __builtin_mul_overflow(number.scale, 10, &number.scale)))
      return fail(ErrorCode::kUsage, "'{}' has too many digits for {}", whole, what);
  }
  if (!seen_digit)
    return fail(ErrorCode::kUsage, "'{}' is not {}; write for example {}", whole, what, examples);
  rest = trim(rest.substr(i));
  return number;
}

// Takes the letters that follow a number off the front of `rest`.
std::string_view take_unit(std::string_view& rest) {
  std::size_t length = 0;
  while (length < rest.size() && rest[length] != ' ' && rest[length] != '.' && !is_digit(rest[length]))
    ++length;
  const std::string_view unit = rest.substr(0, length);
  rest = trim(rest.substr(length));
  return unit;
}

tl::unexpected<Error> unknown_unit(std::string_view whole, std::string_view what, std::string_view examples) {
  return fail(ErrorCode::kUsage, "'{}' is not {}: its unit is unknown; write for example {}", whole, what,
              examples);
}

Result<std::int64_t> scaled(const Decimal& number, std::int64_t factor, std::string_view whole,
                            std::string_view what) {
  const Int128 value = static_cast<Int128>(number.digits) * factor / number.scale;
  if (value > std::numeric_limits<std::int64_t>::max())
    return fail(ErrorCode::kUsage, "'{}' is too large for {}", whole, what);
  return static_cast<std::int64_t>(value);
}

// `whole` is what the message quotes.
Result<std::int64_t> bytes_in(std::string_view size, std::string_view whole, std::string_view what,
                              std::string_view examples) {
  std::string_view rest = trim(size);
  ACCELSCOPE_TRY(const Decimal number, take_decimal(rest, whole, what, examples));
  const std::optional<std::int64_t> factor = size_factor(rest);
  if (!factor) return unknown_unit(whole, what, examples);
  return scaled(number, *factor, whole, what);
}

// Two digits behind the point at most, and no zeros at the end: "1.5 KiB", "16 MiB".
std::string short_decimal(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

// In the largest unit of which there is at least one; each is `step` times the one before it.
std::string with_largest_unit(std::int64_t count, double step, const std::array<std::string_view, 6>& names) {
  double value = static_cast<double>(count);
  std::size_t unit = 0;
  // The step is taken where rounding to two digits would print it.
  while (std::abs(value) >= step - 0.005 && unit + 1 < names.size()) {
    value /= step;
    ++unit;
  }
  return fmt::format("{} {}", short_decimal(value), names[unit]);
}

// Six significant digits, never with an exponent above: "1.2 GHz", "833.333 MHz".
std::string six_digits(double value) {
  return value < 999'999.5 ? fmt::format("{:.6g}", value) : fmt::format("{:.0f}", value);
}

}  // namespace

Result<Bytes> parse_size(std::string_view text) {
  ACCELSCOPE_TRY(const std::int64_t bytes, bytes_in(text, text, "a size", kSizeExamples));
  return Bytes{bytes};
}

std::string format_size(Bytes size) {
  return with_largest_unit(size.value, 1024.0, {"B", "KiB", "MiB", "GiB", "TiB", "PiB"});
}

Result<BytesPerSecond> parse_rate(std::string_view text) {
  std::string_view size = trim(text);
  if (size.ends_with("/s")) size.remove_suffix(2);
  ACCELSCOPE_TRY(const std::int64_t bytes, bytes_in(size, text, "a rate", kRateExamples));
  return BytesPerSecond{bytes};
}

std::string format_rate(BytesPerSecond rate) {
  return with_largest_unit(rate.value, 1000.0, {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"});
}

Result<Nanoseconds> parse_duration(std::string_view text) {
  constexpr std::string_view kWhat = "a duration";
  std::string_view rest = trim(text);
  std::int64_t total = 0;
  bool first = true;
  do {
    ACCELSCOPE_TRY(const Decimal number, take_decimal(rest, text, kWhat, kDurationExamples));
    const std::string_view unit = take_unit(rest);
    const bool only_part = first && rest.empty();
    const std::optional<std::int64_t> factor = factor_of(kDurationUnits, unit);
    if (!factor || (unit.empty() && !only_part)) return unknown_unit(text, kWhat, kDurationExamples);
    ACCELSCOPE_TRY(const std::int64_t part, scaled(number, *factor, text, kWhat));
    if (__builtin_add_overflow(total, part, &total))
      return fail(ErrorCode::kUsage, "'{}' is too large for {}", text, kWhat);
    first = false;
  } while (!rest.empty());
  return Nanoseconds{total};
}

std::string format_duration(Nanoseconds duration) {
  const double value = static_cast<double>(duration.value);
  const double size = std::abs(value);
  // Four significant digits; the step to the next unit is taken where rounding would reach it.
  const auto with_unit = [](double scaled_value, std::string_view unit) {
    const double magnitude = std::abs(scaled_value);
    const int decimals = magnitude < 9.9995 ? 3 : magnitude < 99.995 ? 2 : 1;
    return fmt::format("{:.{}f} {}", scaled_value, decimals, unit);
  };
  if (size < 1'000) return fmt::format("{} ns", duration.value);
  if (size < 999'950) return with_unit(value / 1e3, "\u00B5s");
  if (size < 999'950'000) return with_unit(value / 1e6, "ms");
  if (size < 119.95e9) return with_unit(value / 1e9, "s");
  const auto seconds = static_cast<std::int64_t>(std::llround(size / 1e9));
  const std::string_view sign = value < 0 ? "-" : "";
  if (seconds < 7200) return fmt::format("{}{} min {} s", sign, seconds / 60, seconds % 60);
  const std::int64_t minutes = (seconds + 30) / 60;
  return fmt::format("{}{} h {} min", sign, minutes / 60, minutes % 60);
}

Result<Frequency> parse_frequency(std::string_view text) {
  constexpr std::string_view kWhat = "a frequency";
  std::string_view rest = trim(text);
  ACCELSCOPE_TRY(const Decimal number, take_decimal(rest, text, kWhat, kFrequencyExamples));
  const std::optional<std::int64_t> factor = factor_of(kFrequencyUnits, rest);
  if (!factor) return unknown_unit(text, kWhat, kFrequencyExamples);
  if (number.digits == 0) return fail(ErrorCode::kUsage, "'{}' is zero, and such a clock never ticks", text);
  // Cancelled before it is multiplied: 1.2345678901 GHz fits, its digits times 10^9 do not.
  const Frequency unit = Frequency{*factor, number.scale}.reduced();
  const Frequency digits = Frequency{number.digits, unit.seconds}.reduced();
  std::int64_t ticks = 0;
  if (__builtin_mul_overflow(digits.ticks, unit.ticks, &ticks))
    return fail(ErrorCode::kUsage, "'{}' is too large for {}", text, kWhat);
  return Frequency{ticks, digits.seconds};
}

std::string format_frequency(Frequency frequency) {
  if (!frequency.known()) return "unknown unit";
  const double hertz = static_cast<double>(frequency.ticks) / static_cast<double>(frequency.seconds);
  if (hertz >= 999.9995e6) return six_digits(hertz / 1e9) + " GHz";
  if (hertz >= 999.9995e3) return six_digits(hertz / 1e6) + " MHz";
  if (hertz >= 999.9995) return six_digits(hertz / 1e3) + " kHz";
  return six_digits(hertz) + " Hz";
}

std::string format_count(std::uint64_t count) {
  const std::string digits = fmt::format("{}", count);
  std::string spaced;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) spaced += ' ';
    spaced += digits[i];
  }
  return spaced;
}

}  // namespace accelscope::base
