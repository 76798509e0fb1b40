#include "base/json_text.h"

#include <algorithm>
#include <cstdint>

namespace accelscope::base {
namespace {

void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { text.push_back(static_cast<char>(value)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | (code >> 6U));
    byte(0x80 | (code & 0x3FU));
  } else if (code < 0x10000) {
    byte(0xE0 | (code >> 12U));
    byte(0x80 | ((code >> 6U) & 0x3FU));
    byte(0x80 | (code & 0x3FU));
  } else {
    byte(0xF0 | (code >> 18U));
    byte(0x80 | ((code >> 12U) & 0x3FU));
    byte(0x80 | ((code >> 6U) & 0x3FU));
    byte(0x80 | (code & 0x3FU));
  }
}

std::optional<std::uint32_t> four_hex_digits(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : text.substr(0, 4)) {
    const char lower = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9')
      value = value * 16 + static_cast<std::uint32_t>(c - '0');
    else if (lower >= 'a' && lower <= 'f')
      value = value * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
    else
      return std::nullopt;
  }
  return value;
}

// Appends what the escape at the front of `rest`, behind "\u", stands for, and removes it.
bool take_unicode_escape(std::string_view& rest, std::string& text) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  const auto unit = four_hex_digits(rest);
  if (!unit) return false;
  rest.remove_prefix(4);
  if (*unit < 0xD800 || *unit > 0xDFFF) {
    append_utf8(text, *unit);
    return true;
  }
  const auto low = rest.starts_with("\\u") ? four_hex_digits(rest.substr(2)) : std::nullopt;
  if (*unit > 0xDBFF || !low || *low < 0xDC00 || *low > 0xDFFF) {
    append_utf8(text, kReplacement);
    return true;
  }
  append_utf8(text, 0x10000 + ((*unit - 0xD800) << 10U) + (*low - 0xDC00));
  rest.remove_prefix(6);
  return true;
}

char simple_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return '\0';
  }
}

}  // namespace

std::optional<std::size_t> unescape_json(std::string_view text, std::string& result) {
  result.clear();
  std::string_view rest = text;
  while (true) {
    const std::size_t clean = std::min(rest.find('\\'), rest.size());
    result.append(rest.substr(0, clean));
    rest.remove_prefix(clean);
    if (rest.empty()) return std::nullopt;
    const std::size_t escape = text.size() - rest.size();
    if (rest.size() < 2) return escape;
    const char kind = rest[1];
    rest.remove_prefix(2);
    const char plain = simple_escape(kind);
    if (plain != '\0')
      result.push_back(plain);
    else if (kind != 'u' || !take_unicode_escape(rest, result))
      return escape;
  }
}

}  // namespace accelscope::base
