#include "report/markdown_text.h"

#include <algorithm>

#include "base/digits.h"

namespace accelscope::report {
namespace {

// Bytes above ASCII belong to letters for our purpose.
bool is_word(char c) {
  return base::is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Underscores inside of words are not markup, and operators have many of them.
bool is_inside_word(std::string_view line, std::size_t at) {
  const std::size_t before = line.find_last_not_of('_', at);
  const std::size_t behind = line.find_first_not_of('_', at);
  return before != std::string_view::npos && behind != std::string_view::npos && is_word(line[before]) &&
         is_word(line[behind]);
}

bool needs_escape(std::string_view line, std::size_t at) {
  const char next = at + 1 < line.size() ? line[at + 1] : '\0';
  switch (line[at]) {
    case '\\':
    case '`':
    case '|':
    case '*':
    case '<':
      return true;
    case '_':
      return !is_inside_word(line, at);
    case '~':
      return next == '~' || (at > 0 && line[at - 1] == '~');
    case ']':
      return next == '(' || next == '[' || next == ':';
    case '&':
      return next == '#' || is_word(next);
    default:
      return false;
  }
}

}  // namespace

std::string markdown_text(std::string_view line) {
  std::string text;
  text.reserve(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (needs_escape(line, i)) text += '\\';
    text += line[i];
  }
  return text;
}

std::string markdown_sentence(std::string_view line) {
  std::string text;
  while (!line.empty()) {
    const std::size_t open = line.find('`');
    const std::size_t close = open == std::string_view::npos ? open : line.find('`', open + 1);
    // Two in a row are no code, and neither is one that nothing closes.
    if (close == std::string_view::npos || close == open + 1) break;
    text += open == 0      ? ""
            : text.empty() ? markdown_paragraph(line.substr(0, open))
                           : markdown_text(line.substr(0, open));
    text += line.substr(open, close + 1 - open);
    line.remove_prefix(close + 1);
  }
  return text + (text.empty() ? markdown_paragraph(line) : markdown_text(line));
}

std::string markdown_paragraph(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  constexpr std::string_view kStarters = "#-+>=~";
  if (!line.empty() && kStarters.find(line.front()) != std::string_view::npos)
    return "\\" + std::string(1, line.front()) + markdown_text(line.substr(1));
  const auto digits =
      static_cast<std::size_t>(std::find_if_not(line.begin(), line.end(), base::is_digit) - line.begin());
  if (digits > 0 && digits < line.size() && (line[digits] == '.' || line[digits] == ')'))
    return std::string(line.substr(0, digits)) + "\\" + markdown_text(line.substr(digits));
  return markdown_text(line);
}

}  // namespace accelscope::report
