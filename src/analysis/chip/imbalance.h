// Whether the cores of an engine share its work evenly, and which of them never worked. The longest gaps and
// their causes are in CoreTime.
//
// Pure function of plain data; the answer owns what it holds, engines point into the trace.
//
//   for (const EngineBalance& b : imbalance(chip, core_time)) show(b.engine, b.imbalance(), b.idle_cores);
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/chip/core_time.h"

namespace accelscope::analysis::chip {

struct EngineBalance {
  std::string_view engine = {};
  std::uint32_t cores = 0;
  Ticks busy_min = {};
  Ticks busy_max = {};
  Ticks busy_total = {};
  std::uint32_t busiest = 0;                   // position in ChipRun::cores
  std::vector<std::uint32_t> idle_cores = {};  // ran nothing at all; positions in ChipRun::cores

  double busy_mean() const;
  double imbalance() const;  // max / mean: 1 is even, `cores` is one core doing all; 0 when nothing ran
};

// By engine, as CoreTime::engines.
std::vector<EngineBalance> imbalance(const trace::ChipRun& chip, const CoreTime& core_time);

}  // namespace accelscope::analysis::chip
