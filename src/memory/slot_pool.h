// Items that come and go, each with a number that is small and stays while it is there.
//
// Used by one thread; owns its items. A number is used again once its item is gone.
//
//   const std::uint32_t index = pool.add({...});
//   pool[index].left -= 1;
//   pool.remove(index);
#pragma once

#include <cstdint>
#include <vector>

namespace accelscope::memory {

template <class Item>
class SlotPool {
 public:
  std::uint32_t add(const Item& item) {
    if (free_.empty()) {
      items_.push_back(item);
      return static_cast<std::uint32_t>(items_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    items_[index] = item;
    return index;
  }
  void remove(std::uint32_t index) { free_.push_back(index); }
  Item& operator[](std::uint32_t index) { return items_[index]; }
  const Item& operator[](std::uint32_t index) const { return items_[index]; }

 private:
  std::vector<Item> items_;
  std::vector<std::uint32_t> free_;
};

}  // namespace accelscope::memory
