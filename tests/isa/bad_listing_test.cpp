#include <gtest/gtest.h>

#include "isa/assembler.h"

namespace accelscope::isa {
namespace {

Diagnostics diagnostics_of(std::string_view text, Dialect dialect = Dialect::kStrict) {
  return assemble("a.asm", text, dialect).diagnostics;
}

// "line:column message" of the only thing that is wrong.
std::string complaint(std::string_view text, Dialect dialect = Dialect::kStrict) {
  const std::vector<Diagnostic> all = diagnostics_of(text, dialect).in_order();
  EXPECT_EQ(all.size(), 1U) << text;
  if (all.empty()) return "";
  return fmt::format("{}:{} {}", all.front().line, all.front().column, all.front().message);
}

TEST(BadListing, ShowsThePlace) {
  EXPECT_EQ(diagnostics_of("C_BREAK\n  M_MN 0,\tgp1, gp2\n").to_string(),
            "a.asm:2:3: error: unknown instruction `M_MN`; did you mean `M_MM`?\n"
            "      M_MN 0, gp1, gp2\n"
            "      ^\n");
}

TEST(BadListing, ReportsAllErrorsAtOnceInTheOrderOfLines) {
  const Diagnostics found = diagnostics_of("FOO gp1\nS_ADD_INT gp16, gp17, gp1\n\nC_LOOP_END\n");
  EXPECT_EQ(found.errors(), 4U);
  std::string lines;
  for (const Diagnostic& one : found.in_order()) lines += fmt::format("{}:{} ", one.line, one.column);
  EXPECT_EQ(lines, "1:1 2:11 2:17 4:1 ");
  EXPECT_EQ(found.first_error().to_string(), "a.asm:1: unknown instruction `FOO` (and 3 more errors)");
}

TEST(BadListing, Mnemonics) {
  EXPECT_EQ(complaint("s_addi_int gp1, gp0, 1"),
            "1:1 unknown instruction `s_addi_int`; did you mean `S_ADDI_INT`?");
  EXPECT_EQ(complaint("loop:"), "1:1 unknown instruction `loop:`");
  EXPECT_EQ(complaint(std::string(1000, 'M')), "1:1 unknown instruction `" + std::string(40, 'M') + "...`");
}

TEST(BadListing, Registers) {
  EXPECT_EQ(complaint("S_ADD_INT gp1, gp16, gp2"), "1:16 there is no register gp16: gp0 to gp15");
  EXPECT_EQ(complaint("S_EXP_FP f8, f1"), "1:10 there is no register f8: f0 to f7");
  EXPECT_EQ(complaint("C_SET_ADDR_REG a16, gp0, gp1"), "1:16 there is no register a16: a0 to a15");
  EXPECT_EQ(complaint("C_SET_ADDR_REG a16, gp0, gp1", Dialect::kReference),
            "1:16 there is no register a16: a0 to a15");
  EXPECT_EQ(complaint("S_ADD_INT GP1, gp1, gp2"),
            "1:11 `GP1`: names of registers are written in small letters");
  EXPECT_EQ(complaint("S_ADD_INT gp, gp1, gp2"),
            "1:11 `gp` is neither a register (gp0 to gp15, f0 to f7, a0 to a15) nor a decimal number");
  EXPECT_EQ(complaint("S_ADD_INT 1, gp1, gp2"),
            "1:11 operand 1 of S_ADD_INT is an integer register (gp0 to gp15), not `1`");
}

TEST(BadListing, Numbers) {
  EXPECT_EQ(complaint("S_ADDI_INT gp1, gp0, 262144"),
            "1:22 `262144` does not fit: the number of S_ADDI_INT is at most 262143 (18 bits)");
  EXPECT_EQ(complaint("S_ADDI_INT gp1, gp0, 262144", Dialect::kReference),
            "1:22 `262144` does not fit: the number of S_ADDI_INT is at most 262143 (18 bits)");
  EXPECT_EQ(complaint("C_LOOP_START gp1, 4194304"),
            "1:19 `4194304` does not fit: the loop count of C_LOOP_START is at most 4194303 (22 bits)");
  EXPECT_EQ(complaint("C_LOOP_START gp1, 0"), "1:19 a loop count of 0 is none: the hardware stops at it");
  EXPECT_EQ(complaint("V_ADD_VV gp1, gp2, gp3, 16"),
            "1:25 `16` does not fit: the mask of V_ADD_VV is at most 15 (4 bits)");
  EXPECT_EQ(complaint("S_ADDI_INT gp1, gp0, -1"), "1:22 `-1`: numbers are never negative");
  EXPECT_EQ(complaint("S_ADDI_INT gp1, gp0, 0x10"),
            "1:22 `0x10`: numbers are written in decimal, not in hexadecimal");
  EXPECT_EQ(complaint("S_ADDI_INT gp1, gp0, 99999999999999999999"),
            "1:22 `99999999999999999999` is larger than any field");
  EXPECT_EQ(complaint("S_ADDI_INT gp1, gp0, 1.5"),
            "1:22 `1.5` is neither a register (gp0 to gp15, f0 to f7, a0 to a15) nor a decimal number");
}

TEST(BadListing, NumbersOfOperands) {
  EXPECT_EQ(complaint("S_ADD_INT gp1, gp2"), "1:1 S_ADD_INT takes 3 operands, not 2");
  EXPECT_EQ(complaint("V_ADD_VV gp1"), "1:1 V_ADD_VV takes 3 to 4 operands, not 1");
  EXPECT_EQ(complaint("C_LOOP_END gp1, gp2"), "1:17 C_LOOP_END takes 1 operand, not 2");
  EXPECT_EQ(complaint("C_BREAK gp1"), "1:9 C_BREAK takes 0 operands, not 1");
  EXPECT_EQ(complaint("M_MM 0, gp1, gp2, 1, 2, 3, 4, 5"), "1:19 M_MM takes 3 operands, not 8");
}

TEST(BadListing, Commas) {
  EXPECT_EQ(complaint("S_ADD_INT gp1 gp2, gp3"), "1:15 expected a comma between operands");
  EXPECT_EQ(complaint("S_ADD_INT gp1,, gp3"), "1:15 an operand is missing here");
  EXPECT_EQ(complaint("S_ADD_INT gp1, gp2,"), "1:20 an operand is missing here");
  EXPECT_EQ(complaint("S_ADD_INT , gp1, gp2 ; x"), "1:11 an operand is missing here");
}

TEST(BadListing, Words) {
  constexpr std::string_view kMessage = ".word takes one number of 32 bits, such as 0x00000033";
  EXPECT_EQ(complaint(".word"), fmt::format("1:6 {}", kMessage));
  EXPECT_EQ(complaint(".word 0x100000000"), fmt::format("1:7 {}", kMessage));
  EXPECT_EQ(complaint(".word 1, 2"), fmt::format("1:7 {}", kMessage));
}

TEST(BadListing, BytesThatAreNoText) {
  const Diagnostics found = diagnostics_of(std::string_view("M_\0\x1b[2J 0\n\xff\xfe gp1\n", 15));
  EXPECT_EQ(found.errors(), 2U);
  EXPECT_EQ(found.to_string().find('\x1b'), std::string::npos) << "a terminal would obey";
}

TEST(BadListing, GarbageDoesNotFillTheMemory) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "nonsense\n";
  const Diagnostics found = diagnostics_of(text);
  EXPECT_EQ(found.errors(), 5000U);
  EXPECT_EQ(found.in_order().size(), Diagnostics::kMostKept);
  EXPECT_NE(found.to_string().find("a.asm: and 4000 more errors\n"), std::string::npos);
}

}  // namespace
}  // namespace accelscope::isa
