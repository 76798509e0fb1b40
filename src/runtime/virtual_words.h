// What actors share on the virtual chip: plain values with the moments from which they can be seen.
//
// The same names and functions as thread_words.h has. One thread carries out all steps in the order of their
// beginnings, but a step lasts: what it does at its end lies in the future of whoever comes next. So values
// keep the moment of their last change, and a reader sees none that is later than its own time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/moment.h"

namespace accelscope::runtime {

class VirtualCounter {
 public:
  void set(std::uint32_t value) {
    value_ = value;
    last_ = {};
  }
  void add(std::uint32_t count) { value_ += count; }
  // Zero is not seen earlier.
  void not_before(Moment moment) { last_ = std::max(last_, moment); }
  std::optional<Moment> drop(Moment now) {
    not_before(now);
    if (--value_ != 0) return std::nullopt;
    return last_;
  }
  Moment zero_from() const { return value_ == 0 ? last_ : kNever; }
  std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_ = 0;
  Moment last_ = {};
};

// Keeps the values that its reader has not seen yet: a core is at most two tasks ahead of its scheduler, with
// two values each.
class VirtualWord {
 public:
  void write(std::uint32_t value, Moment from) {
    if (count_ == coming_.size()) forget_first();
    coming_[count_++] = {from, value};
  }
  std::uint32_t read(Moment now) {
    while (count_ > 0 && coming_[0].from <= now) forget_first();
    return value_;
  }
  Moment next_change(Moment) const { return count_ > 0 ? coming_[0].from : kNever; }

 private:
  struct Coming {
    Moment from = {};
    std::uint32_t value = 0;
  };
  void forget_first() {
    value_ = coming_[0].value;
    std::move(coming_.begin() + 1, coming_.begin() + count_, coming_.begin());
    --count_;
  }

  std::uint32_t value_ = 0;
  std::uint32_t count_ = 0;
  std::array<Coming, 4> coming_ = {};
};

class VirtualState {
 public:
  void set(std::uint32_t value) { value_ = value; }
  std::uint32_t get() const { return value_; }
  std::uint32_t exchange(std::uint32_t value) { return std::exchange(value_, value); }
  bool change(std::uint32_t from, std::uint32_t to) {
    if (value_ != from) return false;
    value_ = to;
    return true;
  }
  std::uint32_t fetch_add(std::uint32_t count) { return std::exchange(value_, value_ + count); }

 private:
  std::uint32_t value_ = 0;
};

template <class Entry>
class VirtualList {
 public:
  void open() {
    head_ = nullptr;
    closed_from_ = kNever;
  }
  bool add(Entry* entry) {
    if (is_closed()) return false;
    entry->next = head_;
    head_ = entry;
    return true;
  }
  Entry* close(Moment now) {
    closed_from_ = now;
    return std::exchange(head_, nullptr);
  }
  bool is_closed() const { return closed_from_ != kNever; }
  Moment closed_from() const { return closed_from_; }

 private:
  Entry* head_ = nullptr;
  Moment closed_from_ = kNever;
};

// Items come out in the order of the moments from which they can be seen, equal ones as they were pushed.
template <class Item>
class VirtualQueue {
 public:
  explicit VirtualQueue(std::size_t) {}

  void push(Item item, Moment from) {
    heap_.push_back({from, pushes_++, item});
    std::push_heap(heap_.begin(), heap_.end());
  }
  std::optional<Item> pop(Moment now) {
    if (heap_.empty() || heap_.front().from > now) return std::nullopt;
    std::pop_heap(heap_.begin(), heap_.end());
    const Item item = heap_.back().item;
    heap_.pop_back();
    return item;
  }
  // About: some of them may not be seen yet.
  std::size_t size(Moment now) const { return heap_.empty() || heap_.front().from > now ? 0 : heap_.size(); }
  Moment next_change(Moment) const { return heap_.empty() ? kNever : heap_.front().from; }

 private:
  struct Waiting {
    Moment from = {};
    std::uint64_t number = 0;
    Item item = {};

    bool operator<(const Waiting& other) const {
      return from != other.from ? from > other.from : number > other.number;
    }
  };
  std::vector<Waiting> heap_;
  std::uint64_t pushes_ = 0;
};

}  // namespace accelscope::runtime
