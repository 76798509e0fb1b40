#include "base/human.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

namespace accelscope::base {
namespace {

// A decimal number kept exactly: digits without the point, and how many of them stood behind it.
struct Decimal {
  std::int64_t digits = 0;
  std::int64_t scale = 1;  // the value is digits / scale
  std::string_view unit;   // what followed, without surrounding spaces
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Result<Decimal> parse_decimal(std::string_view text, std::string_view what) {
  const std::string_view whole = text;
  text = trim(text);
  Decimal number;
  bool seen_point = false;
  bool seen_digit = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.' && !seen_point) {
      seen_point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    seen_digit = true;
    if (__builtin_mul_overflow(number.digits, 10, &number.digits) ||
        __builtin_add_overflow(number.digits, c - '0', &number.digits) ||
        (seen_point && __builtin_mul_overflow(number.scale, 10, &number.scale)))
      return fail(ErrorCode::kUsage, "'{}' has too many digits for {}", whole, what);
  }
  if (!seen_digit) return fail(ErrorCode::kUsage, "'{}' is not {}", whole, what);
  number.unit = trim(text.substr(i));
  return number;
}

struct UnitFactor {
  std::string_view name;
  std::int64_t factor;
};

Result<std::int64_t> scaled(const Decimal& number, std::span<const UnitFactor> units, std::string_view whole,
                            std::string_view what, std::string_view expected) {
  for (const UnitFactor& unit : units) {
    if (unit.name != number.unit) continue;
    const Int128 value = static_cast<Int128>(number.digits) * unit.factor / number.scale;
    if (value > std::numeric_limits<std::int64_t>::max())
      return fail(ErrorCode::kUsage, "'{}' is too large for {}", whole, what);
    return static_cast<std::int64_t>(value);
  }
  return fail(ErrorCode::kUsage, "'{}' has no unit that {} can have; write for example {}", whole, what,
              expected);
}

constexpr std::int64_t kKibi = 1024;
constexpr std::array<UnitFactor, 19> kSizeUnits{{{"", 1},
                                                 {"B", 1},
                                                 {"K", kKibi},
                                                 {"KiB", kKibi},
                                                 {"Ki", kKibi},
                                                 {"kB", 1'000},
                                                 {"KB", 1'000},
                                                 {"M", kKibi* kKibi},
                                                 {"MiB", kKibi* kKibi},
                                                 {"Mi", kKibi* kKibi},
                                                 {"MB", 1'000'000},
                                                 {"G", kKibi* kKibi* kKibi},
                                                 {"GiB", kKibi* kKibi* kKibi},
                                                 {"Gi", kKibi* kKibi* kKibi},
                                                 {"GB", 1'000'000'000},
                                                 {"T", kKibi* kKibi* kKibi* kKibi},
                                                 {"TiB", kKibi* kKibi* kKibi* kKibi},
                                                 {"Ti", kKibi* kKibi* kKibi* kKibi},
                                                 {"TB", 1'000'000'000'000}}};

constexpr std::array<UnitFactor, 9> kDurationUnits{{{"", 1},
                                                    {"ns", 1},
                                                    {"us", 1'000},
                                                    {"µs", 1'000},
                                                    {"ms", 1'000'000},
                                                    {"s", 1'000'000'000},
                                                    {"m", 60'000'000'000},
                                                    {"min", 60'000'000'000},
                                                    {"h", 3'600'000'000'000}}};

constexpr std::array<UnitFactor, 8> kFrequencyUnits{{{"", 1},
                                                     {"Hz", 1},
                                                     {"kHz", 1'000},
                                                     {"KHz", 1'000},
                                                     {"k", 1'000},
                                                     {"MHz", 1'000'000},
                                                     {"M", 1'000'000},
                                                     {"GHz", 1'000'000'000}}};

// Three digits behind the point at most, none that are zero for nothing: "1.5 KiB", "16 MiB".
std::string short_decimal(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

Result<Bytes> parse_size(std::string_view text) {
  ACCELSCOPE_TRY(const Decimal number, parse_decimal(text, "a size"));
  ACCELSCOPE_TRY(const std::int64_t bytes,
                 scaled(number, kSizeUnits, text, "a size", "512M, 1.5GiB or 4096"));
  return Bytes{bytes};
}

std::string format_size(Bytes size) {
  static constexpr std::array<std::string_view, 6> kNames{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(size.value);
  std::size_t unit = 0;
  while (std::abs(value) >= 1024.0 && unit + 1 < kNames.size()) {
    value /= 1024.0;
    ++unit;
  }
  return fmt::format("{} {}", short_decimal(value), kNames[unit]);
}

Result<Nanoseconds> parse_duration(std::string_view text) {
  ACCELSCOPE_TRY(const Decimal number, parse_decimal(text, "a duration"));
  ACCELSCOPE_TRY(const std::int64_t value,
                 scaled(number, kDurationUnits, text, "a duration", "10ms, 1.5s or 200us"));
  return Nanoseconds{value};
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
  if (size < 999'950) return with_unit(value / 1e3, "µs");
  if (size < 999'950'000) return with_unit(value / 1e6, "ms");
  if (size < 120e9) return with_unit(value / 1e9, "s");
  const auto seconds = static_cast<std::int64_t>(std::llround(size / 1e9));
  const std::string_view sign = value < 0 ? "-" : "";
  if (seconds < 7200) return fmt::format("{}{} min {} s", sign, seconds / 60, seconds % 60);
  return fmt::format("{}{} h {} min", sign, seconds / 3600, seconds % 3600 / 60);
}

Result<Frequency> parse_frequency(std::string_view text) {
  ACCELSCOPE_TRY(const Decimal number, parse_decimal(text, "a frequency"));
  for (const UnitFactor& unit : kFrequencyUnits) {
    if (unit.name != number.unit) continue;
    std::int64_t ticks = 0;
    if (__builtin_mul_overflow(number.digits, unit.factor, &ticks))
      return fail(ErrorCode::kUsage, "'{}' is too large for a frequency", text);
    if (ticks == 0) return fail(ErrorCode::kUsage, "a frequency of zero has no ticks");
    return Frequency{ticks, number.scale}.reduced();
  }
  return fail(ErrorCode::kUsage, "'{}' is not a frequency; write for example 50MHz, 1.2GHz or 32768", text);
}

std::string format_frequency(Frequency frequency) {
  if (!frequency.known()) return "unknown unit";
  const double hertz = static_cast<double>(frequency.ticks) / static_cast<double>(frequency.seconds);
  if (hertz >= 1e9) return fmt::format("{:.6g} GHz", hertz / 1e9);
  if (hertz >= 1e6) return fmt::format("{:.6g} MHz", hertz / 1e6);
  if (hertz >= 1e3) return fmt::format("{:.6g} kHz", hertz / 1e3);
  return fmt::format("{:.6g} Hz", hertz);
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
