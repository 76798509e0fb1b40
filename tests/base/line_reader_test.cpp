#include "base/line_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelscope::base {
namespace {

TEST(LineReader, GivesLinesWithoutTheirEnds) {
  LineReader lines("a\r\n\nbc");
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "a");
  EXPECT_EQ(lines.number(), 1U);
  EXPECT_EQ(lines.offset(), 0U);
  EXPECT_TRUE(lines.ends());
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "");
  EXPECT_EQ(lines.offset(), 3U);
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "bc");
  EXPECT_EQ(lines.number(), 3U);
  EXPECT_EQ(lines.offset(), 4U);
  EXPECT_FALSE(lines.ends());
  EXPECT_FALSE(lines.next());
  EXPECT_FALSE(lines.next());
}

TEST(LineReader, ALineEndAtTheEndBeginsNoLine) {
  LineReader lines("a\n");
  EXPECT_TRUE(lines.next());
  EXPECT_FALSE(lines.next());
  EXPECT_FALSE(LineReader("").next());
}

}  // namespace
}  // namespace accelscope::base
