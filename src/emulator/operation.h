// One instruction of a program, decoded once so that carrying it out a million times looks at no bits, and
// the whole program so decoded.
//
// A word that is no instruction decodes to opcode 0; it is an error only where it is carried out. Owns what
// it holds; immutable once made, so any number of threads may run it.
//
//   const std::vector<Operation> operations = decode(program.words, machine, CostTable::kReference);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "emulator/costs.h"
#include "isa/instruction.h"
#include "isa/machine.h"

namespace accelscope::emulator {

struct Operation {
  std::uint8_t opcode = 0;  // 0: the word is no instruction
  std::uint8_t rd = 0;
  std::uint8_t rs1 = 0;
  std::uint8_t rs2 = 0;
  std::uint8_t rs3 = 0;     // mask, or switch of the stride
  std::uint8_t funct1 = 0;  // precision, or order
  isa::Unit unit = isa::Unit::kControl;
  bool strays = false;          // bits are set that the hardware does not look at
  std::uint32_t immediate = 0;  // 22 bits of S_LUI_INT and C_LOOP_START, else 18
  Cost cost = {};               // of a transfer: nothing, for the memory says what it takes
};

Operation decode(std::uint32_t word, const isa::Machine& machine, CostTable table);
std::vector<Operation> decode(std::span<const std::uint32_t> words, const isa::Machine& machine,
                              CostTable table);

}  // namespace accelscope::emulator
