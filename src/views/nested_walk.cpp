#include "views/nested_walk.h"

#include <algorithm>
#include <tuple>

namespace accelscope::views {
namespace {

using trace::SliceId;
using trace::SliceTable;
using trace::Ticks;

// Where a parent outside the tie stands: 0 is the top of the stack. Of the slices that end at this very
// moment, the inner ones must be served first, because they close first.
class StackRanks {
 public:
  StackRanks(const std::vector<OpenSlice>& open, Ticks now) {
    for (std::size_t i = open.size(); i > 0; --i) {
      ranks_.push_back({open[i - 1].row, static_cast<std::uint32_t>(ranks_.size())});
      if (open[i - 1].end > now) break;  // nothing below it can take a slice that starts now
    }
    std::sort(ranks_.begin(), ranks_.end(), [](const Rank& a, const Rank& b) { return a.row < b.row; });
  }

  std::uint32_t of(SliceId parent) const {
    const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), index(parent),
                                        [](const Rank& rank, std::uint32_t row) { return rank.row < row; });
    const bool known = found != ranks_.end() && found->row == index(parent);
    return known ? found->rank : static_cast<std::uint32_t>(ranks_.size());
  }

 private:
  struct Rank {
    std::uint32_t row;
    std::uint32_t rank;
  };
  std::vector<Rank> ranks_;
};

struct Tied {
  std::uint64_t family;  // siblings have the same; those whose parent is outside the tie come first
  bool has_length;       // what has no length goes before the sibling that has
  std::uint32_t row;

  bool operator<(const Tied& other) const {
    return std::tie(family, has_length, row) < std::tie(other.family, other.has_length, other.row);
  }
};

constexpr std::uint64_t kInsideTie = std::uint64_t{1} << 32U;

}  // namespace

void order_equal_starts(const SliceTable& slices, std::uint32_t first, std::uint32_t last,
                        const std::vector<OpenSlice>& open, std::vector<std::uint32_t>& order) {
  const StackRanks ranks(open, slices.start[first]);
  std::vector<Tied> tied;
  tied.reserve(last - first);
  for (std::uint32_t row = first; row < last; ++row) {
    const SliceId parent = slices.parent[row];
    const bool inside = index(parent) >= first && index(parent) < last;
    tied.push_back(
        {inside ? kInsideTie + index(parent) : ranks.of(parent), slices.duration[row] > Ticks{}, row});
  }
  std::sort(tied.begin(), tied.end());
  const auto family_of = [&](std::uint64_t family) {
    return std::lower_bound(tied.begin(), tied.end(), family,
                            [](const Tied& item, std::uint64_t key) { return item.family < key; });
  };
  order.clear();
  std::vector<std::uint32_t> pending;  // to be visited, last first
  const auto push_children = [&](auto begin, auto end) {
    for (auto item = end; item != begin;) pending.push_back((--item)->row);
  };
  push_children(tied.begin(), family_of(kInsideTie));
  while (!pending.empty()) {
    const std::uint32_t row = pending.back();
    pending.pop_back();
    order.push_back(row);
    push_children(family_of(kInsideTie + row), family_of(kInsideTie + row + 1));
  }
}

}  // namespace accelscope::views
