// The last number of a row for which something still holds, and the first for which it begins to, found by
// halving.
//
// The question must be answered true up to some number and false beyond it (last_true), or the other way
// round (first_true); it is asked about 2 log2(answer) times. Pure functions, safe from any thread.
//
//   last_true(1000, [](std::uint64_t n) { return n * n <= 200; })     // 14
//   first_true(1000, [](std::uint64_t n) { return n * n >= 200; })    // 15
#pragma once

#include <cstdint>
#include <optional>

namespace accelscope::base {

// From 1 to `most`; nothing when not even 1 holds.
template <class Holds>
std::optional<std::uint64_t> last_true(std::uint64_t most, Holds holds) {
  if (most == 0 || !holds(std::uint64_t{1})) return std::nullopt;
  std::uint64_t good = 1;
  std::uint64_t bad = most;
  while (good < most) {
    bad = good > most / 2 ? most : good * 2;
    if (!holds(bad)) break;
    good = bad;
  }
  while (bad - good > 1) {
    const std::uint64_t middle = good + (bad - good) / 2;
    if (holds(middle))
      good = middle;
    else
      bad = middle;
  }
  return good;
}

// From 1 to `most`; nothing when not even `most` holds.
template <class Holds>
std::optional<std::uint64_t> first_true(std::uint64_t most, Holds holds) {
  if (most == 0) return std::nullopt;
  const auto last_false = last_true(most, [&](std::uint64_t n) { return !holds(n); });
  if (!last_false) return 1;
  if (*last_false == most) return std::nullopt;
  return *last_false + 1;
}

}  // namespace accelscope::base
