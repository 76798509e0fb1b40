// The hardware loops that are open while a program runs.
//
// A loop is known by its counter, an integer register that holds the rounds that are left. The end of a loop
// looks for the innermost one with its register; what is open inside of that stays open, as in the reference.
// One round of a loop must not carry out more instructions than the settings allow, those of loops inside it
// included; that is looked at where a loop ends. Strict rules keep hands off counters and gp0, want loops to
// end inside out, and know no break. Used by one thread.
//
//   if (Fault fault = loops.end(operation, pc, carried_out, registers); fault.found()) ...
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/core.h"
#include "emulator/operation.h"
#include "emulator/state.h"

namespace accelscope::emulator {

class LoopStack {
 public:
  LoopStack(Rules rules, std::uint64_t longest_round)
      : strict_(rules == Rules::kStrict), longest_round_(longest_round) {}

  // Integer registers that nobody but a loop may write now, a bit for each; none under compat.
  std::uint32_t counters() const { return counters_; }
  // Why one of them was not to be written.
  Fault fault_of_write(std::uint32_t gp) const;

  // `carried_out` counts all instructions up to and including this one. `pc` is where the run goes on.
  Fault start(const Operation& operation, std::uint32_t& pc, std::uint64_t carried_out, Registers& registers);
  Fault end(const Operation& operation, std::uint32_t& pc, std::uint64_t carried_out, Registers& registers) {
    if (!open_.empty() && open_.back().counter == operation.rd) {
      Open& loop = open_.back();
      std::uint32_t& left = registers.gp[operation.rd];
      if (left > 1 && carried_out - open_.front().since <= longest_round_) {
        --left;
        loop.since = carried_out;
        pc = loop.start + 1;
        return {};
      }
    }
    return end_of_any(operation, pc, carried_out, registers);
  }
  Fault break_out(std::uint32_t& pc, Registers& registers);
  // The program is over.
  Fault finish() const;

 private:
  struct Open {
    std::uint32_t start = 0;
    std::uint8_t counter = 0;
    std::uint64_t since = 0;  // what had been carried out when the round began
  };

  Fault end_of_any(const Operation& operation, std::uint32_t& pc, std::uint64_t carried_out,
                   Registers& registers);
  Fault check_round(const Open& loop, std::uint64_t carried_out) const;
  void close(std::size_t position);

  bool strict_;
  std::uint64_t longest_round_;
  std::uint32_t counters_ = 0;
  std::vector<Open> open_;
};

}  // namespace accelscope::emulator
