// Adds up the time of cores by class: per core, per engine, over time, and for the longest gaps.
//
// One owner, one thread. Every moment of every core is to be added once; the tally does not check that.
//
//   CoreTally tally(chip, window, 60);
//   tally.add({core, from, to, CoreClass::kBusy});
//   CoreTime time = std::move(tally).finish();
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/chip/core_time.h"
#include "analysis/chip/wait_sweep.h"

namespace accelscope::analysis::chip {

class CoreTally {
 public:
  CoreTally(const trace::ChipRun& chip, Window window, std::uint32_t buckets);

  void add(const WaitPiece& piece);
  // A piece that was added, too: it was spent on a MIX task.
  void add_mix(const WaitPiece& piece);
  void count_part(std::uint32_t core) { ++time_.parts[core]; }
  // A gap, with the times of the pieces of it that are known already. It is kept if it is long.
  void add_gap(const CoreGap& gap);
  // A piece of a gap that was handed over before.
  void add_late(const WaitPiece& piece);

  std::uint32_t engine_of(std::uint32_t core) const { return engine_of_[core]; }
  std::size_t engines() const { return time_.engines.size(); }
  std::string_view engine(std::size_t engine) const { return time_.engines[engine].engine; }
  CoreTime finish() &&;

 private:
  void add_to_buckets(const WaitPiece& piece, std::vector<ClassTimes>& buckets);

  CoreTime time_;
  std::vector<std::uint32_t> engine_of_;  // per core
  std::vector<std::uint32_t> gaps_of_;    // per core: how many of its gaps are kept
  std::size_t bucket_ = 0;                // of the piece added last: the next one is near
};

}  // namespace accelscope::analysis::chip
