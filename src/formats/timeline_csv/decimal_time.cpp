#include "formats/timeline_csv/decimal_time.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/units.h"

namespace accelscope::formats::timeline_csv {
namespace {

constexpr int kMantissaDigits = 18;  // always fit 64 bits; what follows is far below a double's precision
constexpr int kMaxExponent = 10'000;

constexpr std::array<std::uint64_t, 20> make_powers_of_ten() {
  std::array<std::uint64_t, 20> powers{};
  std::uint64_t power = 1;
  for (std::uint64_t& entry : powers) {
    entry = power;
    power *= 10;  // the last product wraps and is not used
  }
  return powers;
}
constexpr std::array<std::uint64_t, 20> kPowersOfTen = make_powers_of_ten();

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Spellings of "no value" that spreadsheets and data frames leave behind.
bool stands_for_missing(std::string_view text) {
  std::array<char, 10> lower{};
  if (text.size() >= lower.size()) return false;
  std::transform(text.begin(), text.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  std::string_view word(lower.data(), text.size());
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  return word.empty() || word == "nan" || word == "inf" || word == "infinity" || word == "none" ||
         word == "null" || word == "n/a" || word == "na";
}

struct Decimal {
  bool negative = false;
  std::uint64_t mantissa = 0;
  int exponent = 0;  // the value is mantissa * 10^exponent
};

// Reads digits into the mantissa; says how many there were.
std::size_t read_digits(std::string_view text, std::size_t at, Decimal& number, int& significant,
                        bool fraction) {
  std::size_t digits = 0;
  for (; at + digits < text.size() && is_digit(text[at + digits]); ++digits) {
    if (significant < kMantissaDigits) {
      number.mantissa = number.mantissa * 10 + static_cast<std::uint64_t>(text[at + digits] - '0');
      if (number.mantissa != 0) ++significant;
      if (fraction) --number.exponent;
    } else if (!fraction && number.exponent < kMaxExponent) {
      ++number.exponent;
    }
  }
  return digits;
}

bool read_exponent(std::string_view text, std::size_t at, Decimal& number) {
  bool negative = false;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) negative = text[at++] == '-';
  if (at == text.size()) return false;
  int exponent = 0;
  for (; at < text.size(); ++at) {
    if (!is_digit(text[at])) return false;
    exponent = std::min(exponent * 10 + (text[at] - '0'), kMaxExponent);
  }
  number.exponent += negative ? -exponent : exponent;
  return true;
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal number;
  std::size_t at = 0;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) number.negative = text[at++] == '-';
  int significant = 0;
  std::size_t digits = read_digits(text, at, number, significant, false);
  at += digits;
  if (at < text.size() && text[at] == '.') {
    const std::size_t decimals = read_digits(text, at + 1, number, significant, true);
    digits += decimals;
    at += 1 + decimals;
  }
  if (digits == 0) return std::nullopt;
  if (at == text.size()) return number;
  if (text[at] != 'e' && text[at] != 'E') return std::nullopt;
  if (!read_exponent(text, at + 1, number)) return std::nullopt;
  return number;
}

// The whole and the broken part of a number without its sign.
DecimalTime split(const Decimal& number) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  constexpr int kPowers = static_cast<int>(kPowersOfTen.size());
  if (number.mantissa == 0) return {DecimalState::kNumber, 0, 0};
  if (number.exponent >= 0) {
    if (number.exponent >= kPowers) return {DecimalState::kOutOfRange, 0, 0};
    const std::uint64_t power = kPowersOfTen[static_cast<std::size_t>(number.exponent)];
    if (number.mantissa > kMax / power) return {DecimalState::kOutOfRange, 0, 0};
    return {DecimalState::kNumber, static_cast<std::int64_t>(number.mantissa * power), 0};
  }
  if (-number.exponent >= kPowers) {
    const double tiny = static_cast<double>(number.mantissa) * std::pow(10.0, number.exponent);
    return {DecimalState::kNumber, 0, tiny};
  }
  const std::uint64_t power = kPowersOfTen[static_cast<std::size_t>(-number.exponent)];
  const std::uint64_t whole = number.mantissa / power;
  const double fraction = static_cast<double>(number.mantissa - whole * power) / static_cast<double>(power);
  return {DecimalState::kNumber, static_cast<std::int64_t>(whole), fraction};
}

// Keeps the fraction between 0 and 1 and the whole part rounded down.
DecimalTime negated(DecimalTime time) {
  time.nanoseconds = -time.nanoseconds;
  if (time.fraction > 0) {
    time.nanoseconds -= 1;
    time.fraction = 1 - time.fraction;
  }
  return time;
}

}  // namespace

DecimalTime parse_decimal_time(std::string_view text, DecimalUnit unit) {
  std::optional<Decimal> number = parse_decimal(text);
  if (!number) {
    text = trimmed(text);
    if (stands_for_missing(text)) return {DecimalState::kMissing, 0, 0};
    number = parse_decimal(text);
    if (!number) return {DecimalState::kBad, 0, 0};
  }
  number->exponent += static_cast<int>(unit);
  const DecimalTime time = split(*number);
  return number->negative && time.state == DecimalState::kNumber ? negated(time) : time;
}

DecimalTime difference(const DecimalTime& from, const DecimalTime& to) {
  std::int64_t whole = 0;
  if (__builtin_sub_overflow(to.nanoseconds, from.nanoseconds, &whole) ||
      whole == std::numeric_limits<std::int64_t>::min())
    return {DecimalState::kOutOfRange, 0, 0};
  double fraction = to.fraction - from.fraction;
  if (fraction < 0) {
    fraction += 1;
    whole -= 1;
  }
  return {DecimalState::kNumber, whole, fraction};
}

double double_noise(const DecimalTime& largest) {
  // Four units in the last place, for the few operations between the clock's integer and the file's text.
  constexpr double kRelative = 4 * std::numeric_limits<double>::epsilon();
  return 1e-6 + std::fabs(static_cast<double>(largest.nanoseconds)) * kRelative;
}

void snap_to_nanosecond(DecimalTime& time, double noise) {
  if (time.fraction == 0) return;
  if (time.fraction >= std::max(1 - noise, 0.5) &&
      time.nanoseconds < std::numeric_limits<std::int64_t>::max()) {
    time.nanoseconds += 1;
    time.fraction = 0;
  } else if (time.fraction <= noise) {
    time.fraction = 0;
  }
}

Integer parse_integer(std::string_view text) {
  const DecimalTime number = parse_decimal_time(text, DecimalUnit::kNanosecond);
  if (number.state != DecimalState::kNumber) return {number.state, 0};
  if (number.fraction != 0) return {DecimalState::kBad, 0};
  if (number.nanoseconds < std::numeric_limits<std::int32_t>::min() ||
      number.nanoseconds > std::numeric_limits<std::int32_t>::max())
    return {DecimalState::kOutOfRange, 0};
  return {DecimalState::kNumber, static_cast<std::int32_t>(number.nanoseconds)};
}

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

}  // namespace accelscope::formats::timeline_csv
