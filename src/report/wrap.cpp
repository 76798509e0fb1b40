#include "report/wrap.h"

#include <algorithm>

#include "base/digits.h"
#include "report/plain_text.h"

namespace accelscope::report {
namespace {

// Whether the space separates thousands: "18 985".
bool is_within_number(std::string_view text, std::size_t space) {
  constexpr std::size_t kGroup = 3;
  if (space == 0 || !base::is_digit(text[space - 1])) return false;
  const std::string_view behind = text.substr(space + 1, kGroup + 1);
  const auto digits = static_cast<std::size_t>(
      std::find_if_not(behind.begin(), behind.end(), base::is_digit) - behind.begin());
  return digits == kGroup;
}

// Where the first word ends; npos where it is the last.
std::size_t end_of_word(std::string_view text) {
  std::size_t space = text.find(' ');
  while (space != std::string_view::npos && is_within_number(text, space)) space = text.find(' ', space + 1);
  return space;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t used = 0;
  const auto break_line = [&] {
    result += '\n';
    result.append(indent, ' ');
    used = 0;
  };
  while (!text.empty()) {
    const std::size_t space = end_of_word(text);
    std::string_view word = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    std::size_t word_width = display_width(word);
    if (used > 0 && used + 1 + word_width > width) {
      break_line();
    } else if (used > 0) {
      result += ' ';
      ++used;
    }
    while (word_width > width) {
      std::string_view rest = word;
      take_character(rest);
      // A character that is wider than the line stands alone, so that this ends.
      const std::string_view part =
          word.substr(0, std::max(fitting_bytes(word, width), word.size() - rest.size()));
      if (part.size() == word.size()) break;
      result += part;
      word.remove_prefix(part.size());
      word_width -= display_width(part);
      break_line();
    }
    result += word;
    used += word_width;
  }
  return result;
}

}  // namespace accelscope::report
