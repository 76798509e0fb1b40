// Sorts rows by a time, stably, in linear time: digit by digit, as many digits as the times span. Moments of
// one run span few, so this is several times faster than comparing.
//
// Pure function on one vector; one thread.
//
//   sort_by_time(moments, [](Ticks time) { return time; });
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/units.h"

namespace accelscope::analysis::chip {

template <class Row, class TimeOf>
void sort_by_time(std::vector<Row>& rows, TimeOf&& time_of) {
  constexpr unsigned kDigitBits = 11;
  constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
  const auto earlier = [&](const Row& a, const Row& b) { return time_of(a) < time_of(b); };
  if (std::is_sorted(rows.begin(), rows.end(), earlier)) return;
  const auto [first, last] = std::minmax_element(rows.begin(), rows.end(), earlier);
  const auto offset = static_cast<std::uint64_t>(time_of(*first).value);
  const std::uint64_t span = static_cast<std::uint64_t>(time_of(*last).value) - offset;
  std::vector<Row> other(rows.size());
  for (unsigned shift = 0; shift < 64 && (span >> shift) > 0; shift += kDigitBits) {
    const auto digit_of = [&](const Row& row) {
      return ((static_cast<std::uint64_t>(time_of(row).value) - offset) >> shift) % kDigits;
    };
    std::array<std::size_t, kDigits> place = {};
    for (const Row& row : rows) ++place[digit_of(row)];
    std::size_t before = 0;
    for (std::size_t& count : place) {
      const std::size_t here = count;
      count = before;
      before += here;
    }
    for (const Row& row : rows) other[place[digit_of(row)]++] = row;
    rows.swap(other);
  }
}

}  // namespace accelscope::analysis::chip
