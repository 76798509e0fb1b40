#include "base/utf8.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace accelscope::base {
namespace {

const std::string kReplacement = "\xEF\xBF\xBD";

// Written from the definition, bit by bit: an independent answer to compare with.
std::string encode(std::uint32_t code_point) {
  const auto tail = [&](unsigned shift) {
    return static_cast<char>(0x80U | ((code_point >> shift) & 0x3FU));
  };
  if (code_point < 0x80) return {static_cast<char>(code_point)};
  if (code_point < 0x800) return {static_cast<char>(0xC0U | (code_point >> 6U)), tail(0)};
  if (code_point < 0x10000) return {static_cast<char>(0xE0U | (code_point >> 12U)), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | (code_point >> 18U)), tail(12), tail(6), tail(0)};
}

TEST(Utf8, EveryCodePointButTheSurrogatesIsValid) {
  for (std::uint32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    if (is_valid_utf8(encode(code_point)) == surrogate) FAIL() << "U+" << std::hex << code_point;
  }
  EXPECT_FALSE(is_valid_utf8(encode(0x110000)));
  EXPECT_FALSE(is_valid_utf8(encode(0x1FFFFF)));
}

TEST(Utf8, OverlongFormsAreInvalid) {
  EXPECT_FALSE(is_valid_utf8("\xC0\x80"));
  EXPECT_FALSE(is_valid_utf8("\xC1\xBF"));
  EXPECT_FALSE(is_valid_utf8("\xE0\x80\xAF"));
  EXPECT_FALSE(is_valid_utf8("\xE0\x9F\xBF"));
  EXPECT_FALSE(is_valid_utf8("\xF0\x80\x80\xAF"));
  EXPECT_FALSE(is_valid_utf8("\xF0\x8F\xBF\xBF"));
}

TEST(Utf8, CutSequencesAndStrayBytesAreInvalid) {
  for (const char* text : {"\x80", "\xBF", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xC3(", "\xE2\x28\xA1",
                           "\xFE", "\xFF", "\xF5\x80\x80\x80", "a\x80z"})
    EXPECT_FALSE(is_valid_utf8(text)) << text;
}

TEST(Utf8, FindsAnInvalidByteAtEveryPosition) {
  for (std::size_t length = 1; length <= 40; ++length) {
    for (std::size_t position = 0; position < length; ++position) {
      std::string text(length, 'x');
      ASSERT_TRUE(is_valid_utf8(text));
      text[position] = '\xFF';
      ASSERT_FALSE(is_valid_utf8(text)) << position << " of " << length;
    }
  }
}

TEST(Utf8, AsciiAndOtherTextMix) {
  const std::string mixed = "twelve chars \xC3\xA9 and then more than eight \xF0\x9F\x98\x80";
  EXPECT_TRUE(is_valid_utf8(mixed));
  EXPECT_FALSE(is_valid_utf8(mixed + " and then more than eight \xE2\x82"));
  EXPECT_TRUE(is_valid_utf8(""));
  EXPECT_TRUE(is_valid_utf8(std::string_view("\0", 1)));
}

TEST(Utf8, EveryInvalidByteIsReplaced) {
  EXPECT_EQ(replace_invalid_utf8("a\xFF"
                                 "b"),
            "a" + kReplacement + "b");
  EXPECT_EQ(replace_invalid_utf8("\xE2\x82"), kReplacement + kReplacement);
  EXPECT_EQ(replace_invalid_utf8("\xC3(\xC3\xA9"), kReplacement + "(\xC3\xA9");
  EXPECT_EQ(replace_invalid_utf8("\xED\xA0\x80"), kReplacement + kReplacement + kReplacement);
  EXPECT_EQ(replace_invalid_utf8(""), "");
}

TEST(Utf8, WhatIsRepairedIsValidAndWhatIsValidStays) {
  std::mt19937 random(11);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (auto length = random() % 24; length > 0; --length)
      // Half of the bytes are of kinds that start or continue a sequence.
      text += static_cast<char>(random() % 2 == 0 ? random() % 256 : 0x80 + random() % 0x80);
    const std::string repaired = replace_invalid_utf8(text);
    ASSERT_TRUE(is_valid_utf8(repaired));
    ASSERT_EQ(repaired == text, is_valid_utf8(text));
  }
}

}  // namespace
}  // namespace accelscope::base
