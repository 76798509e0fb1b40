// Banks whose next command is a column of their open row, the oldest request first: of those that can be
// issued at the same tick the first one in it is the one to issue, so a search may end there.
//
// A bank is known by the word that orders it among others (dram_channel.cpp), which holds its number. One
// thread uses one list; there are at most 64 banks.
//
//   hits.add(order_of_bank_3);              // mostly the youngest
//   hits.replace(order_of_bank_3, later);   // its first request is served, another one follows
//   for (const std::uint64_t order : hits) ...
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace accelscope::memory {

class RowHits {
 public:
  const std::uint64_t* begin() const { return orders_.data(); }
  const std::uint64_t* end() const { return orders_.data() + count_; }
  void clear() { count_ = 0; }

  void add(std::uint64_t order) {
    std::size_t at = count_++;
    for (; at > 0 && orders_[at - 1] > order; --at) orders_[at] = orders_[at - 1];
    orders_[at] = order;
  }
  // Both only of what is there.
  void remove(std::uint64_t order) {
    --count_;
    for (std::size_t at = place_of(order); at < count_; ++at) orders_[at] = orders_[at + 1];
  }
  void replace(std::uint64_t order, std::uint64_t later) {
    std::size_t at = place_of(order);
    for (; at + 1 < count_ && orders_[at + 1] < later; ++at) orders_[at] = orders_[at + 1];
    orders_[at] = later;
  }

 private:
  // One of the oldest, as a rule.
  std::size_t place_of(std::uint64_t order) const {
    std::size_t at = 0;
    while (orders_[at] != order) ++at;
    return at;
  }

  std::size_t count_ = 0;
  std::array<std::uint64_t, 64> orders_;
};

}  // namespace accelscope::memory
