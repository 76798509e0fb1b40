// Completions that are known before their time: put in in any order, taken out by (tick, sequence). Ticks lie
// close together, so there is a place for each of the next ones and no sorting beyond those of the same tick.
//
// One thread uses one calendar.
//
//   calendar.put(40, 3, 24);
//   while (!calendar.empty() && calendar.next().tick <= certain) { report(calendar.next()); calendar.drop();
//   }
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace accelscope::memory {

struct KnownCompletion {
  std::int64_t tick = 0;
  std::uint64_t sequence = 0;
  std::int64_t first = 0;
};

class CompletionCalendar {
 public:
  bool empty() const { return count_ == 0; }

  void put(std::int64_t tick, std::uint64_t sequence, std::int64_t first) {
    if (count_ == 0 || tick < from_) rebase(tick);
    while (tick - from_ >= static_cast<std::int64_t>(days_.size())) grow();
    if (tick == from_) sorted_ = false;
    day_of(tick).push_back({tick, sequence, first});
    ++count_;
  }
  // Both only when it is not empty.
  const KnownCompletion& next() {
    while (day_of(from_).empty()) {
      ++from_;
      sorted_ = false;
    }
    std::vector<KnownCompletion>& day = day_of(from_);
    if (!sorted_ && day.size() > 1)
      std::sort(day.begin() + static_cast<std::ptrdiff_t>(taken_), day.end(),
                [](const KnownCompletion& a, const KnownCompletion& b) { return a.sequence < b.sequence; });
    sorted_ = true;
    return day[taken_];
  }
  void drop() {
    next();
    std::vector<KnownCompletion>& day = day_of(from_);
    --count_;
    if (++taken_ < day.size()) return;
    day.clear();
    taken_ = 0;
  }

 private:
  std::vector<KnownCompletion>& day_of(std::int64_t tick) {
    return days_[static_cast<std::size_t>(tick) & (days_.size() - 1)];
  }
  void rebase(std::int64_t tick) {
    sorted_ = false;
    forget_taken();
    if (count_ == 0) {
      from_ = tick;
      return;
    }
    // Earlier than all that are there: the last of them must still have a place.
    std::int64_t last = from_ + static_cast<std::int64_t>(days_.size()) - 1;
    while (day_of(last).empty()) --last;
    while (last - tick >= static_cast<std::int64_t>(days_.size())) grow();
    from_ = tick;
  }
  void forget_taken() {
    std::vector<KnownCompletion>& day = day_of(from_);
    day.erase(day.begin(), day.begin() + static_cast<std::ptrdiff_t>(taken_));
    taken_ = 0;
  }
  void grow() {
    forget_taken();
    std::vector<std::vector<KnownCompletion>> before(days_.size() * 2);
    before.swap(days_);
    for (std::vector<KnownCompletion>& day : before)
      if (!day.empty()) day_of(day.front().tick) = std::move(day);
  }

  std::vector<std::vector<KnownCompletion>> days_ = std::vector<std::vector<KnownCompletion>>(256);
  std::int64_t from_ = 0;  // nothing is earlier
  std::size_t count_ = 0;
  bool sorted_ = false;    // those of `from_` that are left
  std::size_t taken_ = 0;  // of those of `from_`
};

}  // namespace accelscope::memory
