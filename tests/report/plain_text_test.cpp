#include "report/plain_text.h"

#include <gtest/gtest.h>

#include "report/wrap.h"

namespace accelscope::report {
namespace {

TEST(PlainText, OneLineWritesControlsOut) {
  EXPECT_EQ(one_line("a\nb\r\n\tc"), "a b   c");
  EXPECT_EQ(one_line("\x1b[31mred\x07\x7f"), "\\x1b[31mred\\x07\\x7f");
  EXPECT_EQ(one_line(std::string_view("\0x", 2)), "\\x00x");
  EXPECT_EQ(one_line("\u009b31m"), "\\x9b31m");  // a control sequence in one character
  EXPECT_EQ(one_line("a\u202egnp"), "a\\u202egnp");
  EXPECT_EQ(one_line("a\u2028b"), "a\\u2028b");
  EXPECT_EQ(one_line("a\xff"
                     "b"),
            "a\uFFFDb");
  EXPECT_EQ(one_line("Größe 日本 😀"), "Größe 日本 😀");
  EXPECT_EQ(one_line(""), "");
}

TEST(PlainText, WidthIsWhatATerminalShows) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("▁█─…ß"), 5U);
  EXPECT_EQ(display_width("日本"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("😀"), 2U);
}

TEST(PlainText, ShortensToColumns) {
  EXPECT_EQ(shortened("Fully Connected", 8), "Fully C…");
  EXPECT_EQ(shortened("Fully", 5), "Fully");
  EXPECT_EQ(shortened("█████", 3), "██…");
  EXPECT_EQ(shortened("日本語", 4), "日…");
  EXPECT_EQ(shortened("日本語", 6), "日本語");
  EXPECT_EQ(shortened("abc", 1), "…");
  EXPECT_EQ(shortened("abc", 0), "");
  EXPECT_EQ(shortened("日本", 2), "…");
  EXPECT_EQ(shortened("", 0), "");
}

TEST(PlainText, PadsToColumns) {
  EXPECT_EQ(padded("█", 3, Align::kLeft), "█  ");
  EXPECT_EQ(padded("日", 3, Align::kRight), " 日");
  EXPECT_EQ(padded("abc", 2, Align::kRight), "abc");
}

TEST(Wrap, BreaksAtSpaces) {
  EXPECT_EQ(wrapped("one two three", 7, 2), "one two\n  three");
  EXPECT_EQ(wrapped("one", 7, 2), "one");
  EXPECT_EQ(wrapped("", 7, 2), "");
  EXPECT_EQ(wrapped("██ ██ ██", 5, 0), "██ ██\n██");
}

TEST(Wrapped, KeepsNumbersTogether) {
  EXPECT_EQ(wrapped("up to 18 985 tokens", 10, 0), "up to\n18 985\ntokens");
  EXPECT_EQ(wrapped("1 234 567", 9, 0), "1 234 567");
  EXPECT_EQ(wrapped("in 4 1000 of", 4, 0), "in 4\n1000\nof");
  EXPECT_EQ(wrapped("run 3 12 s", 5, 0), "run 3\n12 s");
}

TEST(Wrap, BreaksLongWords) {
  EXPECT_EQ(wrapped("abcdefgh", 3, 1), "abc\n def\n gh");
  EXPECT_EQ(wrapped("x abcdef", 3, 0), "x\nabc\ndef");
  EXPECT_EQ(wrapped("日本語", 4, 0), "日本\n語");
  EXPECT_EQ(wrapped("日本", 1, 0), "日\n本");  // wider than a line, and still an end
}

}  // namespace
}  // namespace accelscope::report
