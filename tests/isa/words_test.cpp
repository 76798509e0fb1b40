#include "isa/words.h"

#include <gtest/gtest.h>

namespace accelscope::isa {
namespace {

TEST(Words, AreWrittenOneALine) {
  base::MemoryOutput out;
  write_words(out, std::vector<std::uint32_t>{0x00200062, 0xFFFFFFFF, 0});
  EXPECT_EQ(out.bytes(), "0x00200062\n0xFFFFFFFF\n0x00000000\n");
  EXPECT_EQ(read_words("w", out.bytes()).words, (std::vector<std::uint32_t>{0x00200062, 0xFFFFFFFF, 0}));
}

TEST(Words, KnowTheirLines) {
  const Words read = read_words("w", "\n 0x1\r\n\t\n0XaB");
  ASSERT_TRUE(read.diagnostics.ok());
  EXPECT_EQ(read.words, (std::vector<std::uint32_t>{1, 0xAB}));
  EXPECT_EQ(read.lines, (std::vector<std::uint32_t>{2, 4}));
}

TEST(Words, AreToldApartByBlanks) {
  const Words read = read_words("w", "0x1 2\t0XaB\n00200062\n");
  ASSERT_TRUE(read.diagnostics.ok());
  EXPECT_EQ(read.words, (std::vector<std::uint32_t>{1, 2, 0xAB, 0x00200062}));
  EXPECT_EQ(read.lines, (std::vector<std::uint32_t>{1, 1, 1, 2}));
}

TEST(Words, AreRefusedWhereTheyAreNone) {
  const Words read = read_words("w", "0x1\n0x\n 0x123456789\n0x3 0xG 0x4\n-0x1\n0x-1\n0x000000001\n");
  EXPECT_EQ(read.words, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(read.diagnostics.errors(), 6U);
  EXPECT_EQ(read.diagnostics.in_order()[1].column, 2U);
  EXPECT_EQ(read.diagnostics.in_order()[2].column, 5U);
  EXPECT_EQ(read.diagnostics.first_error().to_string(),
            "w:2: expected words of up to eight hexadecimal digits, with 0x or without (and 5 more errors)");
}

}  // namespace
}  // namespace accelscope::isa
