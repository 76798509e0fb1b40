#include "cli/wrap.h"

namespace accelscope::cli {

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    if (used > 0 && used + 1 + word.size() > width) {
      result += '\n';
      result.append(indent, ' ');
      used = 0;
    } else if (used > 0) {
      result += ' ';
      ++used;
    }
    result += word;
    used += word.size();
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  return result;
}

}  // namespace accelscope::cli
