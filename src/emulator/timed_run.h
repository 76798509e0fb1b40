// What every timing is given, and what it knows when a run is over.
//
// Plain data, owned by whoever holds it.
//
//   OverlapTiming<NoLogger> timing(operations, {machine, words, period}, port, logger);
//   const TimedRun run = timing.finish();
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "emulator/accounts.h"
#include "emulator/costs.h"
#include "emulator/critical_path.h"
#include "emulator/operation.h"
#include "emulator/transfer_port.h"
#include "isa/machine.h"

namespace accelscope::emulator {

struct TimingSetup {
  const isa::Machine& machine;           // this and the next outlive the timing
  std::span<const std::uint32_t> words;  // of the operations
  base::Picoseconds period;              // of a cycle
  CostTable costs = CostTable::kReference;
  bool recovery_cycles = false;  // of overlap
};

// What one instruction of the listing did, as far as it does not follow from its cost.
struct InstructionCount {
  std::uint64_t count = 0;
  base::Picoseconds stalled{};
  base::Picoseconds transfers{};
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;

  void add(const Transferred& done) {
    transfers += done.duration();
    bytes_read += done.bytes_read;
    bytes_written += done.bytes_written;
  }
};

struct TimedRun {
  base::Picoseconds latency{};
  Accounts accounts = {};
  std::vector<InstructionAccount> by_instruction = {};
  std::optional<CriticalPath> critical_path = std::nullopt;
};

// The accounts of all instructions, and in `run` how many operations each unit had.
void count_instructions(std::span<const Operation> operations, std::span<const InstructionCount> counts,
                        base::Picoseconds period, TimedRun& run);

}  // namespace accelscope::emulator
