// A queue between one producer thread and one consumer thread, in memory that both can see.
//
// No locks and no allocation. Ownership: the producer writes slots and tail_, the consumer writes head_; each
// reads the other's counter. What was written before push() is seen after the pop() that returns it: the tail
// is stored with release behind the slot and loaded with acquire before it, and the head likewise the other
// way around, so that a slot is not written again before it was read.
//
// `Atomic` is std::atomic, or a test's own that makes every access a step. Freestanding but for <atomic>.
//
//   SpscRing<uint32_t, 4> ring;
//   if (!ring.push(buffer)) ...     // full
//   uint32_t buffer; if (ring.pop(buffer)) ...
#pragma once

#include <atomic>
#include <cstdint>

namespace accelscope::recorder {

template <class T, std::uint32_t kCapacity, template <class> class Atomic = std::atomic>
class SpscRing {
  static_assert(kCapacity > 0 && (kCapacity & (kCapacity - 1)) == 0, "positions wrap around at 2^32");

 public:
  static constexpr std::uint32_t capacity() { return kCapacity; }

  // Where things are, for a host that reaches them only by copying.
  static constexpr std::uint32_t kHeadOffset = 0;
  static constexpr std::uint32_t kTailOffset = 64;
  static constexpr std::uint32_t kSlotsOffset = 128;

  // Producer only. False when the ring is full.
  bool push(T value) {
    const std::uint32_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kCapacity) return false;
    slots_[tail % kCapacity].store(value, std::memory_order_relaxed);
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  // Consumer only. False when the ring is empty.
  bool pop(T& value) {
    const std::uint32_t head = head_.load(std::memory_order_relaxed);
    if (tail_.load(std::memory_order_acquire) == head) return false;
    value = slots_[head % kCapacity].load(std::memory_order_relaxed);
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

  // How many there were a moment ago; exact for whoever is the only one left.
  std::uint32_t size() const {
    return tail_.load(std::memory_order_acquire) - head_.load(std::memory_order_acquire);
  }

 private:
  alignas(64) Atomic<std::uint32_t> head_ = 0;
  alignas(64) Atomic<std::uint32_t> tail_ = 0;
  alignas(64) Atomic<T> slots_[kCapacity] = {};
};

}  // namespace accelscope::recorder
