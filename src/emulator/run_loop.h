// Goes through a program: one instruction after the other, loops included, each carried out and then told to
// a timing. What time passes is the timing's business, what changes the core's.
//
// Integer arithmetic and loops, most of what a program carries out, are done here without a call. A timing
// has, all of them inlined:
//
//   void scalar(pc, operation)                 // a scalar or control operation that only costs its cycles
//   void operate(pc, operation, registers)     // any other but a transfer; registers as it found them
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

// The result of an instruction that does nothing but calculate with integers; false for any other.
inline bool integer_result(const Operation& operation, const Registers& registers, std::uint32_t& result) {
  const std::uint32_t first = registers.gp[operation.rs1];
  switch (operation.opcode) {
    case isa::opcode("S_ADDI_INT"):
      result = first + operation.immediate;
      return true;
    case isa::opcode("S_ADD_INT"):
      result = first + registers.gp[operation.rs2];
      return true;
    case isa::opcode("S_SUB_INT"):
      result = first - registers.gp[operation.rs2];
      return true;
    case isa::opcode("S_MUL_INT"):
      result = first * registers.gp[operation.rs2];
      return true;
    case isa::opcode("S_LUI_INT"):
      result = operation.immediate << 12U;
      return true;
    default:
      return false;
  }
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

}  // namespace run_loop_parts

template <class Timing>
RunEnd run_loop(std::span<const Operation> operations, Core& core, Timing& timing, const RunLimits& limits) {
  RunEnd end;
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
    std::uint32_t result = 0;
    if (integer_result(operation, registers, result)) {
      if ((loops.guarded() >> operation.rd & 1U) != 0) {
        end.fault = loops.fault_of_write(operation.rd);
        return end;
      }
      registers.gp[operation.rd] = result;
      ++end.instructions;
      timing.scalar(pc, operation);
      ++pc;
      continue;
    }
    const std::uint32_t here = pc;
    switch (operation.opcode) {
      case isa::opcode("C_LOOP_END"):
        end.fault = loops.end(operation, pc, end.instructions + 1, registers);
        break;
      case isa::opcode("C_LOOP_START"):
        end.fault = loops.start(operation, pc, end.instructions + 1, registers);
        break;
      case isa::opcode("C_BREAK"):
        end.fault = loops.break_out(pc, registers);
        break;
      case 0:
        end.fault = Fault("is no instruction");
        break;
      case isa::opcode("S_LD_INT"):
        if ((loops.guarded() >> operation.rd & 1U) != 0) {
          end.fault = loops.fault_of_write(operation.rd);
          break;
        }
        [[fallthrough]];
      default:
        end.fault = core.carry_out(operation);
        ++pc;
        break;
    }
    if (end.fault.found()) {
      pc = here;
      return end;
    }
    ++end.instructions;
    switch (operation.unit) {
      case isa::Unit::kControl:
        timing.scalar(here, operation);
        break;
      case isa::Unit::kMemory:
        timing.transfer(here, operation, registers);
        break;
      default:
        timing.operate(here, operation, registers);
        break;
    }
  }
  // Only a program that is wholly carried out can leave loops open.
  if (Fault fault = loops.finish(); fault.found()) {
    end.pc = size == 0 ? 0 : size - 1;
    end.fault = std::move(fault);
  }
  return end;
}

}  // namespace accelscope::emulator
