// What every timing is given, and what it knows when a run is over.
//
// Plain data, owned by whoever holds it.
//
//   OverlapTiming<NoLogger> timing(operations, {machine, {1000}}, port, logger);
//   const TimedRun run = timing.finish();
#pragma once

#include <optional>
#include <vector>

#include "base/units.h"
#include "emulator/accounts.h"
#include "emulator/costs.h"
#include "emulator/critical_path.h"
#include "isa/machine.h"

namespace accelscope::emulator {

struct TimingSetup {
  const isa::Machine& machine;  // outlives the timing
  base::Picoseconds period;     // of a cycle
  CostTable costs = CostTable::kReference;
  bool recovery_cycles = false;  // of overlap
};

struct TimedRun {
  base::Picoseconds latency{};
  Accounts accounts = {};
  std::vector<InstructionAccount> by_instruction = {};
  std::optional<CriticalPath> critical_path = std::nullopt;
};

}  // namespace accelscope::emulator
