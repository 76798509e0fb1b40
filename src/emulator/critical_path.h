// The chain of operations that a run could not have been shorter than, given its costs: from the end
// backwards, always to what the start of an operation waited for.
//
// Plain data; owned by whoever holds it. The steps' times sum to the latency of the run.
//
//   path.by_unit[index(isa::Unit::kMemory)]
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/units.h"
#include "isa/instruction.h"

namespace accelscope::emulator {

struct CriticalPath {
  base::Picoseconds total{};
  std::array<base::Picoseconds, isa::kUnits> by_unit{};
  base::Picoseconds issue{};  // one instruction a cycle, between operations that wait for nothing
  // By instruction of the listing: how much of the path is its own.
  std::vector<base::Picoseconds> by_instruction = {};
  // False where only `by_unit` and `issue` are known. The emulator's own is complete for runs of any length.
  bool complete = true;
};

}  // namespace accelscope::emulator
