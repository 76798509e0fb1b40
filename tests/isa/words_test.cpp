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

TEST(Words, AreRefusedWhereTheyAreNone) {
  const Words read = read_words("w", "0x1\n12\n0x\n 0x123456789\n0x1 0x2\n0xG\n-0x1\n0x-1\n0x000000001\n");
  EXPECT_EQ(read.words, std::vector<std::uint32_t>{1});
  EXPECT_EQ(read.diagnostics.errors(), 8U);
  EXPECT_EQ(read.diagnostics.in_order()[2].column, 2U);
  EXPECT_EQ(read.diagnostics.first_error().to_string(),
            "w:2: expected one word a line, 0x and up to eight hexadecimal digits (and 7 more errors)");
}

}  // namespace
}  // namespace accelscope::isa
