#include "formats/timeline_csv/python_float.h"

#include <array>
#include <charconv>
#include <cmath>

namespace accelscope::formats::timeline_csv {
namespace {

// Below and from these powers of ten on, Python writes an exponent.
constexpr double kSmallestPlain = 1e-4;
constexpr double kSmallestLarge = 1e16;

}  // namespace

std::string python_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const double size = std::fabs(value);
  const bool plain = size == 0 || (size >= kSmallestPlain && size < kSmallestLarge);
  std::array<char, 40> buffer{};
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format);
  std::string text(buffer.data(), written.ptr);
  if (plain && text.find('.') == std::string::npos) text += ".0";
  return text;
}

}  // namespace accelscope::formats::timeline_csv
