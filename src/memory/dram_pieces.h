// Pieces of requests that wait in front of a channel, in the order of their arrival. A ring: what is done
// leaves no trace, so the same few cache lines are used again and again.
//
// One thread uses one queue; it owns its pieces.
//
//   pieces.push({.run = 7, .next = 0, .left = 128, .arrival = 40});
//   while (!pieces.empty() && pieces.front().arrival <= now) ... pieces.pop();
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace accelscope::memory {

// Contiguous bursts of one request in one channel.
struct DramPiece {
  std::uint32_t run = 0;  // of the memory
  bool write = false;
  bool posted = false;     // a burst is done when it has entered the queue
  std::uint64_t next = 0;  // burst of the channel
  std::uint64_t left = 0;
  std::int64_t arrival = 0;
};

class DramPieces {
 public:
  bool empty() const { return first_ == end_; }
  DramPiece& front() { return ring_[first_ & mask_]; }
  const DramPiece& front() const { return ring_[first_ & mask_]; }
  void pop() { ++first_; }
  // Behind all that came no later.
  void push(const DramPiece& piece) {
    if (end_ - first_ > mask_) grow();
    std::size_t at = end_++;
    for (; at != first_ && ring_[(at - 1) & mask_].arrival > piece.arrival; --at)
      ring_[at & mask_] = ring_[(at - 1) & mask_];
    DramPiece& place = ring_[at & mask_];
    // One by one: a piece that was put together in memory would be waited for.
    place.run = piece.run;
    place.write = piece.write;
    place.posted = piece.posted;
    place.next = piece.next;
    place.left = piece.left;
    place.arrival = piece.arrival;
  }

 private:
  void grow();

  std::vector<DramPiece> ring_ = std::vector<DramPiece>(16);
  std::size_t mask_ = ring_.size() - 1;
  std::size_t first_ = 0;  // these two count all that ever came
  std::size_t end_ = 0;
};

}  // namespace accelscope::memory
