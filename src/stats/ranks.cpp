#include "stats/ranks.h"

#include <algorithm>
#include <numeric>

namespace accelscope::stats {

Ranks mid_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  Ranks ranks;
  ranks.values.resize(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first + 1;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    const double middle = static_cast<double>(first + 1 + last) / 2;
    for (std::size_t i = first; i < last; ++i) ranks.values[order[i]] = middle;
    if (last - first > 1) ranks.sizes_of_ties.push_back(last - first);
    first = last;
  }
  return ranks;
}

}  // namespace accelscope::stats
