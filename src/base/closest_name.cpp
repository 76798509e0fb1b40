#include "base/closest_name.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace accelscope::base {
namespace {

char folded(char c) {
  return c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Insertions, deletions and exchanges that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t exchanged = diagonal + (folded(a[i - 1]) == folded(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, exchanged});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view closest_name(std::string_view word, std::span<const std::string_view> known) {
  // Longer words are not names, and the work grows with the square.
  constexpr std::size_t kMaxWord = 200;
  if (word.size() > kMaxWord) return {};
  std::string_view best;
  std::size_t fewest = std::max<std::size_t>((word.size() + 1) / 3, 1) + 1;
  for (const std::string_view name : known) {
    if (name.size() > kMaxWord) continue;
    const std::size_t changes = edit_distance(word, name);
    if (changes >= fewest) continue;
    fewest = changes;
    best = name;
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view name = closest_name(word, known);
  return name.empty() ? std::string() : fmt::format("; did you mean `{}`?", name);
}

}  // namespace accelscope::base
