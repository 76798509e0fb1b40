// Overlapping timing: units work at the same time, as far as an in-order issue lets them (scoreboard.h).
//
// Used by one thread; operations, port and logger outlive it.
//
//   OverlapTiming<NoLogger> timing(operations, {machine, words, period}, port, logger);
//   run_loop(operations, core, timing, limits);
//   const TimedRun run = timing.finish();
#pragma once

#include <cstdint>
#include <span>

#include "emulator/run_logger.h"
#include "emulator/scoreboard.h"
#include "emulator/timed_run.h"
#include "emulator/transfer_port.h"

namespace accelscope::emulator {

template <class Logger>
class OverlapTiming {
 public:
  OverlapTiming(std::span<const Operation> operations, const TimingSetup& setup, TransferPort& port,
                Logger& logger)
      : machine_(setup.machine), port_(port), logger_(logger), board_(operations, setup) {}

  void operate(std::uint32_t pc, [[maybe_unused]] const Operation& operation, const Registers& registers) {
    const Issued issued = board_.is_prompt(pc) ? board_.issue_prompt(pc) : board_.issue(pc, registers);
    if constexpr (Logger::kWrites)
      logger_.operation(pc, operation.unit, issued.issued, issued.start, issued.end);
  }
  void transfer(std::uint32_t pc, const Operation& operation, const Registers& registers) {
    const base::Picoseconds start = board_.begin_transfer(pc, registers);
    const Transferred done = port_.carry_out(plan_transfer(operation, registers, machine_), start);
    board_.end_transfer(pc, done, registers);
    if constexpr (Logger::kWrites) logger_.transfer(pc, done.start, done.end);
  }
  bool too_long() const { return board_.end().value > std::int64_t{1} << 62; }

  TimedRun finish() { return board_.finish(port_.quiet_from(board_.end())); }

 private:
  const isa::Machine& machine_;
  TransferPort& port_;
  Logger& logger_;
  Scoreboard board_;
};

}  // namespace accelscope::emulator
