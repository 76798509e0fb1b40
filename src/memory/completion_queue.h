// Completions in the order in which a memory hands them out: by time, then by sequence.
//
// Used by one thread; owns its entries. Times are put in as they come, so an entry moves past those of its
// own instant only.
//
//   done.add({sequence, now, first});
//   if (const auto completion = done.take(limit)) return completion;
#pragma once

#include <deque>
#include <iterator>
#include <optional>

#include "memory/timing.h"

namespace accelscope::memory {

class CompletionQueue {
 public:
  void add(const Completion& completion) {
    auto place = entries_.end();
    while (place != entries_.begin() && std::prev(place)->time == completion.time &&
           std::prev(place)->sequence > completion.sequence)
      --place;
    entries_.insert(place, completion);
  }
  bool empty() const { return entries_.empty(); }
  // Of the first entry; the end of time without one.
  base::Picoseconds time() const {
    return entries_.empty() ? base::Picoseconds::max() : entries_.front().time;
  }
  std::optional<Completion> take(base::Picoseconds limit) {
    if (entries_.empty() || entries_.front().time > limit) return std::nullopt;
    const Completion completion = entries_.front();
    entries_.pop_front();
    return completion;
  }

 private:
  std::deque<Completion> entries_;
};

}  // namespace accelscope::memory
