#include "isa/disassembler.h"

#include <gtest/gtest.h>

#include <random>

#include "isa/assembler.h"
#include "isa/encoding_vectors.h"
#include "isa/instruction_set.h"

namespace accelscope::isa {
namespace {

constexpr std::array kDialects{Dialect::kStrict, Dialect::kReference};

std::string listing_of(const std::vector<std::uint32_t>& words, Dialect dialect) {
  base::MemoryOutput out;
  disassemble(out, words, dialect);
  return std::string(out.bytes());
}

TEST(Disassembler, ReadsTheReferenceAssemblersWords) {
  for (const EncodingVector& vector : kEncodingVectors)
    EXPECT_EQ(text_of(vector.word, Dialect::kReference), vector.text);
}

TEST(Disassembler, SaysWhatTheHardwareDoesWithThem) {
  EXPECT_EQ(text_of(0x00004493, Dialect::kStrict), ".word 0x00004493  ; executed as V_EXP_V gp2, gp1");
  EXPECT_EQ(text_of(0x000040C5, Dialect::kStrict), "M_BMM_WO gp3, 1") << "bit 14 is where the offset begins";
  EXPECT_EQ(text_of(0x00000033, Dialect::kStrict), ".word 0x00000033  ; no instruction has opcode 0x33");
  EXPECT_EQ(text_of(0x00000043, Dialect::kStrict), ".word 0x00000043  ; executed as M_BMM 1, gp0, gp0");
  EXPECT_EQ(text_of(0x00000043, Dialect::kReference), "M_BMM 1, gp0, gp0");
}

// Every instruction, with numbers drawn from all that it takes: text, words, text, words.
TEST(Disassembler, RoundTripsEveryInstruction) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same numbers every time
  for (const Dialect dialect : kDialects)
    for (const Instruction& instruction : instructions())
      for (int round = 0; round < 200; ++round) {
        OperandValues values{};
        for (std::size_t i = 0; i < instruction.operand_count; ++i) {
          const Operand& operand = instruction.operands[i];
          if (field_of(operand, dialect) == Field::kNone) continue;
          const std::uint32_t least = operand.meaning == Meaning::kLoopCount ? 1 : 0;
          values[i] = std::uniform_int_distribution(least, largest_of(operand, dialect))(random);
        }
        const std::uint32_t word = encode(instruction, values, dialect);
        const std::string text = text_of(word, dialect);
        EXPECT_TRUE(text.starts_with(instruction.mnemonic)) << text;
        const Assembly back = assemble("a.asm", text, dialect);
        ASSERT_TRUE(back.diagnostics.ok()) << back.diagnostics.to_string();
        ASSERT_EQ(back.words, std::vector{word}) << text;
        EXPECT_EQ(text_of(back.words.front(), dialect), text);
      }
}

TEST(Disassembler, RoundTripsAnyWords) {
  std::mt19937 random(11);  // NOLINT(cert-msc51-cpp)
  std::vector<std::uint32_t> words;
  for (int i = 0; i < 20000; ++i) words.push_back(static_cast<std::uint32_t>(random()));
  for (std::uint32_t i = 0; i < 64; ++i) words.push_back(i);
  for (const Dialect dialect : kDialects) {
    const Assembly back = assemble("a.asm", listing_of(words, dialect), dialect);
    ASSERT_TRUE(back.diagnostics.ok()) << back.diagnostics.to_string();
    EXPECT_EQ(back.words, words);
  }
}

// What strict text says is what the hardware reads.
TEST(Disassembler, StrictTextIsWhatIsDecoded) {
  for (const Instruction& instruction : instructions())
    for (std::size_t i = 0; i < instruction.operand_count; ++i)
      if (instruction.operands[i].decoded != Field::kNone) {
        EXPECT_EQ(field_of(instruction.operands[i], Dialect::kStrict), instruction.operands[i].decoded);
      }
}

}  // namespace
}  // namespace accelscope::isa
