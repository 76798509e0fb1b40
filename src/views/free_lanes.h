// Hands out lanes for intervals that come in the order of their starts: each gets the first lane that is free
// at its start, so there are as few lanes as intervals overlap at one time.
//
// A tree of minima over the moments at which the lanes become free, so that one interval costs logarithmic
// time. One thread uses one FreeLanes; it owns all it needs.
//
//   FreeLanes lanes;
//   lanes.take(Ticks{0}, Ticks{10});   // 0
//   lanes.take(Ticks{5}, Ticks{20});   // 1
//   lanes.take(Ticks{10}, Ticks{12});  // 0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "trace/tables.h"

namespace accelscope::views {

class FreeLanes {
 public:
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

  // Takes the first lane that is free from `start` on until `end`, opening a new one if there is none.
  std::uint32_t take(trace::Ticks start, trace::Ticks end) {
    std::uint32_t lane = first_free(start);
    if (lane == kUnknown) {
      lane = count_++;
      if (count_ > leaves_) grow();
    }
    set(lane, end);
    return lane;
  }
  std::uint32_t count() const { return count_; }

 private:
  std::uint32_t first_free(trace::Ticks start) const {
    if (leaves_ == 0 || tree_[1] > start) return kUnknown;
    std::size_t node = 1;
    while (node < leaves_) node = tree_[2 * node] <= start ? 2 * node : 2 * node + 1;
    const auto lane = static_cast<std::uint32_t>(node - leaves_);
    return lane < count_ ? lane : kUnknown;
  }

  void set(std::uint32_t lane, trace::Ticks free_from) {
    std::size_t node = leaves_ + lane;
    tree_[node] = free_from;
    while (node > 1) {
      node /= 2;
      tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
    }
  }

  void grow() {
    const std::size_t old_leaves = leaves_;
    const std::vector<trace::Ticks> old = std::move(tree_);
    leaves_ = std::bit_ceil(std::size_t{count_});
    tree_.assign(2 * leaves_, trace::Ticks::max());
    for (std::size_t lane = 0; lane < old_leaves; ++lane) tree_[leaves_ + lane] = old[old_leaves + lane];
    for (std::size_t node = leaves_ - 1; node > 0; --node)
      tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
  }

  std::vector<trace::Ticks> tree_;
  std::size_t leaves_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace accelscope::views
