#include "isa/assembler.h"

#include <gtest/gtest.h>

#include "isa/encoding_vectors.h"

namespace accelscope::isa {
namespace {

std::vector<std::uint32_t> words_of(std::string_view text, Dialect dialect) {
  const Assembly made = assemble("a.asm", text, dialect);
  EXPECT_TRUE(made.diagnostics.ok()) << made.diagnostics.to_string();
  return made.words;
}

TEST(Assembler, WritesWhatTheReferenceAssemblerWrites) {
  for (const EncodingVector& vector : kEncodingVectors)
    EXPECT_EQ(words_of(vector.text, Dialect::kReference), (std::vector{vector.word})) << vector.text;
}

TEST(Assembler, DiffersFromItOnlyWhereTheHardwareLooksElsewhere) {
  for (const EncodingVector& vector : kEncodingVectors) {
    std::uint32_t expected = vector.word;
    if (vector.text == "M_BMM_WO gp3, 16") expected = 0x000400C5;
    if (vector.text == "V_EXP_V gp2, gp1, 1") expected = 0x00040493;
    EXPECT_EQ(words_of(vector.text, Dialect::kStrict), (std::vector{expected})) << vector.text;
  }
}

TEST(Assembler, SkipsBlankLinesAndComments) {
  const std::string_view text =
      "\n; a comment\n// another\n   \t\n"
      "  C_BREAK ; behind it\r\n"
      "C_BREAK// at once\n"
      "\tS_ADDI_INT\tgp1,gp0 ,\t128;x\n"
      "C_LOOP_END gp4";
  EXPECT_EQ(words_of(text, Dialect::kStrict), (std::vector<std::uint32_t>{0x34, 0x34, 0x00200062, 0x130}));
}

TEST(Assembler, TakesWholeWords) {
  EXPECT_EQ(words_of(".word 0x00000033\n.word 51 ; the same\n.word 0XfFfFffff\n", Dialect::kStrict),
            (std::vector<std::uint32_t>{0x33, 0x33, 0xFFFFFFFF}));
  EXPECT_EQ(words_of(".word 0x1", Dialect::kReference), (std::vector<std::uint32_t>{1}));
}

TEST(Assembler, LeavesOutOperandsThatMayBe) {
  EXPECT_EQ(words_of("V_EXP_V gp2, gp1", Dialect::kStrict),
            words_of("V_EXP_V gp2, gp1, 0", Dialect::kStrict));
  EXPECT_EQ(words_of("V_MAX_VF gp2, gp1, f3", Dialect::kReference),
            words_of("V_MAX_VF gp2, gp1, f3, 0", Dialect::kStrict));
}

TEST(Assembler, TakesTheLargestNumbers) {
  EXPECT_EQ(words_of("S_ADDI_INT gp15, gp15, 262143", Dialect::kStrict),
            (std::vector<std::uint32_t>{0xFFFFFFE2}));
  EXPECT_EQ(words_of("S_LUI_INT gp0, 4194303", Dialect::kReference),
            (std::vector<std::uint32_t>{0xFFFFFC25}));
  EXPECT_EQ(words_of("C_LOOP_START gp1, 4194303", Dialect::kStrict),
            (std::vector<std::uint32_t>{0xFFFFFC6F}));
}

// Texts that end anywhere, in memory that ends with them: nothing behind the end is looked at.
TEST(Assembler, StopsAtTheEndOfTheText) {
  constexpr std::string_view kText =
      "\t;@ section x\r\nH_STORE_V gp1, gp2, a2, 1, 1 // c\n.word 0x33 ; d\nV_EXP_V f1,, gp\nC_BREAK/";
  for (std::size_t size = 0; size <= kText.size(); ++size) {
    const std::vector<char> exact(kText.begin(), kText.begin() + static_cast<std::ptrdiff_t>(size));
    const Assembly made = assemble("a.asm", {exact.data(), exact.size()}, Dialect::kStrict);
    EXPECT_LE(made.words.size(), 3U);
  }
}

TEST(Assembler, TakesLongListings) {
  std::string text;
  constexpr std::size_t kLines = 200'000;
  for (std::size_t i = 0; i < kLines; ++i) text += fmt::format("S_ADDI_INT gp1, gp0, {}\n", i);
  const std::vector<std::uint32_t> words = words_of(text, Dialect::kStrict);
  ASSERT_EQ(words.size(), kLines);
  EXPECT_EQ(words.back() >> 14U, kLines - 1);
}

TEST(Assembler, OfNothingMakesNothing) {
  EXPECT_TRUE(words_of("", Dialect::kStrict).empty());
  EXPECT_TRUE(words_of("\n\n;\n//", Dialect::kReference).empty());
}

}  // namespace
}  // namespace accelscope::isa
