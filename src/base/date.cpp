#include "base/date.h"

#include <fmt/chrono.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace accelscope::base {

std::chrono::system_clock::time_point report_time() {
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH"); fixed != nullptr) {
    const std::string_view text(fixed);
    // Four-digit years only: beyond them a date has another shape.
    constexpr std::int64_t kLastSecond = 253'402'300'799;
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error == std::errc() && end == text.data() + text.size() && seconds >= 0 && seconds <= kLastSecond)
      return std::chrono::system_clock::time_point(std::chrono::seconds(seconds));
  }
  return std::chrono::system_clock::now();
}

std::string iso_date(std::chrono::system_clock::time_point time) {
  const std::time_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

}  // namespace accelscope::base
