#include "base/string_interner.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace accelscope::base {
namespace {

TEST(StringInterner, NamesEveryTextOnce) {
  StringInterner strings;
  EXPECT_EQ(strings.intern(""), StringId::kEmpty);
  constexpr std::uint32_t kTexts = 100'000;
  for (std::uint32_t i = 1; i <= kTexts; ++i)
    ASSERT_EQ(strings.intern("text " + std::to_string(i)), static_cast<StringId>(i));
  for (std::uint32_t i = 1; i <= kTexts; ++i) {
    const std::string text = "text " + std::to_string(i);
    ASSERT_EQ(strings.intern(text), static_cast<StringId>(i));
    ASSERT_EQ(strings.find(text), static_cast<StringId>(i));
    ASSERT_EQ(strings.text(static_cast<StringId>(i)), text);
  }
  EXPECT_EQ(strings.size(), kTexts + 1);
  EXPECT_EQ(strings.find("never seen"), StringId::kEmpty);
  EXPECT_EQ(strings.find(""), StringId::kEmpty);
}

TEST(StringInterner, ViewsSurviveGrowthAndMoves) {
  StringInterner strings;
  const StringId id = strings.intern("first");
  const std::string_view view = strings.text(id);
  const std::string_view huge = strings.text(strings.intern(std::string(1'000'000, 'x')));
  for (int i = 0; i < 10'000; ++i) strings.intern(std::to_string(i));
  const StringInterner moved = std::move(strings);
  EXPECT_EQ(view.data(), moved.text(id).data());
  EXPECT_EQ(huge, std::string(1'000'000, 'x'));
  EXPECT_EQ(moved.find("first"), id);
}

}  // namespace
}  // namespace accelscope::base
