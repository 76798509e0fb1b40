// Joins what schedulers recorded about a dispatch to what its core recorded, by core and sequence.
//
// One thread; takes the scheduler's rows apart. Where both have the same numbers, which is nearly always,
// columns change hands and nothing is copied.
//
//   const JoinTrouble trouble = join_rows(capture.cores, std::move(scheduler_rows));
#pragma once

#include <cstdint>
#include <vector>

#include "formats/chip_swimlane/draft.h"

namespace accelscope::formats::chip_swimlane {

struct JoinTrouble {
  std::uint64_t core_rows_unmatched = 0;
  std::uint64_t scheduler_rows_unmatched = 0;
  std::uint64_t duplicate_scheduler_rows = 0;  // the first of a number counts
};

// The sequence of every core increases (settle_rows()).
JoinTrouble join_rows(std::vector<CoreRows>& cores, std::vector<SchedulerRows> scheduler_rows);

}  // namespace accelscope::formats::chip_swimlane
