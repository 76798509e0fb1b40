// Decimal text to exact integer time, without a double in between: 426.786 µs are 426 786 ns.
//
// The tools that write these files compute with doubles, so 14 µs may appear as 0.014000000000000234 ms. What
// lies within the rounding of such a computation is taken for the whole nanosecond it stands for; anything
// else keeps picoseconds. Pure; safe from any thread.
//
//   DecimalTime start = parse_decimal_time("426.786", kMicrosecond);     // start.nanoseconds == 426786
//   snap_to_nanosecond(start, double_noise(start));
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace accelscope::formats::timeline_csv {

enum class DecimalState : std::uint8_t {
  kNumber,
  kMissing,     // empty, "nan", "inf"
  kBad,         // not a number
  kOutOfRange,  // beyond what 64 bits of nanoseconds hold
};

struct DecimalTime {
  DecimalState state = DecimalState::kMissing;
  std::int64_t nanoseconds = 0;  // rounded down
  double fraction = 0;           // of a nanosecond, from 0 up to 1
};

// How many powers of ten a unit is above the nanosecond.
enum class DecimalUnit : std::uint8_t { kNanosecond = 0, kMicrosecond = 3, kMillisecond = 6 };

DecimalTime parse_decimal_time(std::string_view text, DecimalUnit unit);
// to - from, both numbers; out of range when the difference is.
DecimalTime difference(const DecimalTime& from, const DecimalTime& to);

// How far, in nanoseconds, a computation in doubles with times of this size may be off.
double double_noise(const DecimalTime& largest);
// Removes a fraction that is within the noise of a whole nanosecond.
void snap_to_nanosecond(DecimalTime& time, double noise);

struct Integer {
  DecimalState state = DecimalState::kMissing;
  std::int32_t value = 0;
};
// "12"; also "12.0", which is how data frames write integers once a cell of the column was empty.
Integer parse_integer(std::string_view text);

// An ordinary number for people, or nothing for text.
std::optional<double> parse_number(std::string_view text);

}  // namespace accelscope::formats::timeline_csv
