// Something of which there is a fixed amount, given out and taken back in the same order: slots of a task
// window, bytes of a heap, entries of a dependency pool.
//
// Positions only grow: what lies between start() and end() is in use, and position % capacity is where it is.
// So a recording can show how full a ring was and how much went through it, and no position is ever mistaken
// for an earlier one. Belongs to one thread, the orchestrator's. Plain values.
//
//   BoundedRing heap(1 << 20);
//   if (const std::optional<std::uint64_t> place = heap.place_together(bytes)) heap.take(*place, bytes);
//   ...
//   heap.give_back_until(place + bytes);
#pragma once

#include <cstdint>
#include <optional>

namespace accelscope::runtime {

class BoundedRing {
 public:
  explicit BoundedRing(std::uint64_t capacity) : capacity_(capacity) {}

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t start() const { return start_; }
  std::uint64_t end() const { return end_; }
  std::uint64_t used() const { return end_ - start_; }
  std::uint64_t index_of(std::uint64_t position) const { return position % capacity_; }

  // Where so many would begin; nothing when there is no room now.
  std::optional<std::uint64_t> place(std::uint64_t count) const {
    if (count > capacity_ - used()) return std::nullopt;
    return end_;
  }
  // The same for what must not be cut where the ring wraps around: the rest before that place is skipped.
  std::optional<std::uint64_t> place_together(std::uint64_t count) const {
    if (count > capacity_) return std::nullopt;
    const std::uint64_t left = capacity_ - index_of(end_);
    const std::uint64_t begin = count <= left ? end_ : end_ + left;
    const std::uint64_t first_used = used() == 0 ? begin : start_;
    if (begin + count - first_used > capacity_) return std::nullopt;
    return begin;
  }

  // At a position that one of the two gave.
  void take(std::uint64_t position, std::uint64_t count) {
    if (used() == 0) start_ = position;
    end_ = position + count;
  }
  void give_back_until(std::uint64_t position) {
    if (position > start_) start_ = position;
  }

 private:
  std::uint64_t capacity_;
  std::uint64_t start_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace accelscope::runtime
