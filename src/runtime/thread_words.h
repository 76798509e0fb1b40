// What actors share on the platform `threads`: atomics.
//
// The same names and functions as virtual_words.h has for the virtual chip; actors are written against
// either (machine.h says what each is for). Moments are taken and ignored.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>

#include "runtime/moment.h"

namespace accelscope::runtime {

// Counts down to zero once. Whoever takes the last one sees all that others did before they took theirs:
// every decrement is a release, and the last one an acquire of them.
class ThreadCounter {
 public:
  // Before others know of it.
  void set(std::uint32_t value) { value_.store(value, std::memory_order_relaxed); }
  // Only by somebody who holds one, so that it is not zero: nothing needs to be ordered.
  void add(std::uint32_t count) { value_.fetch_add(count, std::memory_order_relaxed); }
  void not_before(Moment) {}
  // The moment of zero, if this was the last one.
  std::optional<Moment> drop(Moment) {
    if (value_.fetch_sub(1, std::memory_order_acq_rel) != 1) return std::nullopt;
    return Moment{};
  }
  // From when on it is zero for whoever looks.
  Moment zero_from() const { return value_.load(std::memory_order_acquire) == 0 ? Moment{} : kNever; }
  std::uint32_t value() const { return value_.load(std::memory_order_acquire); }

 private:
  std::atomic<std::uint32_t> value_ = 0;
};

// A word that one actor writes and another reads. What was written before it is seen after it: release and
// acquire.
class ThreadWord {
 public:
  void write(std::uint32_t value, Moment) { value_.store(value, std::memory_order_release); }
  std::uint32_t read(Moment) { return value_.load(std::memory_order_acquire); }
  Moment next_change(Moment) const { return kNever; }

 private:
  std::atomic<std::uint32_t> value_ = 0;
};

// A word that several actors change; every change is an acquire and a release.
class ThreadState {
 public:
  void set(std::uint32_t value) { value_.store(value, std::memory_order_release); }
  std::uint32_t get() const { return value_.load(std::memory_order_acquire); }
  std::uint32_t exchange(std::uint32_t value) { return value_.exchange(value, std::memory_order_acq_rel); }
  bool change(std::uint32_t from, std::uint32_t to) {
    return value_.compare_exchange_strong(from, to, std::memory_order_acq_rel, std::memory_order_acquire);
  }
  std::uint32_t fetch_add(std::uint32_t count) { return value_.fetch_add(count, std::memory_order_acq_rel); }

 private:
  std::atomic<std::uint32_t> value_ = 0;
};

// Entries that one actor adds until another closes the list and takes them all. The entry is written before
// it is added (release), and read behind the closing (acquire).
template <class Entry>
class ThreadList {
 public:
  void open() { head_.store(nullptr, std::memory_order_relaxed); }
  // False when the list is closed. One actor at a time.
  bool add(Entry* entry) {
    Entry* head = head_.load(std::memory_order_acquire);
    do {
      if (head == closed()) return false;
      entry->next = head;
    } while (!head_.compare_exchange_weak(head, entry, std::memory_order_release, std::memory_order_acquire));
    return true;
  }
  // The entries, the last added first.
  Entry* close(Moment) { return head_.exchange(closed(), std::memory_order_acq_rel); }
  bool is_closed() const { return head_.load(std::memory_order_acquire) == closed(); }
  Moment closed_from() const { return {}; }

 private:
  Entry* closed() const { return const_cast<Entry*>(&end_); }

  Entry end_ = {};
  std::atomic<Entry*> head_ = nullptr;
};

// Any number of actors push and pop. Every cell has a number that says whose turn it is: of the push with its
// own position, or of the pop behind it. The item is written before the cell's number (release) and read
// behind it (acquire). Never full: it has a place for everything that can be in it.
template <class Item>
class ThreadQueue {
 public:
  explicit ThreadQueue(std::size_t places)
      : mask_(std::bit_ceil(places) - 1), cells_(std::make_unique<Cell[]>(mask_ + 1)) {
    for (std::size_t i = 0; i <= mask_; ++i) cells_[i].turn.store(i, std::memory_order_relaxed);
  }

  void push(Item item, Moment) {
    const std::size_t position = tail_.fetch_add(1, std::memory_order_relaxed);
    Cell& cell = cells_[position & mask_];
    // There is a place, so that a pop that has begun is all there may be to wait for.
    while (cell.turn.load(std::memory_order_acquire) != position) std::this_thread::yield();
    cell.item = item;
    cell.turn.store(position + 1, std::memory_order_release);
  }

  std::optional<Item> pop(Moment) {
    std::size_t position = head_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[position & mask_];
      const std::size_t turn = cell.turn.load(std::memory_order_acquire);
      if (turn == position + 1) {
        if (!head_.compare_exchange_weak(position, position + 1, std::memory_order_relaxed)) continue;
        const Item item = cell.item;
        cell.turn.store(position + mask_ + 1, std::memory_order_release);
        return item;
      }
      if (turn < position + 1) return std::nullopt;  // empty, or its push has not ended
      position = head_.load(std::memory_order_relaxed);
    }
  }

  // About: others push and pop meanwhile.
  std::size_t size(Moment) const {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    return tail > head ? tail - head : 0;
  }
  Moment next_change(Moment) const { return kNever; }

 private:
  struct Cell {
    std::atomic<std::size_t> turn = 0;
    Item item = {};
  };

  std::size_t mask_;
  std::unique_ptr<Cell[]> cells_;
  alignas(64) std::atomic<std::size_t> tail_ = 0;
  alignas(64) std::atomic<std::size_t> head_ = 0;
};

}  // namespace accelscope::runtime
