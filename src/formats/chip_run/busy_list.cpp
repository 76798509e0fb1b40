#include "formats/chip_run/busy_list.h"

#include <algorithm>

namespace accelscope::formats::chip_run {

void BusyList::add_chunk() {
  // Not initialised, so that memory is touched when it is used.
  chunks_.push_back(std::make_unique_for_overwrite<std::uint32_t[]>(kChunk));
  next_ = chunks_.back().get();
  chunk_end_ = next_ + kChunk;
}

void BusyList::turn_whole(const Moment& moment) {
  const bool first = next_ == chunks_.front().get();
  may_be_out_of_order_ =
      may_be_out_of_order_ || (!first && moment.time.value < static_cast<std::int64_t>(last_));
  whole_.push_back(moment);
  *next_++ = kWhole;
  last_ = static_cast<std::uint64_t>(moment.time.value);
}

void BusyList::put_in_order() {
  if (!may_be_out_of_order_) return;
  std::vector<BusyTime> all;
  for_each([&](const BusyTime& busy) { all.push_back(busy); });
  std::stable_sort(all.begin(), all.end(),
                   [](const BusyTime& a, const BusyTime& b) { return a.begin < b.begin; });
  *this = {};
  for (const BusyTime& busy : all) {
    busy.begin_unknown ? turn_about(busy.begin) : turn(busy.begin);
    busy.end_unknown ? turn_about(busy.end) : turn(busy.end);
  }
}

}  // namespace accelscope::formats::chip_run
