#include "emulator/operation.h"

#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

using isa::bits_of;
using isa::Field;

std::uint8_t field(std::uint32_t word, Field which) {
  return static_cast<std::uint8_t>(bits_of(which).of(word));
}

bool has_long_immediate(std::uint32_t opcode) {
  return opcode == isa::opcode("S_LUI_INT") || opcode == isa::opcode("C_LOOP_START");
}

std::uint32_t mask_of(isa::Bits bits) {
  return bits.place(bits.largest());
}

bool has_strays(std::uint32_t word, const isa::Instruction& instruction) {
  std::uint32_t read = mask_of(isa::kOpcodeBits);
  for (const isa::Operand& operand : instruction.operands) read |= mask_of(bits_of(operand.decoded));
  return (word & ~read) != 0;
}

}  // namespace

Operation decode(std::uint32_t word, const isa::Machine& machine, CostTable table) {
  const isa::Instruction* instruction = isa::instruction_of_word(word);
  if (instruction == nullptr) return {};
  Operation made;
  made.opcode = instruction->opcode;
  made.rd = field(word, Field::kRd);
  made.rs1 = field(word, Field::kRs1);
  made.rs2 = field(word, Field::kRs2);
  made.rs3 = field(word, Field::kRs3);
  made.funct1 = field(word, Field::kFunct1);
  made.unit = instruction->unit;
  made.strays = has_strays(word, *instruction);
  made.immediate =
      bits_of(has_long_immediate(made.opcode) ? Field::kImmediate22 : Field::kImmediate18).of(word);
  made.cost = cost_of(word, machine, table);
  return made;
}

std::vector<Operation> decode(std::span<const std::uint32_t> words, const isa::Machine& machine,
                              CostTable table) {
  std::vector<Operation> made;
  made.reserve(words.size());
  for (const std::uint32_t word : words) made.push_back(decode(word, machine, table));
  return made;
}

}  // namespace accelscope::emulator
