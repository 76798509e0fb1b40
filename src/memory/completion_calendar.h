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
    if (tick == from_) today_ = nullptr;
    day_of(tick).push_back({tick, sequence, first});
    ++count_;
  }
  // Both only when it is not empty.
  const KnownCompletion& next() {
    if (today_ == nullptr) open_day();
    return (*today_)[taken_];
  }
  void drop() {
    next();
    --count_;
    if (++taken_ < today_->size()) return;
    today_->clear();
    today_ = nullptr;
    taken_ = 0;
  }

 private:
  void open_day() {
    while (day_of(from_).empty()) ++from_;
    today_ = &day_of(from_);
    const auto first = today_->begin() + static_cast<std::ptrdiff_t>(taken_);
    const auto earlier = [](const KnownCompletion& a, const KnownCompletion& b) {
      return a.sequence < b.sequence;
    };
    // Mostly they come in order.
    if (!std::is_sorted(first, today_->end(), earlier)) std::sort(first, today_->end(), earlier);
  }
  std::vector<KnownCompletion>& day_of(std::int64_t tick) {
    return days_[static_cast<std::size_t>(tick) & mask_];
  }
  void rebase(std::int64_t tick) {
    today_ = nullptr;
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
    mask_ = days_.size() - 1;
    today_ = nullptr;
    for (std::vector<KnownCompletion>& day : before)
      if (!day.empty()) day_of(day.front().tick) = std::move(day);
  }

  std::vector<std::vector<KnownCompletion>> days_ = std::vector<std::vector<KnownCompletion>>(256);
  std::size_t mask_ = days_.size() - 1;
  std::int64_t from_ = 0;  // nothing is earlier
  std::size_t count_ = 0;
  std::vector<KnownCompletion>* today_ = nullptr;  // that of `from_`; what is left of it is in order
  std::size_t taken_ = 0;                          // of those of `from_`
};

}  // namespace accelscope::memory
