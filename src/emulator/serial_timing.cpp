#include "emulator/serial_timing.h"

namespace accelscope::emulator {
namespace {

using base::Picoseconds;

// Exactly one unit is busy at every moment of the program; behind it the memory may be.
void spread(Accounts& accounts, isa::Unit busy, Picoseconds time, Cause others) {
  for (std::size_t unit = 0; unit < isa::kUnits; ++unit)
    accounts.units[unit].time[index(unit == index(busy) ? Cause::kBusy : others)] += time;
}

}  // namespace

TimedRun serial_accounts(std::span<const Operation> operations, std::span<const InstructionCount> counts,
                         Picoseconds period, Picoseconds end, Picoseconds latency) {
  TimedRun run;
  run.latency = run.accounts.total = latency;
  count_instructions(operations, counts, period, run);
  std::array<Picoseconds, isa::kUnits> busy{};
  for (std::size_t i = 0; i < operations.size(); ++i)
    busy[index(operations[i].unit)] += run.by_instruction[i].busy;
  for (std::size_t unit = 0; unit < isa::kUnits; ++unit)
    spread(run.accounts, static_cast<isa::Unit>(unit), busy[unit],
           cause_of_waiting_for(static_cast<isa::Unit>(unit)));
  spread(run.accounts, isa::Unit::kMemory, latency - end, Cause::kDrain);
  return run;
}

}  // namespace accelscope::emulator
