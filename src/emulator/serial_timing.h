// The reference's timing: one instruction after the other, each completely, transfers too.
//
// Time is the sum of all cycles, and of what transfers take. While it goes only cycles are summed and
// instructions counted; all accounts follow from that. Used by one thread; operations, port and logger
// outlive it.
//
//   SerialTiming<NoLogger> timing(operations, {machine, words, period}, port, logger);
//   run_loop(operations, core, timing, limits);
//   const TimedRun run = timing.finish();
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.h"
#include "emulator/operation.h"
#include "emulator/run_logger.h"
#include "emulator/timed_run.h"
#include "emulator/transfer_port.h"

namespace accelscope::emulator {

// Everything about a serial run, from what was counted. `end` is that of the program, `latency` that of all.
TimedRun serial_accounts(std::span<const Operation> operations, std::span<const InstructionCount> counts,
                         base::Picoseconds period, base::Picoseconds end, base::Picoseconds latency);

template <class Logger>
class SerialTiming {
 public:
  SerialTiming(std::span<const Operation> operations, const TimingSetup& setup, TransferPort& port,
               Logger& logger)
      : operations_(operations),
        machine_(setup.machine),
        period_(setup.period),
        port_(port),
        logger_(logger),
        counts_(operations.size()) {}

  void operate(std::uint32_t pc, const Operation& operation, const Registers&) { pass(pc, operation); }
  void transfer(std::uint32_t pc, const Operation& operation, const Registers& registers) {
    const base::Picoseconds start = now();
    const Transferred done = port_.carry_out(plan_transfer(operation, registers, machine_), start);
    InstructionCount& counted = counts_[pc];
    ++counted.count;
    counted.add(done);
    if constexpr (Logger::kWrites) logger_.transfer(pc, start, done.end);
  }
  bool too_long() const {
    constexpr base::Int128 kMost = std::int64_t{1} << 62;
    return static_cast<base::Int128>(cycles_) * period_.value + port_.time().value > kMost;
  }

  base::Picoseconds now() const {
    return base::Picoseconds{static_cast<std::int64_t>(cycles_) * period_.value} + port_.time();
  }
  TimedRun finish() { return serial_accounts(operations_, counts_, period_, now(), port_.quiet_from(now())); }

 private:
  void pass(std::uint32_t pc, const Operation& operation) {
    ++counts_[pc].count;
    if constexpr (Logger::kWrites) {
      const base::Picoseconds start = now();
      cycles_ += operation.cost.whole();
      logger_.operation(pc, operation.unit, start, start, now());
    } else {
      cycles_ += operation.cost.whole();
    }
  }

  std::span<const Operation> operations_;
  const isa::Machine& machine_;
  base::Picoseconds period_;
  TransferPort& port_;
  Logger& logger_;
  std::vector<InstructionCount> counts_;
  std::uint64_t cycles_ = 0;
};

}  // namespace accelscope::emulator
