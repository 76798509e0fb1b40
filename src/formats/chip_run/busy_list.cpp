#include "formats/chip_run/busy_list.h"

#include <algorithm>

namespace accelscope::formats::chip_run {

void BusyList::add_chunk() {
  chunks_.push_back(std::make_unique_for_overwrite<Entry[]>(kChunkEntries));
  next_ = chunks_.back().get();
  chunk_end_ = next_ + kChunkEntries;
}

void BusyList::add_whole(const BusyTime& busy) {
  may_be_out_of_order_ = may_be_out_of_order_ || (next_ != chunks_[0].get() && busy.begin < last_end_);
  whole_.push_back(busy);
  *next_ = {kWhole, 0};
}

void BusyList::put_in_order() {
  if (!may_be_out_of_order_) return;
  std::vector<BusyTime> all;
  for_each([&](const BusyTime& busy) { all.push_back(busy); });
  std::stable_sort(all.begin(), all.end(),
                   [](const BusyTime& a, const BusyTime& b) { return a.begin < b.begin; });
  *this = {};
  for (const BusyTime& busy : all) add(busy);
}

}  // namespace accelscope::formats::chip_run
