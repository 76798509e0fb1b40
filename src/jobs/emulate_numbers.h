// Numbers of runs as findings show them: times in microseconds, shares in percent.
//
// Pure functions, safe from any thread.
//
//   row.push_back(share_cell(part, all));
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/human.h"
#include "base/units.h"
#include "findings/findings.h"

namespace accelscope::jobs {

inline double microseconds(base::Picoseconds time) {
  return static_cast<double>(time.value) / 1e6;
}

inline double seconds(base::Picoseconds time) {
  return static_cast<double>(time.value) / 1e12;
}

inline std::string duration_text(base::Picoseconds time) {
  if (time.value < 10'000'000) return fmt::format("{:.3f} ns", static_cast<double>(time.value) / 1e3);
  return base::format_duration({time.value / 1000});
}

inline double percent(base::Picoseconds part, base::Picoseconds all) {
  return all.value == 0 ? 0 : 100 * static_cast<double>(part.value) / static_cast<double>(all.value);
}

// Nothing where there is nothing to take a share of.
inline findings::Cell share_cell(base::Picoseconds part, base::Picoseconds all) {
  if (all.value == 0) return std::monostate{};
  return percent(part, all);
}

// Bytes a second; 0 where no time passed.
inline double rate(std::uint64_t bytes, base::Picoseconds time) {
  return time.value <= 0 ? 0 : static_cast<double>(bytes) / seconds(time);
}

inline std::string rate_text(double bytes_per_second) {
  return base::format_rate({static_cast<std::int64_t>(bytes_per_second)});
}

}  // namespace accelscope::jobs
