#include "memory/completion_calendar.h"

#include <algorithm>
#include <utility>

namespace accelscope::memory {

void CompletionCalendar::open_day() {
  while (day_of(from_).empty()) ++from_;
  std::vector<KnownCompletion>& day = day_of(from_);
  const auto earlier = [](const KnownCompletion& a, const KnownCompletion& b) {
    return a.sequence < b.sequence;
  };
  // Mostly they come in order.
  if (!std::is_sorted(day.begin(), day.end(), earlier)) std::sort(day.begin(), day.end(), earlier);
  next_ = day.data();
  end_ = next_ + day.size();
}

void CompletionCalendar::close_day() {
  day_of(from_).clear();
  next_ = end_ = nullptr;
}

void CompletionCalendar::make_place(std::int64_t tick) {
  forget_taken();
  if (count_ == 0) {
    from_ = tick;
    return;
  }
  // The last one must have a place too, whichever is the first.
  std::int64_t last = std::max(tick, from_);
  if (tick < from_) {
    last = from_ + static_cast<std::int64_t>(mask_);
    while (day_of(last).empty()) --last;
  }
  from_ = std::min(from_, tick);
  while (static_cast<std::uint64_t>(last - from_) > mask_) grow();
}

void CompletionCalendar::forget_taken() {
  if (next_ == end_) return;
  std::vector<KnownCompletion>& day = day_of(from_);
  day.erase(day.begin(), day.begin() + (next_ - day.data()));
  next_ = end_ = nullptr;
}

void CompletionCalendar::grow() {
  std::vector<std::vector<KnownCompletion>> before(days_.size() * 2);
  before.swap(days_);
  mask_ = days_.size() - 1;
  for (std::vector<KnownCompletion>& day : before)
    if (!day.empty()) day_of(day.front().tick) = std::move(day);
}

}  // namespace accelscope::memory
