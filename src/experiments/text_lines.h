// A text line by line, and small words about texts that several readers of this folder need.
//
// Pure functions; what they return points into the text.
//
//   for (const std::string_view line : lines_of("a\r\nb")) ...   // "a", "b"
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/number_in.h"

namespace accelscope::experiments {

// Without their line ends; a line end at the end of the text begins no further line.
inline std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

using base::number_in;

}  // namespace accelscope::experiments
