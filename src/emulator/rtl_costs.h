// Cycles of instructions as they were measured on the hardware's own description, and rules for those that
// nobody measured. docs/emulator.md has the table.
//
// Pure functions, safe from any thread.
//
//   rtl_cost_of(word, machine).occupancy   // 1: a pipeline that takes an operation every cycle
#pragma once

#include <cstdint>

#include "emulator/costs.h"

namespace accelscope::emulator {

// Nothing for transfers and for words that are no instructions.
Cost rtl_cost_of(std::uint32_t word, const isa::Machine& machine);

bool is_measured_in_rtl(std::uint32_t opcode);

}  // namespace accelscope::emulator
