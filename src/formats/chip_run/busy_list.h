// When one pipe was busy, in the order of adding: 8 bytes each, for a core has millions of them, and what
// costs most about a list is touching its memory for the first time.
//
// Each is kept as the ticks since the one before it ended, and its length. Those whose numbers do not fit 32
// bits, that lie before the one before, or of which one end is not known, are kept whole beside that. One
// thread fills it; it owns what it holds.
//
//   BusyList list;
//   list.add({.begin = Ticks{10}, .end = Ticks{30}});
//   list.for_each([](const BusyTime& busy) { ... });
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/units.h"

namespace accelscope::formats::chip_run {

struct BusyTime {
  base::Ticks begin = {};
  base::Ticks end = {};
  bool begin_unknown = false;  // busy at the begin, perhaps before
  bool end_unknown = false;    // busy up to the end, perhaps after
};

class BusyList {
 public:
  bool empty() const { return chunks_.empty(); }

  void add(const BusyTime& busy) {
    if (next_ == chunk_end_) [[unlikely]]
      add_chunk();
    // Wraps around, to something large, for what lies before.
    const std::uint64_t after = bits(busy.begin) - bits(last_end_);
    const std::uint64_t length = bits(busy.end) - bits(busy.begin);
    const bool small = after < kWhole && length <= 0xFFFFFFFFU && !busy.begin_unknown && !busy.end_unknown;
    if (small) [[likely]]
      *next_ = {static_cast<std::uint32_t>(after), static_cast<std::uint32_t>(length)};
    else
      add_whole(busy);
    ++next_;
    last_end_ = busy.end;
  }

  template <class Visit>
  void for_each(const Visit& visit) const {
    base::Ticks last_end = {};
    auto whole = whole_.begin();
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const Entry* const end = i + 1 < chunks_.size() ? chunks_[i].get() + kChunkEntries : next_;
      for (const Entry* entry = chunks_[i].get(); entry != end; ++entry) {
        BusyTime busy;
        if (entry->after == kWhole) [[unlikely]] {
          busy = *whole++;
        } else {
          busy.begin = last_end + base::Ticks{entry->after};
          busy.end = busy.begin + base::Ticks{entry->length};
        }
        last_end = busy.end;
        visit(busy);
      }
    }
  }

  // By begin; equal ones stay as they were.
  void put_in_order();

 private:
  struct Entry {  // not initialised, so that memory is touched when it is used
    std::uint32_t after;
    std::uint32_t length;
  };
  static constexpr std::uint32_t kWhole = 0xFFFFFFFF;
  static constexpr std::size_t kChunkEntries = 8192;

  static std::uint64_t bits(base::Ticks time) { return static_cast<std::uint64_t>(time.value); }
  void add_chunk();
  void add_whole(const BusyTime& busy);

  std::vector<std::unique_ptr<Entry[]>> chunks_;
  std::vector<BusyTime> whole_;
  Entry* next_ = nullptr;
  Entry* chunk_end_ = nullptr;
  base::Ticks last_end_ = {};
  bool may_be_out_of_order_ = false;
};

}  // namespace accelscope::formats::chip_run
