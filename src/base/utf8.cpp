#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace accelscope::base {
namespace {

// Length of the valid sequence at the start of `text`, or 0: no overlong forms, no surrogates, nothing above
// U+10FFFF.
std::size_t valid_sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xC0U) == 0x80U; };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!continues(1) || !continues(2)) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

std::size_t ascii_prefix_length(std::string_view text) {
  std::size_t length = 0;
  while (length + 8 <= text.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + length, 8);
    if ((word & 0x8080808080808080ULL) != 0) break;
    length += 8;
  }
  while (length < text.size() && static_cast<unsigned char>(text[length]) < 0x80) ++length;
  return length;
}

}  // namespace

bool is_valid_utf8(std::string_view text) {
  while (true) {
    text.remove_prefix(ascii_prefix_length(text));
    if (text.empty()) return true;
    const std::size_t length = valid_sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string clean;
  clean.reserve(text.size() + 8);
  while (!text.empty()) {
    const std::size_t length = valid_sequence_length(text);
    if (length == 0) {
      clean += "\xEF\xBF\xBD";
      text.remove_prefix(1);
    } else {
      clean += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return clean;
}

}  // namespace accelscope::base
