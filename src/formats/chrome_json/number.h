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
#include <cstring>
#include <optional>
#include <string_view>

#include "base/digits.h"
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

// `bits` is an int64, a uint64 or a double as the answer says.
NumberKind parse_number(std::string_view token, std::uint64_t& bits);

// The value of up to 16 digits. False when there is anything else. 8 bytes from `digits` on must be readable,
// also when there are fewer digits.
inline bool parse_padded_digits(const char* digits, std::size_t count, std::uint64_t& value) {
  constexpr std::uint64_t kZeros = 0x3030303030303030U;
  const auto parse_eight = [](std::uint64_t eight, std::uint64_t& result) {
    const std::uint64_t above_nine = (eight + 0x4646464646464646U) | (eight - kZeros);
    result = base::number_of_eight(eight ^ kZeros);
    return (above_nine & 0x8080808080808080U) == 0;
  };
  std::uint64_t high = 0;
  if (count > 8) {
    std::memcpy(&high, digits, sizeof high);
    if (!parse_eight(high, high)) return false;
    digits += 8;
    count -= 8;
  }
  if (count == 0 || count > 8) return false;
  std::uint64_t low = 0;
  std::memcpy(&low, digits, sizeof low);
  // The digits move to the end, behind zeros.
  if (count < 8) low = (low << (64U - 8U * count)) | (kZeros >> (8U * count));
  if (!parse_eight(low, low)) return false;
  value = high * base::kPowersOfTen[count] + low;
  return true;
}

// An integer of up to 15 digits, without a needless zero before them. Padded as above.
inline bool parse_short_integer(std::string_view token, std::uint64_t& bits) {
  constexpr std::size_t kMaxDigits = 15;
  const bool negative = token.front() == '-';
  const char* const digits = token.data() + (negative ? 1 : 0);
  const std::size_t count = token.size() - (negative ? 1 : 0);
  if (count > kMaxDigits || (*digits == '0' && token.size() > 1)) return false;
  if (!parse_padded_digits(digits, count, bits)) return false;
  if (negative) bits = ~bits + 1;
  return true;
}

// A time below the nanosecond: `nanoseconds` is rounded down and `billionths` of one are what that left.
struct PreciseTime {
  std::int64_t nanoseconds = 0;
  std::uint32_t billionths = 0;
};

// Times are accepted up to 146 years from zero, so that the difference of any two fits 64 bits.
inline constexpr std::int64_t kMaxNanoseconds = std::int64_t{1} << 62U;

enum class TimeOutcome : std::uint8_t { kParsed, kOutOfRange, kMalformed };

TimeOutcome parse_microseconds(std::string_view token, PreciseTime& time);

// A time of up to 15 digits before the point and three or none behind it, as most are. Padded as above.
inline bool parse_short_microseconds(std::string_view token, PreciseTime& time) {
  constexpr std::size_t kMaxDigits = 15;
  const bool negative = token.front() == '-';
  const char* const digits = token.data() + (negative ? 1 : 0);
  const std::size_t size = token.size() - (negative ? 1 : 0);
  const bool has_decimals = size > 4 && digits[size - 4] == '.';
  const std::size_t integer_size = has_decimals ? size - 4 : size;
  std::uint64_t integer = 0;
  std::uint64_t fraction = 0;
  if (integer_size > kMaxDigits || (*digits == '0' && integer_size > 1)) return false;
  if (!parse_padded_digits(digits, integer_size, integer)) return false;
  if (has_decimals && !parse_padded_digits(digits + size - 3, 3, fraction)) return false;
  const auto value = static_cast<std::int64_t>(integer * 1000 + fraction);
  time = {negative ? -value : value, 0};
  return true;
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
