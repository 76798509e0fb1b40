// Rows of swimlane files as text, written straight into an Output. Internal to the folder's writers.
//
// One thread; keeps nothing.
//
//   put_number(out, ", \"loop_iter\": ", row.loop);
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/output.h"

namespace accelscope::formats::chip_swimlane {

inline constexpr std::size_t kMaxDigits = 20;

template <class T>
char* put(char* place, T number) {
  return std::to_chars(place, place + kMaxDigits, number).ptr;
}

inline char* put(char* place, std::string_view text) {
  std::memcpy(place, text.data(), text.size());
  return place + text.size();
}

// The text, which may be a key with what stands before it, and the number behind it.
template <class T>
void put_number(base::Output& out, std::string_view key, T number) {
  out.append(key);
  char* const start = out.reserve(kMaxDigits);
  out.advance(static_cast<std::size_t>(put(start, number) - start));
}

// "[1,0,2]" behind a key that ends with the bracket.
inline void put_queues(base::Output& out, std::string_view key, const std::array<std::int64_t, 3>& depths) {
  put_number(out, key, depths[0]);
  put_number(out, ",", depths[1]);
  put_number(out, ",", depths[2]);
  out.append(']');
}

}  // namespace accelscope::formats::chip_swimlane
