// When one pipe was busy: the moments at which it turned busy and idle, in turns, 4 bytes each. A core has
// millions of them, and what costs most about a list is touching its memory for the first time.
//
// Each is kept as the ticks since the one before. Where that does not fit, where time went backwards, and
// where the moment is only the last or first at which the pipe was certainly busy, it is kept whole beside
// that. One thread fills it; it owns what it holds.
//
//   BusyList list;
//   list.turn(Ticks{10});
//   list.turn(Ticks{30});
//   list.for_each([](const BusyTime& busy) { ... });   // [10, 30)
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

  // From idle to busy, or back.
  void turn(base::Ticks time) { turn_if(true, time); }
  // The same without a branch on whether it is one: which pipes turn is hard to predict.
  void turn_if(bool turns, base::Ticks time) {
    if (next_ == chunk_end_) [[unlikely]]
      add_chunk();
    // Wraps around, to something large, where time went backwards.
    const std::uint64_t after = static_cast<std::uint64_t>(time.value) - last_;
    if (after >= kWhole) [[unlikely]] {
      if (turns) turn_whole({time, false});
      return;
    }
    *next_ = static_cast<std::uint32_t>(after);
    const std::uint64_t one_or_none = turns ? 1 : 0;
    next_ += one_or_none;
    last_ += after & (0 - one_or_none);
  }
  // It was busy at this time, and perhaps before the first or after the second of two.
  void turn_about(base::Ticks time) {
    if (next_ == chunk_end_) add_chunk();
    turn_whole({time, true});
  }

  template <class Visit>
  void for_each(const Visit& visit) const {
    std::uint64_t last = 0;
    auto whole = whole_.begin();
    const auto moment = [&](std::uint32_t after, bool& about) {
      last += after;
      if (after == kWhole) [[unlikely]] {
        last = static_cast<std::uint64_t>(whole->time.value);
        about = whole->about;
        ++whole;
      }
      return base::Ticks{static_cast<std::int64_t>(last)};
    };
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const std::uint32_t* at = chunks_[i].get();
      const std::uint32_t* const end = i + 1 < chunks_.size() ? at + kChunk : next_;
      for (; at + 2 <= end; at += 2) {
        BusyTime busy;
        busy.begin = moment(at[0], busy.begin_unknown);
        busy.end = moment(at[1], busy.end_unknown);
        visit(busy);
      }
    }
  }

  // By begin; equal ones stay as they were. Only of a pipe that is idle at the end.
  void put_in_order();

 private:
  struct Moment {
    base::Ticks time = {};
    bool about = false;
  };
  static constexpr std::uint32_t kWhole = 0xFFFFFFFF;
  static constexpr std::size_t kChunk = 16384;  // even: both ends of an interval are in the same one

  void add_chunk();
  void turn_whole(const Moment& moment);

  std::vector<std::unique_ptr<std::uint32_t[]>> chunks_;
  std::vector<Moment> whole_;
  std::uint32_t* next_ = nullptr;
  std::uint32_t* chunk_end_ = nullptr;
  std::uint64_t last_ = 0;
  bool may_be_out_of_order_ = false;
};

}  // namespace accelscope::formats::chip_run
