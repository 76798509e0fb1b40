// Protobuf's wire format, as far as a writer needs it: varints, and messages built in a reused buffer.
//
// A Message owns its bytes and belongs to one thread; clear() keeps the memory. Numbers of fields are in
// schema.h.
//
//   wire::Message event;
//   event.varint(track_event::kType, 1);
//   packet.message(packet::kTrackEvent, event);
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "base/varint.h"

namespace accelscope::formats::perfetto::wire {

using base::kMaxVarintBytes;
using base::put_varint;

enum class WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2 };

constexpr std::uint64_t tag(std::uint32_t field, WireType type) {
  return (std::uint64_t{field} << 3U) | static_cast<std::uint64_t>(type);
}

constexpr std::size_t varint_size(std::uint64_t value) {
  return (static_cast<std::size_t>(std::bit_width(value | 1U)) + 6) / 7;
}

static_assert(std::endian::native == std::endian::little, "words are written as they stand in memory");

inline char* put_fixed64(char* to, std::uint64_t value) {
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

class Message {
 public:
  void clear() { size_ = 0; }
  bool empty() const { return size_ == 0; }
  std::string_view bytes() const { return {buffer_.get(), size_}; }

  void varint(std::uint32_t field, std::uint64_t value) {
    char* const at = reserve(2 * kMaxVarintBytes);
    advance_to(put_varint(put_varint(at, tag(field, WireType::kVarint)), value));
  }
  // Negative numbers take ten bytes, as protobuf's int32 and int64 do.
  void signed_varint(std::uint32_t field, std::int64_t value) {
    varint(field, static_cast<std::uint64_t>(value));
  }
  void fixed64(std::uint32_t field, std::uint64_t value) {
    char* const to = put_varint(reserve(kMaxVarintBytes + 8), tag(field, WireType::kFixed64));
    advance_to(put_fixed64(to, value));
  }
  void real(std::uint32_t field, double value) { fixed64(field, std::bit_cast<std::uint64_t>(value)); }
  void bytes(std::uint32_t field, std::string_view content) {
    char* to = reserve(2 * kMaxVarintBytes + content.size());
    to = put_varint(put_varint(to, tag(field, WireType::kBytes)), content.size());
    if (!content.empty()) std::memcpy(to, content.data(), content.size());
    advance_to(to + content.size());
  }
  // Protobuf's strings are UTF-8; text that is not is repaired.
  void text(std::uint32_t field, std::string_view content) {
    if (base::is_valid_utf8(content))
      bytes(field, content);
    else
      bytes(field, base::replace_invalid_utf8(content));
  }
  void message(std::uint32_t field, const Message& content) { bytes(field, content.bytes()); }

  // Adds the fields of another message.
  void append(const Message& fields) {
    char* const to = reserve(fields.size_);
    if (!fields.empty()) std::memcpy(to, fields.buffer_.get(), fields.size_);
    advance_to(to + fields.size_);
  }
  // For many small fields at once: room for `size` bytes, to be placed by the caller, who says where they
  // end.
  char* reserve(std::size_t size) {
    if (capacity_ - size_ < size) grow(size);
    return buffer_.get() + size_;
  }
  void advance_to(const char* end) { size_ = static_cast<std::size_t>(end - buffer_.get()); }

 private:
  // A buffer of our own: appending piece by piece to a std::string costs more than encoding the pieces.
  void grow(std::size_t size) {
    capacity_ = std::max({size_ + size, capacity_ * 2, std::size_t{64}});
    auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
    if (size_ > 0) std::memcpy(larger.get(), buffer_.get(), size_);
    buffer_ = std::move(larger);
  }

  std::unique_ptr<char[]> buffer_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace accelscope::formats::perfetto::wire
