#include "formats/chrome_json/number.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace accelscope::formats::chrome_json {
namespace {

// A JSON number taken apart. Views into the token.
struct Decimal {
  bool negative = false;
  std::string_view integer;
  std::string_view fraction;
  std::string_view exponent;  // with its sign
};

std::string_view take_digits(std::string_view& rest) {
  std::size_t count = 0;
  while (count < rest.size() && rest[count] >= '0' && rest[count] <= '9') ++count;
  const std::string_view digits = rest.substr(0, count);
  rest.remove_prefix(digits.size());
  return digits;
}

std::optional<Decimal> split_number(std::string_view token) {
  Decimal number;
  number.negative = token.starts_with('-');
  if (number.negative) token.remove_prefix(1);
  number.integer = take_digits(token);
  if (number.integer.empty() || (number.integer.size() > 1 && number.integer.front() == '0'))
    return std::nullopt;
  if (token.starts_with('.')) {
    token.remove_prefix(1);
    number.fraction = take_digits(token);
    if (number.fraction.empty()) return std::nullopt;
  }
  if (token.starts_with('e') || token.starts_with('E')) {
    token.remove_prefix(1);
    const std::size_t sign = token.starts_with('+') || token.starts_with('-') ? 1 : 0;
    number.exponent = token;
    token.remove_prefix(sign);
    if (take_digits(token).empty()) return std::nullopt;
  }
  if (!token.empty()) return std::nullopt;
  return number;
}

// Clamped: the answer is the same for every exponent beyond any digits that a file of 4 GB can have.
std::int64_t exponent_value(std::string_view exponent) {
  constexpr std::int64_t kBeyondAll = std::int64_t{1} << 40;
  const bool negative = exponent.starts_with('-');
  if (negative || exponent.starts_with('+')) exponent.remove_prefix(1);
  std::int64_t value = 0;
  for (const char c : exponent) value = std::min(value * 10 + (c - '0'), kBeyondAll);
  return negative ? -value : value;
}

template <class Integer>
bool parse_integer(std::string_view token, Integer& value) {
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  return error == std::errc() && end == token.data() + token.size();
}

}  // namespace

bool is_json_number(std::string_view token) {
  return split_number(token).has_value();
}

NumberKind parse_number(std::string_view token, std::uint64_t& bits) {
  const auto number = split_number(token);
  if (!number) return NumberKind::kMalformed;
  // Only a double has a negative zero.
  const bool negative_zero = number->negative && number->integer == "0";
  if (number->fraction.empty() && number->exponent.empty() && !negative_zero) {
    std::int64_t value = 0;
    if (parse_integer(token, value)) {
      bits = static_cast<std::uint64_t>(value);
      return NumberKind::kInt;
    }
    return parse_integer(token, bits) ? NumberKind::kUint : NumberKind::kTooWide;
  }
  double value = 0;
  if (!parse_integer(token, value)) return NumberKind::kTooWide;
  bits = std::bit_cast<std::uint64_t>(value);
  return NumberKind::kDouble;
}

TimeOutcome parse_microseconds(std::string_view token, PreciseTime& time) {
  // The number is counted in units of 10^-12 µs, a billionth of a nanosecond; 28 digits hold every time
  // that is accepted.
  constexpr std::int64_t kUnitDigits = 12;
  constexpr std::int64_t kMaxDigits = 28;
  constexpr std::int64_t kUnitsPerNanosecond = 1'000'000'000;
  const auto number = split_number(token);
  if (!number) return TimeOutcome::kMalformed;
  const auto digit_count = static_cast<std::int64_t>(number->integer.size() + number->fraction.size());
  const auto digit_at = [&](std::int64_t i) {
    const auto position = static_cast<std::size_t>(i);
    const std::size_t integer_size = number->integer.size();
    return position < integer_size ? number->integer[position] : number->fraction[position - integer_size];
  };
  std::int64_t first = 0;
  while (first < digit_count && digit_at(first) == '0') ++first;
  time = {};
  if (first == digit_count) return TimeOutcome::kParsed;
  // Digits before `whole_end` count whole units; it may lie behind the last digit.
  const std::int64_t whole_end =
      static_cast<std::int64_t>(number->integer.size()) + exponent_value(number->exponent) + kUnitDigits;
  if (whole_end - first > kMaxDigits) return TimeOutcome::kOutOfRange;
  base::Int128 units = 0;
  for (std::int64_t i = first; i < whole_end; ++i)
    units = units * 10 + (i < digit_count ? digit_at(i) - '0' : 0);
  bool more = false;
  for (std::int64_t i = std::max(first, whole_end); i < digit_count && !more; ++i) more = digit_at(i) != '0';
  // Rounded down, so a negative number with digits left over is one unit further from zero.
  if (number->negative) units = -units - (more ? 1 : 0);
  constexpr base::Int128 kMaxUnits = static_cast<base::Int128>(kMaxNanoseconds) * kUnitsPerNanosecond;
  if (units <= -kMaxUnits || units >= kMaxUnits) return TimeOutcome::kOutOfRange;
  time.nanoseconds = base::floor_divide(units, kUnitsPerNanosecond);
  time.billionths =
      static_cast<std::uint32_t>(units - static_cast<base::Int128>(time.nanoseconds) * kUnitsPerNanosecond);
  return TimeOutcome::kParsed;
}

}  // namespace accelscope::formats::chrome_json
