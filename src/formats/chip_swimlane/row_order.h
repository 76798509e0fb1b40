// Puts the rows of cores in order, and finds those that are not real: the defect of the recorder by which a
// core's last buffer carries rows that another core left in it (docs/formats.md, "Chip swimlane").
//
// One thread; works on the columns in place. Memory beyond them only where something is wrong.
//
//   const RowTrouble trouble = settle_rows(capture.cores);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/chip_swimlane/capture.h"

namespace accelscope::formats::chip_swimlane {

// Keeps the rows at these positions, in this order.
void take_rows(CoreRows& rows, const std::vector<std::size_t>& order);

struct RowTrouble {
  std::uint64_t duplicates = 0;  // rejected: another row with this sequence fits better
  std::uint64_t phantoms = 0;    // rejected: another core's row
  std::uint64_t overlaps = 0;    // kept: begins before the row in front of it ends
  std::uint64_t lost = 0;        // numbers that no row has
};

// Afterwards the sequence of every core increases. In what a flight recorder kept, numbers before the first
// row of a core are not lost.
RowTrouble settle_rows(std::vector<CoreRows>& cores, bool kept_the_last_only = false);

}  // namespace accelscope::formats::chip_swimlane
