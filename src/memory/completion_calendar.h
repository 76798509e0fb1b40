// Completions that are known before their time: put in in any order, taken out by (tick, sequence). Ticks lie
// close together, so there is a place for each of the next ones and no sorting beyond those of the same tick.
//
// One thread uses one calendar.
//
//   calendar.put({.tick = 40, .sequence = 3, .first = 24});
//   while (!calendar.empty() && calendar.next().tick <= certain) report(calendar.take());
#pragma once

#include <algorithm>
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

  void put(const KnownCompletion& completion) {
    if (count_ == 0 || completion.tick < from_) rebase(completion.tick);
    while (completion.tick - from_ >= static_cast<std::int64_t>(days_.size())) grow();
    std::vector<KnownCompletion>& day = day_of(completion.tick);
    // Of the same tick they come nearly in order.
    auto place = day.end();
    while (place != day.begin() && std::prev(place)->sequence < completion.sequence) --place;
    day.insert(place, completion);
    ++count_;
  }
  // Both only when it is not empty.
  const KnownCompletion& next() {
    while (day_of(from_).empty()) ++from_;
    return day_of(from_).back();
  }
  KnownCompletion take() {
    const KnownCompletion completion = next();
    day_of(from_).pop_back();
    --count_;
    return completion;
  }

 private:
  std::vector<KnownCompletion>& day_of(std::int64_t tick) {
    return days_[static_cast<std::size_t>(tick) & (days_.size() - 1)];
  }
  void rebase(std::int64_t tick) {
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
  void grow() {
    std::vector<std::vector<KnownCompletion>> before(days_.size() * 2);
    before.swap(days_);
    for (std::vector<KnownCompletion>& day : before)
      if (!day.empty()) day_of(day.front().tick) = std::move(day);
  }

  std::vector<std::vector<KnownCompletion>> days_ = std::vector<std::vector<KnownCompletion>>(256);
  std::int64_t from_ = 0;  // nothing is earlier
  std::size_t count_ = 0;
};

}  // namespace accelscope::memory
