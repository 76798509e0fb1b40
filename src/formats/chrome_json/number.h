// Numbers of JSON without a detour through double: integers of 64 bits, and microseconds with decimals as
// exact nanoseconds.
//
// Pure functions, safe from any thread.
//
//   PreciseTime time;
//   parse_microseconds("1234567890.1234", time);   // kParsed: 1234567890123 ns and 400 000 000 billionths
//   Ticks start = rounded(time);                   // 1234567890123
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/units.h"

namespace accelscope::formats::chrome_json {

enum class NumberKind : std::uint8_t {
  kInt,
  kUint,     // beyond an int64
  kDouble,   // the bits of a double
  kTooWide,  // a number that no 64-bit type holds
  kMalformed,
};

// Exactly JSON's grammar: no plus sign, no leading zeros, no "NaN".
bool is_json_number(std::string_view token);

NumberKind parse_general_number(std::string_view token, std::uint64_t& bits);

// `bits` is an int64, a uint64 or a double as the answer says.
inline NumberKind parse_number(std::string_view token, std::uint64_t& bits) {
  constexpr std::size_t kSafeDigits = 18;
  const bool negative = !token.empty() && token.front() == '-';
  const std::string_view digits = negative ? token.substr(1) : token;
  if (digits.empty() || digits.size() > kSafeDigits || (digits.front() == '0' && token.size() > 1))
    return parse_general_number(token, bits);
  std::uint64_t value = 0;
  for (const char c : digits) {
    const auto digit = static_cast<unsigned>(static_cast<unsigned char>(c)) - '0';
    if (digit > 9) return parse_general_number(token, bits);
    value = value * 10 + digit;
  }
  bits = negative ? ~value + 1 : value;
  return NumberKind::kInt;
}

// A time below the nanosecond: `nanoseconds` is rounded down and `billionths` of one are what that left.
struct PreciseTime {
  std::int64_t nanoseconds = 0;
  std::uint32_t billionths = 0;
};

// Times are accepted up to 146 years from zero, so that the difference of any two fits 64 bits.
inline constexpr std::int64_t kMaxNanoseconds = std::int64_t{1} << 62U;

enum class TimeOutcome : std::uint8_t { kParsed, kOutOfRange, kMalformed };

TimeOutcome parse_general_microseconds(std::string_view token, PreciseTime& time);

inline TimeOutcome parse_microseconds(std::string_view token, PreciseTime& time) {
  constexpr std::ptrdiff_t kSafeDigits = 15;
  const char* at = token.data();
  const char* const end = at + token.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  const char* const integer = at;
  std::int64_t value = 0;
  while (at != end && static_cast<unsigned>(static_cast<unsigned char>(*at)) - '0' <= 9U)
    value = value * 10 + (*at++ - '0');
  const std::ptrdiff_t integer_digits = at - integer;
  if (integer_digits == 0 || integer_digits > kSafeDigits || (*integer == '0' && integer_digits > 1))
    return parse_general_microseconds(token, time);
  value *= 1000;
  if (at != end) {
    const std::ptrdiff_t decimals = end - at - 1;
    if (*at != '.' || decimals < 1 || decimals > 3) return parse_general_microseconds(token, time);
    std::int64_t weight = 100;
    for (++at; at != end; ++at, weight /= 10) {
      const int digit = *at - '0';
      if (digit < 0 || digit > 9) return parse_general_microseconds(token, time);
      value += digit * weight;
    }
  }
  time = {negative ? -value : value, 0};
  return TimeOutcome::kParsed;
}

// To the nearest nanosecond; halves go up, so that the order of any two times stays.
constexpr base::Ticks rounded(const PreciseTime& time) {
  constexpr std::uint32_t kHalf = 500'000'000;
  return {time.billionths >= kHalf ? time.nanoseconds + 1 : time.nanoseconds};
}

// Exact; nothing when the sum is beyond what is accepted.
constexpr std::optional<PreciseTime> sum(const PreciseTime& a, const PreciseTime& b) {
  constexpr std::uint32_t kOne = 1'000'000'000;
  const std::uint32_t billionths = a.billionths + b.billionths;
  const bool carry = billionths >= kOne;
  const auto whole = base::checked_add(a.nanoseconds, b.nanoseconds + (carry ? 1 : 0));
  if (!whole || *whole >= kMaxNanoseconds || *whole <= -kMaxNanoseconds) return std::nullopt;
  return PreciseTime{*whole, carry ? billionths - kOne : billionths};
}

}  // namespace accelscope::formats::chrome_json
