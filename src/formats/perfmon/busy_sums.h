// How long each pipe was busy in each of many windows, such as the tasks of a core, without keeping
// intervals.
//
// A visitor of a decoder (decoder.h). Windows are sorted and do not overlap; time is split exactly at their
// borders, and what lies in none of them is summed, too. A window also says for how long the pipes were
// known: what is missing to its length was lost, or never recorded. One thread uses one BusySums; windows are
// the caller's and are added to, so a second stream of the same core may follow.
//
//   std::vector<BusyWindow> tasks{{.begin = Ticks{100}, .end = Ticks{200}}, ...};
//   BusySums sums(tasks);
//   decoder.feed(bytes, sums);
//   sums.finish(decoder.time());
//   tasks[0].busy[static_cast<std::size_t>(Pipe::kCube)]
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "formats/perfmon/decoder.h"

namespace accelscope::formats::perfmon {

struct BusyWindow {
  base::Ticks begin = {};
  base::Ticks end = {};  // behind it
  std::array<base::Ticks, kPipes> busy = {};
  base::Ticks known = {};  // for how long it was known which pipes were busy
};

namespace details {

// A lane for each pipe, and one for the time that is known: as many as vector registers hold.
inline constexpr std::size_t kLanes = 8;
inline constexpr unsigned kKnownBit = 1U << kPipes;
using Lanes = std::array<std::uint64_t, kLanes>;

// For every mask the lanes that count, as bits to and with: an addition to all lanes without a branch.
alignas(64) inline constexpr auto kLaneMasks = [] {
  std::array<Lanes, 1U << kLanes> masks = {};
  for (std::size_t mask = 0; mask < masks.size(); ++mask)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      masks[mask][lane] = ((mask >> lane) & 1U) != 0 ? ~std::uint64_t{0} : 0;
  return masks;
}();

}  // namespace details

class BusySums : public VisitNothing {
 public:
  explicit BusySums(std::span<BusyWindow> windows) : windows_(windows) {}

  void stamp(base::Ticks base, std::uint32_t /*block*/) {
    if (!placed_) place(base.value);
  }
  void state(base::Ticks time, PipeMask busy) {
    pass_to(time.value);
    mask_ = busy | details::kKnownBit;
  }
  void end_of_block(base::Ticks time) {
    pass_to(time.value);
    mask_ = details::kKnownBit;
  }
  void lost(base::Ticks reached) {
    finish(reached);
    placed_ = false;
    mask_ = 0;
  }
  // Nothing comes after this time. Call it before the windows are read.
  void finish(base::Ticks reached) {
    if (!placed_) return;
    pass_to(reached.value);
    settle();
  }

  // What lies in no window, from the first to the last word; its begin and end mean nothing.
  const BusyWindow& outside() const { return outside_; }

 private:
  void pass_to(std::int64_t time) {
    if (time >= border_) [[unlikely]]
      cross_borders(time);
    add(time);
  }

  void add(std::int64_t time) {
    const auto elapsed = static_cast<std::uint64_t>(time - time_);
    const details::Lanes& counting = details::kLaneMasks[mask_];
    for (std::size_t lane = 0; lane < details::kLanes; ++lane) lanes_[lane] += elapsed & counting[lane];
    time_ = time;
  }

  void cross_borders(std::int64_t time) {
    while (time >= border_) {
      add(border_);
      settle();
      window_ += inside_ ? 1 : 0;
      inside_ = !inside_;
      find_border();
    }
  }

  // What was summed goes to where it belongs.
  void settle() {
    BusyWindow& place = inside_ ? windows_[window_] : outside_;
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
      place.busy[pipe].value += static_cast<std::int64_t>(lanes_[pipe]);
    place.known.value += static_cast<std::int64_t>(lanes_[kPipes]);
    lanes_ = {};
  }

  // At a stamp that has nothing to do with what came before.
  void place(std::int64_t time) {
    const auto found = std::partition_point(
        windows_.begin(), windows_.end(), [&](const BusyWindow& window) { return window.end.value <= time; });
    window_ = static_cast<std::size_t>(found - windows_.begin());
    inside_ = found != windows_.end() && found->begin.value <= time;
    find_border();
    time_ = time;
    placed_ = true;
  }

  void find_border() {
    if (window_ == windows_.size())
      border_ = std::numeric_limits<std::int64_t>::max();
    else
      border_ = inside_ ? windows_[window_].end.value : windows_[window_].begin.value;
  }

  std::span<BusyWindow> windows_;
  std::size_t window_ = 0;  // that time is in, or comes to next
  bool inside_ = false;
  bool placed_ = false;                 // there is a time to count from
  unsigned mask_ = details::kKnownBit;  // a stream that begins with a stamp begins idle
  std::int64_t time_ = 0;
  std::int64_t border_ = 0;  // where what is summed goes to another window
  details::Lanes lanes_ = {};
  BusyWindow outside_ = {};
};

}  // namespace accelscope::formats::perfmon
