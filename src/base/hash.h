// Hashes of small integer keys. Every bit of the key reaches every bit of the hash, which tables that keep
// only the low bits need: ids are often multiples of a power of two, or two ids side by side in one word.
//
// Pure functions; safe from any thread. Not for keeping in files.
//
//   tsl::robin_map<std::uint64_t, Node, IntegerHash> nodes;
//   std::size_t operator()(const Key& key) const { return hash_of(key.process, key.thread); }
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace accelscope::base {

// A finaliser: multiply and fold until no bit of the input can be told from the output.
constexpr std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 32U)) * 0xE9846AF9B1A615DULL;
  word = (word ^ (word >> 32U)) * 0xE9846AF9B1A615DULL;
  return word ^ (word >> 28U);
}

// Integers and enumerations, in order.
template <class... Parts>
constexpr std::size_t hash_of(Parts... parts) {
  static_assert(((std::is_integral_v<Parts> || std::is_enum_v<Parts>)&&...));
  std::uint64_t hash = 0x9E3779B97F4A7C15ULL;
  ((hash = mixed(hash ^ static_cast<std::uint64_t>(parts)) + 0x9E3779B97F4A7C15ULL), ...);
  return static_cast<std::size_t>(hash);
}

struct IntegerHash {
  template <class T>
  requires std::integral<T> || std::is_enum_v<T>
  constexpr std::size_t operator()(T value) const { return hash_of(value); }
};

}  // namespace accelscope::base
