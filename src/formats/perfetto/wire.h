// Protobuf's wire format, as far as a writer needs it: varints, and messages built in a reused buffer.
//
// A Message owns its bytes and belongs to one thread; clear() keeps the memory. Numbers of fields are in
// schema.h.
//
//   wire::Message event;
//   event.varint(track_event::kType, 1);
//   packet.message(packet::kTrackEvent, event);
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace accelscope::formats::perfetto::wire {

inline constexpr std::size_t kMaxVarintBytes = 10;

enum class WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2 };

constexpr std::uint64_t tag(std::uint32_t field, WireType type) {
  return (std::uint64_t{field} << 3U) | static_cast<std::uint64_t>(type);
}

constexpr std::size_t varint_size(std::uint64_t value) {
  return (static_cast<std::size_t>(std::bit_width(value | 1U)) + 6) / 7;
}

// Writes up to ten bytes and returns the place behind them.
inline char* put_varint(char* to, std::uint64_t value) {
  while (value >= 0x80) {
    *to++ = static_cast<char>(value | 0x80U);
    value >>= 7U;
  }
  *to++ = static_cast<char>(value);
  return to;
}

class Message {
 public:
  void clear() { bytes_.clear(); }
  bool empty() const { return bytes_.empty(); }
  std::string_view bytes() const { return bytes_; }

  void varint(std::uint32_t field, std::uint64_t value) {
    char buffer[2 * kMaxVarintBytes];
    char* end = put_varint(put_varint(buffer, tag(field, WireType::kVarint)), value);
    bytes_.append(buffer, end);
  }
  // Negative numbers take ten bytes, as protobuf's int32 and int64 do.
  void signed_varint(std::uint32_t field, std::int64_t value) {
    varint(field, static_cast<std::uint64_t>(value));
  }
  void fixed64(std::uint32_t field, std::uint64_t value) {
    char buffer[kMaxVarintBytes + 8];
    char* end = put_varint(buffer, tag(field, WireType::kFixed64));
    for (unsigned shift = 0; shift < 64; shift += 8) *end++ = static_cast<char>(value >> shift);
    bytes_.append(buffer, end);
  }
  void real(std::uint32_t field, double value) { fixed64(field, std::bit_cast<std::uint64_t>(value)); }
  void bytes(std::uint32_t field, std::string_view content) {
    char buffer[2 * kMaxVarintBytes];
    char* end = put_varint(put_varint(buffer, tag(field, WireType::kBytes)), content.size());
    bytes_.append(buffer, end);
    bytes_.append(content);
  }
  // Protobuf's strings are UTF-8; text that is not is repaired.
  void text(std::uint32_t field, std::string_view content) {
    if (base::is_valid_utf8(content))
      bytes(field, content);
    else
      bytes(field, base::replace_invalid_utf8(content));
  }
  void message(std::uint32_t field, const Message& content) { bytes(field, content.bytes()); }

 private:
  std::string bytes_;
};

}  // namespace accelscope::formats::perfetto::wire
