// What the exact tables of operator names are made of: sorted rows that are found by binary search, and the
// proof, when they are compiled, that they are sorted.
//
// Constants and pure functions; safe from any thread, nothing is owned.
//
//   constexpr NameRow kRows[] = {{"abs", "abs", Category::kElementwise}, ...};
//   static_assert(is_sorted_table(kRows));
//   const NameRow* row = find_name(kRows, "abs");
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "analysis/category.h"

namespace accelscope::analysis {

struct NameRow {
  std::string_view name;    // in lower case
  std::string_view family;  // what is compared between runs: the same whatever the data type
  Category category = Category::kOther;
  std::string_view library = {};
};

template <class Row, std::size_t kSize>
constexpr bool is_sorted_table(const Row (&rows)[kSize]) {
  for (std::size_t i = 1; i < kSize; ++i)
    if (!(rows[i - 1].name < rows[i].name)) return false;
  return true;
}

template <class Row, std::size_t kSize>
const Row* find_name(const Row (&rows)[kSize], std::string_view name) {
  const Row* end = rows + kSize;
  const Row* found = std::lower_bound(rows, end, name,
                                      [](const Row& row, std::string_view text) { return row.name < text; });
  return found != end && found->name == name ? found : nullptr;
}

}  // namespace accelscope::analysis
