// Integers and texts as bytes: little-endian, varints of seven bits a byte, and a reader that never leaves
// its bytes.
//
// Pure functions and values; a WireReader views bytes that somebody else owns. A read past the end gives zero
// and sticks, so that whoever reads checks once, at the end.
//
//   std::string bytes;
//   append_u32(bytes, 7);
//   append_text8(bytes, "slices");
//   WireReader in(bytes);
//   const std::uint32_t number = in.u32();
//   const std::string_view name = in.text8();
//   if (!in.good()) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/varint.h"

namespace accelscope::formats::capture {

using base::kMaxVarintBytes;
using base::put_varint;

template <class Integer>
void append_little_endian(std::string& out, Integer value) {
  for (std::size_t byte = 0; byte < sizeof value; ++byte)
    out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8U * byte) & 0xFFU));
}
inline void append_u8(std::string& out, std::uint8_t value) {
  append_little_endian(out, value);
}
inline void append_u16(std::string& out, std::uint16_t value) {
  append_little_endian(out, value);
}
inline void append_u32(std::string& out, std::uint32_t value) {
  append_little_endian(out, value);
}
inline void append_u64(std::string& out, std::uint64_t value) {
  append_little_endian(out, value);
}

// A text of at most 255 bytes behind its length; a longer one is cut.
inline void append_text8(std::string& out, std::string_view text) {
  text = text.substr(0, 255);
  append_u8(out, static_cast<std::uint8_t>(text.size()));
  out += text;
}

inline void append_varint(std::string& out, std::uint64_t value) {
  char bytes[kMaxVarintBytes];
  out.append(bytes, put_varint(bytes, value));
}

// Reads a varint of bytes of which kMaxVarintBytes are there, and gives the end of it; nullptr when it does
// not end within them.
inline const char* take_varint(const char* place, std::uint64_t& value) {
  for (std::size_t byte = 0; byte < kMaxVarintBytes; ++byte) {
    const auto bits = static_cast<unsigned char>(*place++);
    value |= std::uint64_t{bits & 0x7FU} << (7U * byte);
    if (bits < 0x80) return place;
  }
  return nullptr;
}

// The value of `count` bytes (at most eight) in little-endian order.
inline std::uint64_t little_endian(const char* bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t byte = 0; byte < count; ++byte)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[byte])} << (8U * byte);
  return value;
}

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint8_t u8() { return static_cast<std::uint8_t>(integer(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(integer(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(integer(4)); }
  std::uint64_t u64() { return integer(8); }
  std::string_view text8() { return take(u8()); }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (std::size_t byte = 0; byte < kMaxVarintBytes && !bytes_.empty(); ++byte) {
      const auto bits = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= std::uint64_t{bits & 0x7FU} << (7U * byte);
      if (bits < 0x80) return value;
    }
    good_ = false;
    return 0;
  }

  // The next bytes; none when there are fewer.
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size()) {
      good_ = false;
      bytes_ = {};
      return {};
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  std::string_view rest() const { return bytes_; }
  // False once something was read that is not there.
  bool good() const { return good_; }

 private:
  std::uint64_t integer(std::size_t size) {
    const std::string_view bytes = take(size);
    return little_endian(bytes.data(), bytes.size());
  }

  std::string_view bytes_;
  bool good_ = true;
};

}  // namespace accelscope::formats::capture
