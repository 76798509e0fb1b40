// Integers of seven bits a byte, least significant first, as protobuf and our own files have them.
//
// Pure functions over bytes of the caller.
//
//   char bytes[kMaxVarintBytes];
//   const std::size_t size = put_varint(bytes, 300) - bytes;
#pragma once

#include <cstddef>
#include <cstdint>

namespace accelscope::base {

inline constexpr std::size_t kMaxVarintBytes = 10;

// Puts the varint at `place`, which has room for kMaxVarintBytes, and gives the end of it.
inline char* put_varint(char* place, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) *place++ = static_cast<char>(value | 0x80U);
  *place++ = static_cast<char>(value);
  return place;
}

}  // namespace accelscope::base
