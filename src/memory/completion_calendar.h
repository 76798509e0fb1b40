// Completions that are known before their time: put in in any order, taken out by (tick, sequence). Ticks lie
// close together, so there is a place for each of the next ones and no sorting beyond those of the same tick.
//
// One thread uses one calendar.
//
//   calendar.put(40, 3, 24);
//   while (!calendar.empty() && calendar.next().tick <= certain) { report(calendar.next()); calendar.drop();
//   }
#pragma once

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
    const bool among_later = tick > from_ && static_cast<std::uint64_t>(tick - from_) <= mask_;
    if (!among_later || count_ == 0) make_place(tick);
    day_of(tick).push_back({tick, sequence, first});
    ++count_;
  }
  // Both only when it is not empty.
  const KnownCompletion& next() {
    if (next_ == end_) open_day();
    return *next_;
  }
  void drop() {
    next();
    --count_;
    if (++next_ == end_) close_day();
  }

 private:
  std::vector<KnownCompletion>& day_of(std::int64_t tick) {
    return days_[static_cast<std::size_t>(tick) & mask_];
  }
  void open_day();
  void close_day();
  // For one that is the first of all, not later than the first day, or later than there are days.
  void make_place(std::int64_t tick);
  void forget_taken();
  void grow();

  std::vector<std::vector<KnownCompletion>> days_ = std::vector<std::vector<KnownCompletion>>(256);
  std::size_t mask_ = days_.size() - 1;
  std::int64_t from_ = 0;  // nothing is earlier
  std::size_t count_ = 0;
  // What is left of the day of `from_`, in order; nothing when it must be put in order first.
  const KnownCompletion* next_ = nullptr;
  const KnownCompletion* end_ = nullptr;
};

}  // namespace accelscope::memory
