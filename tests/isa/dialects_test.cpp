// Where the reference assembler and the hardware's decoder do not agree.
#include <gtest/gtest.h>

#include "isa/assembler.h"

namespace accelscope::isa {
namespace {

struct Outcome {
  std::uint32_t word = 0;
  std::string warning;
};

Outcome outcome(std::string_view text, Dialect dialect) {
  const Assembly made = assemble("a.asm", text, dialect);
  EXPECT_TRUE(made.diagnostics.ok()) << made.diagnostics.to_string();
  Outcome found;
  if (!made.words.empty()) found.word = made.words.front();
  for (const Diagnostic& one : made.diagnostics.in_order()) found.warning += one.message;
  return found;
}

std::string error_of(std::string_view text, Dialect dialect) {
  const Assembly made = assemble("a.asm", text, dialect);
  return made.diagnostics.ok() ? "" : made.diagnostics.first_error().to_string();
}

constexpr std::uint32_t kMaskBit = 1U << 18U;
constexpr std::uint32_t kMisplacedMaskBit = 1U << 14U;

TEST(Dialects, MasksThatNeverReachTheHardware) {
  for (const std::string_view text :
       {"V_EXP_V gp2, gp1, 1", "V_RECI_V gp2, gp1, 1", "V_RED_MAX f2, gp1, 1"}) {
    const Outcome strict = outcome(text, Dialect::kStrict);
    const Outcome reference = outcome(text, Dialect::kReference);
    EXPECT_EQ(strict.word ^ reference.word, kMaskBit | kMisplacedMaskBit) << text;
    EXPECT_NE(strict.word & kMaskBit, 0U) << text;
    EXPECT_NE(strict.warning.find("executed with mask 0 and not 1"), std::string::npos) << strict.warning;
    EXPECT_NE(reference.warning.find("executed with mask 0 and not 1"), std::string::npos);
  }
}

TEST(Dialects, TheMaskOfASumIsDropped) {
  EXPECT_EQ(outcome("V_RED_SUM f3, gp2, 1", Dialect::kReference).word, 0x000008D5U);
  const Outcome strict = outcome("V_RED_SUM f3, gp2, 1", Dialect::kStrict);
  EXPECT_EQ(strict.word, 0x000008D5U | kMaskBit);
  EXPECT_EQ(strict.warning,
            "the reference assembler encodes 0x000008D5 here, which is executed with mask 0 and not 1");
}

TEST(Dialects, OffsetsOfWriteOutsAreShifted) {
  for (const std::string_view name : {"M_BMM_WO", "M_MV_WO", "M_BMV_WO"}) {
    const Outcome sixteen = outcome(fmt::format("{} gp3, 16", name), Dialect::kReference);
    EXPECT_EQ(sixteen.word >> 14U, 1U);
    EXPECT_NE(sixteen.warning.find("executed with offset 1 and not 16"), std::string::npos)
        << sixteen.warning;
    const Outcome five = outcome(fmt::format("{} gp3, 5", name), Dialect::kStrict);
    EXPECT_EQ(five.word >> 14U, 5U);
    EXPECT_NE(five.warning.find("offset 0 and not 5"), std::string::npos) << five.warning;
    EXPECT_EQ(outcome(fmt::format("{} gp3, 0", name), Dialect::kStrict).warning, "");
    // The reference assembler has 22 bits for it, the hardware 18.
    EXPECT_NE(error_of(fmt::format("{} gp3, 262144", name), Dialect::kStrict), "");
    EXPECT_EQ(error_of(fmt::format("{} gp3, 262144", name), Dialect::kReference), "");
  }
}

TEST(Dialects, WhatMeansTheSameIsNotReported) {
  for (const std::string_view text :
       {"V_EXP_V gp2, gp1, 0", "M_MM_WO gp1, gp7, 5", "V_MUL_VF gp1, gp2, f3, 1"})
    for (const Dialect dialect : {Dialect::kStrict, Dialect::kReference})
      EXPECT_EQ(outcome(text, dialect).warning, "") << text;
}

TEST(Dialects, WhatCrashesTheReferenceAssemblerIsAnError) {
  EXPECT_EQ(error_of("V_EXP_V gp2, gp1", Dialect::kReference),
            "a.asm:1: the reference assembler crashes on V_EXP_V with 2 operands: it needs 3");
  EXPECT_EQ(error_of("V_EXP_V gp2, gp1", Dialect::kStrict), "");
  EXPECT_EQ(error_of("V_RED_SUM f2, gp1", Dialect::kReference), "");
  // Its encoder knows the name, its list of opcodes does not.
  for (const Dialect dialect : {Dialect::kStrict, Dialect::kReference})
    EXPECT_NE(error_of("S_MV_FP f1, f2", dialect).find("unknown instruction `S_MV_FP`"), std::string::npos);
}

TEST(Dialects, TheReferenceLooksAtNumbersOnly) {
  EXPECT_EQ(error_of("V_ADD_VF gp1, gp2, gp3", Dialect::kStrict),
            "a.asm:1: operand 3 of V_ADD_VF is a float register (f0 to f7), not `gp3`");
  const Outcome reference = outcome("V_ADD_VF gp1, gp2, gp3", Dialect::kReference);
  EXPECT_EQ(reference.word, outcome("V_ADD_VF gp1, gp2, f3", Dialect::kStrict).word);
  EXPECT_EQ(reference.warning, "`gp3` is executed as f3");
  EXPECT_EQ(outcome("S_LD_FP f9, gp0, 1", Dialect::kReference).warning,
            "there is no register f9: the hardware stops at it");
  EXPECT_EQ(outcome("M_BMM 3, gp1, gp2", Dialect::kReference).warning,
            "anything but 0 here stops the hardware");
  EXPECT_NE(error_of("M_BMM 3, gp1, gp2", Dialect::kStrict), "");
  EXPECT_EQ(outcome("C_LOOP_START gp1, 0", Dialect::kReference).warning,
            "a loop count of 0 stops the hardware");
}

TEST(Dialects, ASixthOperandIsIgnored) {
  EXPECT_EQ(outcome("H_STORE_V gp1, gp2, a2, 1, 1, 7", Dialect::kReference).word, 0x0044886AU);
  const Outcome strict = outcome("V_SUB_VF gp2, gp1, f0, 0, 1, 3", Dialect::kStrict);
  EXPECT_EQ(strict.word, 0x00400490U);
  EXPECT_EQ(strict.warning, "operand 6 of V_SUB_VF is ignored");
  EXPECT_NE(error_of("H_STORE_V gp1, gp2, a2, 1, 1, 7, 8", Dialect::kReference), "");
}

TEST(Dialects, HaveNames) {
  EXPECT_EQ(dialect_named("strict"), Dialect::kStrict);
  EXPECT_EQ(dialect_named("reference"), Dialect::kReference);
  EXPECT_EQ(dialect_named("other"), std::nullopt);
}

}  // namespace
}  // namespace accelscope::isa
