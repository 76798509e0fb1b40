#include "emulator/serial_timing.h"

namespace accelscope::emulator {
namespace {

using base::Picoseconds;

// What all others wait for while a unit works.
Cause cause_of(isa::Unit unit) {
  switch (unit) {
    case isa::Unit::kMatrix:
      return Cause::kMatrix;
    case isa::Unit::kVector:
      return Cause::kVector;
    case isa::Unit::kScalar:
      return Cause::kScalar;
    case isa::Unit::kControl:
      return Cause::kIssue;
    case isa::Unit::kMemory:
      return Cause::kTransfer;
  }
  return Cause::kIssue;
}

// Exactly one unit is busy at every moment of the program; behind it the memory may be.
void spread(Accounts& accounts, isa::Unit busy, Picoseconds time, Cause others) {
  for (std::size_t unit = 0; unit < isa::kUnits; ++unit)
    accounts.units[unit].time[index(unit == index(busy) ? Cause::kBusy : others)] += time;
}

}  // namespace

TimedRun serial_accounts(std::span<const Operation> operations, std::span<const SerialCount> counts,
                         Picoseconds period, Picoseconds end, Picoseconds latency) {
  TimedRun run;
  run.latency = run.accounts.total = latency;
  run.by_instruction.reserve(operations.size());
  std::array<Picoseconds, isa::kUnits> busy{};
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    const SerialCount& counted = counts[i];
    const Picoseconds time =
        period * static_cast<std::int64_t>(counted.count * operation.cost.whole()) + counted.transfers;
    run.by_instruction.push_back({.count = counted.count,
                                  .busy = time,
                                  .stalled = {},
                                  .bytes_read = counted.bytes_read,
                                  .bytes_written = counted.bytes_written});
    busy[index(operation.unit)] += time;
    run.accounts.units[index(operation.unit)].operations += counted.count;
  }
  for (std::size_t unit = 0; unit < isa::kUnits; ++unit)
    spread(run.accounts, static_cast<isa::Unit>(unit), busy[unit], cause_of(static_cast<isa::Unit>(unit)));
  spread(run.accounts, isa::Unit::kMemory, latency - end, Cause::kDrain);
  return run;
}

}  // namespace accelscope::emulator
