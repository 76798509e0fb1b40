#include "report/plain_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace accelscope::report {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

template <std::size_t kSize>
bool is_in(const std::array<Range, kSize>& ranges, char32_t character) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return character >= range.first && character <= range.last; });
}

// Controls, and the marks that make what follows appear elsewhere than it stands.
constexpr std::array<Range, 8> kUnsafe{{{0x00, 0x1F},
                                        {0x7F, 0x9F},
                                        {0x061C, 0x061C},
                                        {0x200E, 0x200F},
                                        {0x2028, 0x2029},
                                        {0x202A, 0x202E},
                                        {0x2066, 0x2069},
                                        {0xFEFF, 0xFEFF}}};

// The scripts and signs that occur in practice; the rest is one column wide.
constexpr std::array<Range, 6> kCombining{{{0x0300, 0x036F},
                                           {0x1AB0, 0x1AFF},
                                           {0x200B, 0x200D},
                                           {0x20D0, 0x20FF},
                                           {0xFE00, 0xFE0F},
                                           {0xFE20, 0xFE2F}}};
constexpr std::array<Range, 11> kWide{{{0x1100, 0x115F},
                                       {0x2E80, 0x303E},
                                       {0x3041, 0xA4CF},
                                       {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},
                                       {0xFF00, 0xFF60},
                                       {0xFFE0, 0xFFE6},
                                       {0x1F300, 0x1F64F},
                                       {0x1F680, 0x1F9FF},
                                       {0x20000, 0x3FFFD}}};

std::size_t width_of(char32_t character) {
  if (character < 0x300) return 1;
  if (is_in(kCombining, character)) return 0;
  return is_in(kWide, character) ? 2 : 1;
}

void append_harmless(std::string& line, char32_t character, std::string_view bytes) {
  if (character >= ' ' && character < 0x7F)
    line += static_cast<char>(character);
  else if (character == '\n' || character == '\t' || character == '\r')
    line += ' ';
  else if (!is_in(kUnsafe, character))
    line += bytes;
  else if (character < 0x100)
    line += fmt::format("\\x{:02x}", static_cast<unsigned>(character));
  else
    line += fmt::format("\\u{:04x}", static_cast<unsigned>(character));
}

}  // namespace

char32_t take_character(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t character = length == 1 ? lead : lead & (0x7FU >> length);
  for (std::size_t i = 1; i < std::min(length, text.size()); ++i)
    character = character << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  text.remove_prefix(std::min(length, text.size()));
  return character;
}

std::string one_line(std::string_view text) {
  std::string repaired;
  if (!base::is_valid_utf8(text)) {
    repaired = base::replace_invalid_utf8(text);
    text = repaired;
  }
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t character = take_character(text);
    append_harmless(line, character, before.substr(0, before.size() - text.size()));
  }
  return line;
}

std::vector<std::string> harmless_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(one_line(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) width += width_of(take_character(text));
  return width;
}

std::size_t fitting_bytes(std::string_view text, std::size_t width) {
  std::string_view rest = text;
  std::size_t used = 0;
  std::size_t bytes = 0;
  while (!rest.empty()) {
    used += width_of(take_character(rest));
    if (used > width) break;
    bytes = text.size() - rest.size();
  }
  return bytes;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (fitting_bytes(text, width) == text.size()) return std::string(text);
  if (width == 0) return {};
  return std::string(text.substr(0, fitting_bytes(text, width - 1))) + "…";
}

std::string padded(std::string_view text, std::size_t width, Align align) {
  const std::size_t used = display_width(text);
  const std::string spaces(width > used ? width - used : 0, ' ');
  return align == Align::kLeft ? std::string(text) + spaces : spaces + std::string(text);
}

}  // namespace accelscope::report
