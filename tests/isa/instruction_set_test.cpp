#include "isa/instruction_set.h"

#include <gtest/gtest.h>

#include <set>

namespace accelscope::isa {
namespace {

TEST(InstructionSet, ListsEveryOpcodeOnce) {
  std::set<std::uint8_t> opcodes;
  std::set<std::string_view> names;
  for (const Instruction& instruction : instructions()) {
    EXPECT_TRUE(opcodes.insert(instruction.opcode).second) << instruction.mnemonic;
    EXPECT_TRUE(names.insert(instruction.mnemonic).second) << instruction.mnemonic;
    EXPECT_EQ(find_instruction(instruction.opcode), &instruction);
    EXPECT_EQ(find_instruction(instruction.mnemonic), &instruction);
    EXPECT_LE(instruction.needed, instruction.operand_count) << instruction.mnemonic;
    EXPECT_LE(instruction.needed, instruction.needed_by_reference) << instruction.mnemonic;
  }
  // 1 to 0x37 but for the two reserved ones.
  EXPECT_EQ(opcodes.size(), 0x37U - 2);
}

TEST(InstructionSet, KnowsNoOthers) {
  for (const std::uint32_t none : {0U, 0x31U, 0x33U, 0x38U, 0x3FU, 64U, 0xFFFFFFFFU})
    EXPECT_EQ(find_instruction(none), nullptr) << none;
  for (const std::string_view none : {"", "S_MV_FP", "m_mm", "M_MM ", "V_PS_V", "C_HADAMARD_TRANSFORM"})
    EXPECT_EQ(find_instruction(none), nullptr) << none;
}

// Two operands of one instruction never share bits, neither where they are written nor where they are read.
TEST(InstructionSet, OperandsDoNotOverlap) {
  for (const Instruction& instruction : instructions())
    for (const auto field : {&Operand::encoded, &Operand::decoded}) {
      std::uint32_t taken = kOpcodeBits.place(kOpcodeBits.largest());
      for (std::size_t i = 0; i < instruction.operand_count; ++i) {
        const Bits bits = bits_of(instruction.operands[i].*field);
        const std::uint32_t mine = bits.count == 0 ? 0 : bits.place(bits.largest());
        EXPECT_EQ(taken & mine, 0U) << instruction.mnemonic;
        taken |= mine;
      }
    }
}

TEST(InstructionSet, MarksWhatTheReferenceAssemblerMisplaces) {
  std::set<std::string_view> found;
  for (const Instruction& instruction : instructions())
    if (instruction.misplaced) found.insert(instruction.mnemonic);
  EXPECT_EQ(found, (std::set<std::string_view>{"V_EXP_V", "V_RECI_V", "V_RED_MAX", "V_RED_SUM", "M_BMM_WO",
                                               "M_MV_WO", "M_BMV_WO"}));
}

TEST(InstructionSet, GivesOpcodesByNameToTheCompiler) {
  static_assert(opcode("M_MM") == 0x01);
  static_assert(opcode("V_TOPK") == 0x37);
  EXPECT_EQ(opcode("C_BREAK"), 0x34);
}

TEST(InstructionSet, SaysWhatIsReadAndWritten) {
  const Instruction& product = *find_instruction("M_TMM");
  EXPECT_EQ(product.operands[1].meaning, Meaning::kVectorAddress);
  EXPECT_EQ(product.operands[2].meaning, Meaning::kMatrixAddress);
  EXPECT_TRUE((product.writes & places::kBlockAccumulator) != 0);
  const Instruction& sum = *find_instruction("V_RED_SUM");
  EXPECT_EQ(sum.operands[0].access, Access::kReadWrite);
  EXPECT_EQ(find_instruction("S_ST_FP")->operands[0].access, Access::kRead);
  EXPECT_EQ(find_instruction("S_LD_FP")->operands[0].access, Access::kWrite);
}

}  // namespace
}  // namespace accelscope::isa
