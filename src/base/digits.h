// Decimal digits, eight at a time: what readers of large text files spend most of their time on.
//
// Pure functions for hot paths, safe from any thread. Eight bytes are read as one word, so as many must be
// readable behind the text, as they are behind a MappedFile's.
//
//   std::uint64_t value = 0;
//   if (const char* end = read_plain_integer(text, value)) ...
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace accelscope::base {

static_assert(std::endian::native == std::endian::little, "eight digits are read as one little-endian word");

// Eight digits as a word, the first in the lowest byte, each less '0': their number.
inline std::uint64_t number_of_eight(std::uint64_t digits) {
  digits = digits * 10 + (digits >> 8U);
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  return ((digits & kPairs) * 0x000F424000000064 + ((digits >> 16U) & kPairs) * 0x0000271000000001) >> 32U;
}

// Eight bytes at once, all of which must be readable: how many of them are digits before the first that is
// not, and the number they make.
struct EightBytes {
  explicit EightBytes(const char* p) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, sizeof word);
    word ^= 0x3030303030303030;
    // The upper bit of every byte that was no digit.
    const std::uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    count = others == 0 ? 8 : static_cast<unsigned>(std::countr_zero(others)) / 8;
    value = count == 0 ? 0 : number_of_eight(word << (64 - count * 8));
  }
  unsigned count = 0;
  std::uint64_t value = 0;
};

inline constexpr std::array<std::uint64_t, 9> kPowersOfTen{1,       10,        100,        1'000,      10'000,
                                                           100'000, 1'000'000, 10'000'000, 100'000'000};

// Moves past at most 18 digits; nullptr when there are none, or more, or a zero leads.
inline const char* read_plain_integer(const char* p, std::uint64_t& value) {
  const char* start = p;
  value = 0;
  for (int word = 0; word < 3; ++word) {
    const EightBytes eight(p);
    value = value * kPowersOfTen[eight.count] + eight.value;
    p += eight.count;
    if (eight.count < 8) break;
  }
  const std::ptrdiff_t digits = p - start;
  if (digits == 0 || digits > 18 || (*start == '0' && digits > 1)) return nullptr;
  return p;
}

inline constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace accelscope::base
