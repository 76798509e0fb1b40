// Strong units. A bare integer never stands for a time or a size in an interface: most defects of profilers
// are unit defects.
//
// Ticks mean nothing without their clock domain (trace/clock.h); Nanoseconds are what viewers draw;
// Picoseconds are what models of hardware count; Cycles are ticks of a core; Bytes are bytes. All are trivial
// values of eight bytes.
//
//   Ticks elapsed = end - start;
//   Nanoseconds time = Frequency::mhz(50).to_nanoseconds(elapsed);   // rounds down, also below zero
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>

namespace accelscope::base {

template <class Tag>
struct Quantity {
  std::int64_t value = 0;

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity operator-() const { return {-value}; }
  constexpr Quantity& operator+=(Quantity other) {
    value += other.value;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value -= other.value;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend constexpr Quantity operator*(Quantity a, std::int64_t factor) { return {a.value * factor}; }

  static constexpr Quantity max() { return {std::numeric_limits<std::int64_t>::max()}; }
  static constexpr Quantity min() { return {std::numeric_limits<std::int64_t>::min()}; }
};

using Ticks = Quantity<struct TicksTag>;
using Nanoseconds = Quantity<struct NanosecondsTag>;
using Picoseconds = Quantity<struct PicosecondsTag>;
using Cycles = Quantity<struct CyclesTag>;
using Bytes = Quantity<struct BytesTag>;
using BytesPerSecond = Quantity<struct BytesPerSecondTag>;

__extension__ using Int128 = __int128;

// Division that rounds towards minus infinity, so that rounding keeps the order of any two times.
constexpr std::int64_t floor_divide(Int128 numerator, Int128 denominator) {
  const Int128 quotient = numerator / denominator;
  const bool round_down = (numerator % denominator != 0) && ((numerator < 0) != (denominator < 0));
  const Int128 result = round_down ? quotient - 1 : quotient;
  constexpr Int128 kMax = std::numeric_limits<std::int64_t>::max();
  constexpr Int128 kMin = std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(result > kMax ? kMax : result < kMin ? kMin : result);
}

// Ticks per second as a ratio of integers: DDR4-2400's tick is 833 1/3 ps, which no integer of picoseconds
// can hold. Zero ticks per second stands for "the unit of this clock is unknown".
struct Frequency {
  std::int64_t ticks = 0;
  std::int64_t seconds = 1;

  static constexpr Frequency unknown() { return {}; }
  static constexpr Frequency hz(std::int64_t ticks_per_second) { return {ticks_per_second, 1}; }
  static constexpr Frequency khz(std::int64_t value) { return {value * 1'000, 1}; }
  static constexpr Frequency mhz(std::int64_t value) { return {value * 1'000'000, 1}; }
  static constexpr Frequency nanoseconds() { return {1'000'000'000, 1}; }

  constexpr bool known() const { return ticks > 0 && seconds > 0; }
  constexpr bool is_nanoseconds() const { return ticks == 1'000'000'000 && seconds == 1; }
  constexpr bool operator==(const Frequency& other) const {
    return static_cast<Int128>(ticks) * other.seconds == static_cast<Int128>(other.ticks) * seconds;
  }

  // Lowest terms, so that equal frequencies print alike.
  constexpr Frequency reduced() const {
    const std::int64_t divisor = std::gcd(ticks, seconds);
    return divisor > 1 ? Frequency{ticks / divisor, seconds / divisor} : *this;
  }

  // Rounds down, and stops at the ends of the range. An unknown unit is drawn as one nanosecond per tick;
  // callers say so in Quality.
  constexpr Nanoseconds to_nanoseconds(Ticks time) const {
    if (is_nanoseconds() || !known()) return {time.value};
    // 2^63 * 10^9 * 10^10 is just below 2^127; a slower clock takes the long way.
    if (seconds > 10'000'000'000) return {slow_to_nanoseconds(time)};
    return {floor_divide(static_cast<Int128>(time.value) * 1'000'000'000 * seconds, ticks)};
  }
  constexpr Ticks from_nanoseconds(Nanoseconds time) const {
    if (is_nanoseconds() || !known()) return {time.value};
    return {
        floor_divide(static_cast<Int128>(time.value) * ticks, static_cast<Int128>(1'000'000'000) * seconds)};
  }
  // For figures shown to people; never for arithmetic that must be exact.
  constexpr double to_seconds(Ticks time) const {
    return known()
               ? static_cast<double>(time.value) * static_cast<double>(seconds) / static_cast<double>(ticks)
               : static_cast<double>(time.value) * 1e-9;
  }

 private:
  // Whole seconds and the rest apart, so that no product exceeds 128 bits.
  constexpr std::int64_t slow_to_nanoseconds(Ticks time) const {
    const Int128 scaled_time = static_cast<Int128>(time.value) * seconds;
    const std::int64_t whole_seconds = floor_divide(scaled_time, ticks);
    if (whole_seconds == std::numeric_limits<std::int64_t>::max() ||
        whole_seconds == std::numeric_limits<std::int64_t>::min())
      return whole_seconds;
    const Int128 rest = scaled_time - static_cast<Int128>(whole_seconds) * ticks;
    const Int128 nanoseconds_of_rest = rest * 1'000'000'000 / ticks;
    return floor_divide(static_cast<Int128>(whole_seconds) * 1'000'000'000 + nanoseconds_of_rest, 1);
  }
};

// a + b, or nothing when the sum does not fit.
constexpr std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

}  // namespace accelscope::base
