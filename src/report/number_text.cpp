#include "report/number_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/plain_text.h"

namespace accelscope::report {
namespace {

constexpr int kMostDecimals = 9;
// Where more decimals for a small number end.
constexpr int kLastDecimal = 6;
constexpr std::size_t kLongestUnit = 8;

bool looks_like_zero(std::string_view digits) {
  return digits.find_first_of("123456789") == std::string_view::npos;
}

bool is_time(std::string_view unit) {
  constexpr std::array<std::string_view, 4> kTimes{"s", "ms", "us", "\u00B5s"};
  return std::find(kTimes.begin(), kTimes.end(), unit) != kTimes.end();
}

}  // namespace

std::string number_text(double value, int decimals) {
  if (!std::isfinite(value)) return std::string(kAbsent);
  constexpr double kTooLong = 1e15;
  if (std::abs(value) >= kTooLong) return fmt::format("{:.6g}", value);
  decimals = std::clamp(decimals, 0, kMostDecimals);
  if (value == 0) return fmt::format("{:.{}f}", 0.0, decimals);  // and not "-0.000"
  std::string digits = fmt::format("{:.{}f}", value, decimals);
  if (!looks_like_zero(digits)) return digits;
  for (int more = decimals + 1; more <= kLastDecimal; ++more) {
    if (looks_like_zero(fmt::format("{:.{}f}", value, more))) continue;
    digits = fmt::format("{:.{}f}", value, std::min(more + 1, kLastDecimal));
    digits.erase(digits.find_last_not_of('0') + 1);
    return digits;
  }
  const double least = std::pow(10.0, -std::max(decimals, kLastDecimal));
  const std::string bound = fmt::format("{:.{}f}", least, std::max(decimals, kLastDecimal));
  return value > 0 ? "<" + bound : ">-" + bound;
}

std::string quantity_text(double value, std::string_view unit, int decimals) {
  std::string text = number_text(value, decimals);
  if (unit.empty() || !std::isfinite(value)) return text;
  if (unit != "x") text += ' ';
  return text + shortened(one_line(unit), kLongestUnit);
}

int decimals_for(double value, std::string_view unit) {
  if (unit == "%") return 1;
  if (unit == "x") return 2;
  const double size = std::abs(value);
  if (!is_time(unit) && value == std::floor(value)) return 0;
  if (unit == "ns" || unit == "ticks" || unit == "cycles" || size >= 10'000) return 1;
  return size < 1'000 ? 3 : 2;
}

std::string value_text(const findings::Metric& metric) {
  if (!metric.value) return std::string(kAbsent);
  return quantity_text(*metric.value, metric.unit, decimals_for(*metric.value, metric.unit));
}

std::string interval_text(const findings::Interval& interval, int decimals) {
  return fmt::format("[{}, {}]", number_text(interval.low, decimals), number_text(interval.high, decimals));
}

std::string level_text(double level) {
  // Down to a hundredth of a percent: "95 %", "99.9 %".
  return std::isfinite(level) ? fmt::format("{:.4g} %", 100 * level) : std::string(kAbsent);
}

std::string cell_text(const findings::Cell& cell, const findings::Column& column) {
  using findings::ColumnKind;
  const std::string_view unit = column.kind == ColumnKind::kPercent ? "%"
                                : column.kind == ColumnKind::kRatio ? "x"
                                                                    : "";
  if (const auto* text = std::get_if<std::string>(&cell)) return one_line(*text);
  if (const auto* real = std::get_if<double>(&cell)) return quantity_text(*real, unit, column.decimals);
  const auto* integer = std::get_if<std::int64_t>(&cell);
  if (integer == nullptr) return std::string(kAbsent);
  if (unit.empty()) return fmt::format("{}", *integer);
  return quantity_text(static_cast<double>(*integer), unit, column.decimals);
}

std::string gain_text(const findings::Gain& gain) {
  // A bound needs fewer digits than a measurement, but enough to tell before from after.
  constexpr int kMostDecimalsOfGains = 5;
  const bool is_small = std::min(std::abs(gain.before), std::abs(gain.after)) < 0.1;
  int decimals = 0;
  for (const double value : {gain.before, gain.after})
    if (std::isfinite(value)) decimals = std::max(decimals, decimals_for(value, gain.unit));
  decimals = std::min(decimals, is_small ? 3 : 2);
  while (decimals < kMostDecimalsOfGains && gain.before != gain.after &&
         number_text(gain.before, decimals) == number_text(gain.after, decimals))
    ++decimals;
  std::string text = fmt::format("{} -> {} at most", quantity_text(gain.before, gain.unit, decimals),
                                 quantity_text(gain.after, gain.unit, decimals));
  if (!gain.basis.empty()) text += fmt::format(" ({})", one_line(gain.basis));
  return text;
}

}  // namespace accelscope::report
