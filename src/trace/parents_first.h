// Visits the slices of one track so that every slice comes after its parent.
//
// The order of the table is not that order: of slices that start together a child may have been logged before
// its parent. Otherwise rows are visited as they stand. Linear time; nothing is shared between calls.
//
//   for_each_parent_first(trace.slices(), trace.slices_of(track), [&](std::uint32_t row) {
//     depth[row] = is_root(row) ? 0 : depth[parent_of(row)] + 1;
//   });
#pragma once

#include <cstdint>
#include <vector>

#include "trace/tables.h"

namespace accelscope::trace {

template <class Visit>
void for_each_parent_first(const SliceTable& slices, RowRange rows, Visit&& visit) {
  std::vector<bool> seen(rows.count, false);
  std::vector<std::uint32_t> chain;
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    for (std::uint32_t at = row; !seen[at - rows.first]; at = index(slices.parent[at])) {
      seen[at - rows.first] = true;
      chain.push_back(at);
      if (slices.parent[at] == SliceId::kNone) break;
    }
    for (; !chain.empty(); chain.pop_back()) visit(chain.back());
  }
}

}  // namespace accelscope::trace
