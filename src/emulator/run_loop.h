// Goes through a program: one instruction after the other, loops included, each carried out and then told to
// a timing. What time passes is the timing's business, what changes the core's.
//
// Scalars and loops, most of what a program carries out, are done without a call. A timing has, all of them
// inlined:
//
//   void operate(pc, operation, registers)     // any but a transfer, after it was carried out
//   void transfer(pc, operation, registers)
//   bool too_long() const                      // more time has passed than can be counted
//
// Used by one thread.
//
//   const RunEnd end = run_loop(operations, core, timing, limits);
//   if (end.fault.found()) ...                 // at end.pc
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

#include "emulator/core.h"
#include "emulator/core_scalar.h"
#include "emulator/loop_stack.h"
#include "emulator/operation.h"
#include "isa/instruction_set.h"

namespace accelscope::emulator {

struct RunLimits {
  std::uint64_t most_instructions = 0;
  std::uint64_t longest_round = 0;          // of a loop, in instructions
  const std::atomic<bool>* stop = nullptr;  // set from elsewhere: end soon
  void (*progress)(void* context, std::uint64_t instructions) = nullptr;
  void* progress_context = nullptr;
};

struct RunEnd {
  std::uint64_t instructions = 0;
  bool stopped = false;
  std::uint32_t pc = 0;  // of the fault, else where the run ended
  Fault fault = {};
};

// Integer registers that an instruction writes, besides those of loops: a bit, or none.
inline std::uint32_t written_integer(const Operation& operation) {
  const bool writes =
      operation.opcode >= isa::opcode("S_ADD_INT") && operation.opcode <= isa::opcode("S_LD_INT");
  return writes ? 1U << operation.rd : 0U;
}

// How often whoever started the run is asked and told, in instructions.
inline constexpr std::uint64_t kLookAround = 65'536;

namespace run_loop_parts {

// Whether the run goes on; where not, `end` says why.
inline bool goes_on(const RunLimits& limits, RunEnd& end, bool too_long) {
  if (limits.progress != nullptr) limits.progress(limits.progress_context, end.instructions);
  if (limits.stop != nullptr && limits.stop->load(std::memory_order_relaxed)) {
    end.stopped = true;
    return false;
  }
  if (too_long) {
    end.fault = Fault("the modelled machine has been running for longer than 50 days");
    return false;
  }
  if (end.instructions < limits.most_instructions) return true;
  end.fault = Fault("the program has carried out as many instructions as it may, and goes on");
  return false;
}

inline Fault take_loop(const Operation& operation, LoopStack& loops, Core& core, std::uint32_t& pc,
                       std::uint64_t carried_out) {
  Registers& registers = core.state().registers;
  switch (operation.opcode) {
    case isa::opcode("C_LOOP_END"):
      return loops.end(operation, pc, carried_out, registers);
    case isa::opcode("C_LOOP_START"):
      return loops.start(operation, pc, carried_out, registers);
    case isa::opcode("C_BREAK"):
      return loops.break_out(pc, registers);
    default:
      return core.carry_out_soon(operation);
  }
}

// However a run ends, everything has been carried out.
class Settles {
 public:
  explicit Settles(Core& core) : core_(core) {}
  ~Settles() { core_.settle(); }
  Settles(const Settles&) = delete;
  Settles& operator=(const Settles&) = delete;

 private:
  Core& core_;
};

}  // namespace run_loop_parts

template <class Timing>
RunEnd run_loop(std::span<const Operation> operations, Core& core, Timing& timing, const RunLimits& limits) {
  RunEnd end;
  const run_loop_parts::Settles settles(core);
  Registers& registers = core.state().registers;
  LoopStack loops(core.rules(), limits.longest_round);
  const auto size = static_cast<std::uint32_t>(operations.size());
  const auto next_look = [&] { return std::min(end.instructions + kLookAround, limits.most_instructions); };
  std::uint64_t look_at = next_look();
  std::uint32_t& pc = end.pc;
  while (pc < size) {
    if (end.instructions >= look_at) {
      if (!run_loop_parts::goes_on(limits, end, timing.too_long())) return end;
      look_at = next_look();
    }
    const Operation& operation = operations[pc];
    const std::uint32_t here = pc;
    if ((written_integer(operation) & loops.counters()) != 0) {
      end.fault = loops.fault_of_write(operation.rd);
    } else if (core.carry_out_scalar(operation)) {
      ++pc;
    } else if (operation.unit != isa::Unit::kControl ||
               (operation.strays && core.rules() == Rules::kStrict)) {
      end.fault = core.carry_out_soon(operation);
      ++pc;
    } else {
      end.fault = run_loop_parts::take_loop(operation, loops, core, pc, end.instructions + 1);
    }
    if (end.fault.found()) {
      pc = here;
      return end;
    }
    ++end.instructions;
    if (operation.unit == isa::Unit::kMemory)
      timing.transfer(here, operation, registers);
    else
      timing.operate(here, operation, registers);
  }
  // Only a program that is wholly carried out can leave loops open.
  if (Fault fault = loops.finish(); fault.found()) {
    end.pc = size == 0 ? 0 : size - 1;
    end.fault = std::move(fault);
  }
  return end;
}

}  // namespace accelscope::emulator
