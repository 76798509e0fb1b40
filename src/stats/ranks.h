// Ranks, with ties sharing the middle of the ranks they take up.
//
// Nothing here throws. Values must be numbers (infinities are). Pure functions; safe from any thread. Results
// own their values.
//
//   const Ranks ranks = mid_ranks(latencies);   // ranks.values[i] is the rank of latencies[i], from one
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace accelscope::stats {

struct Ranks {
  std::vector<double> values;              // in the order of the input, counted from one
  std::vector<std::size_t> sizes_of_ties;  // of every group of at least two equal values, ascending by value
};

Ranks mid_ranks(std::span<const double> values);

}  // namespace accelscope::stats
