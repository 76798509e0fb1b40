#include "emulator/timed_run.h"

namespace accelscope::emulator {

void count_instructions(std::span<const Operation> operations, std::span<const InstructionCount> counts,
                        base::Picoseconds period, TimedRun& run) {
  run.by_instruction.reserve(operations.size());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const InstructionCount& counted = counts[i];
    const auto cycles = static_cast<std::int64_t>(counted.count * operations[i].cost.whole());
    run.by_instruction.push_back({.count = counted.count,
                                  .busy = period * cycles + counted.transfers,
                                  .stalled = counted.stalled,
                                  .bytes_read = counted.bytes_read,
                                  .bytes_written = counted.bytes_written});
    run.accounts.units[index(operations[i].unit)].operations += counted.count;
  }
}

}  // namespace accelscope::emulator
