#include "base/string_interner.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace accelscope::base {
namespace {

TEST(StringInterner, KnowsTheEmptyStringFromTheStart) {
  StringInterner strings;
  EXPECT_EQ(strings.size(), 1U);
  EXPECT_EQ(strings.text(StringId::kEmpty), "");
  EXPECT_EQ(strings.intern(""), StringId::kEmpty);
  EXPECT_EQ(strings.intern(std::string_view()), StringId::kEmpty);
  EXPECT_EQ(strings.size(), 1U);
}

TEST(StringInterner, GivesEqualStringsOneIdInOrderOfArrival) {
  StringInterner strings;
  const StringId first = strings.intern("Method::execute");
  const StringId second = strings.intern("Method::init");
  EXPECT_EQ(static_cast<std::uint32_t>(first), 1U);
  EXPECT_EQ(static_cast<std::uint32_t>(second), 2U);
  EXPECT_EQ(strings.intern(std::string("Method::") + "execute"), first);
  EXPECT_EQ(strings.text(first), "Method::execute");
  EXPECT_EQ(strings.size(), 3U);
}

TEST(StringInterner, KeepsItsOwnCopy) {
  StringInterner strings;
  std::string text = "conv2d";
  const StringId id = strings.intern(text);
  text = "linear";
  EXPECT_EQ(strings.text(id), "conv2d");
  EXPECT_NE(strings.intern("linear"), id);
}

TEST(StringInterner, FindDoesNotAdd) {
  StringInterner strings;
  EXPECT_EQ(strings.find("conv2d"), StringId::kEmpty);
  const StringId id = strings.intern("conv2d");
  EXPECT_EQ(strings.find("conv2d"), id);
  EXPECT_EQ(strings.find("conv2"), StringId::kEmpty);
  EXPECT_EQ(strings.find(""), StringId::kEmpty);
  EXPECT_EQ(strings.size(), 2U);
}

TEST(StringInterner, BytesAreBytes) {
  StringInterner strings;
  const std::string with_zero("a\0b", 3);
  const StringId id = strings.intern(with_zero);
  EXPECT_NE(strings.intern("a"), id);
  EXPECT_EQ(strings.text(id), with_zero);
  EXPECT_EQ(strings.text(strings.intern("\xFF\xFE")), "\xFF\xFE");
}

TEST(StringInterner, StringsOfEveryLengthAroundABlockStayWhole) {
  StringInterner strings;
  std::vector<std::pair<StringId, std::string>> expected;
  char letter = 'a';
  const std::vector<std::size_t> lengths{1, 16'383, 16'384, 16'385, 65'535, 65'536, 65'537,    300'000,
                                         3, 16'384, 16'380, 16'000, 65'536, 2,      5'000'000, 1};
  for (const std::size_t length : lengths) {
    std::string text(length, letter++);
    const StringId id = strings.intern(text);
    expected.emplace_back(id, std::move(text));
  }
  for (const auto& [id, text] : expected) EXPECT_TRUE(strings.text(id) == text) << text.size() << " bytes";
}

TEST(StringInterner, AHundredThousandStringsKeepTheirPlaces) {
  constexpr std::uint32_t kCount = 100'000;
  StringInterner strings;
  std::vector<std::string_view> views;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const StringId id = strings.intern("operator " + std::to_string(i));
    ASSERT_EQ(static_cast<std::uint32_t>(id), i + 1);
    views.push_back(strings.text(id));
  }
  EXPECT_EQ(strings.size(), kCount + 1);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const std::string text = "operator " + std::to_string(i);
    ASSERT_EQ(views[i], text);
    ASSERT_EQ(strings.text(StringId{i + 1}).data(), views[i].data());
    ASSERT_EQ(strings.intern(text), StringId{i + 1});
  }
  EXPECT_EQ(strings.size(), kCount + 1);
  EXPECT_GT(strings.memory_bytes(), kCount * sizeof(std::string_view));
}

TEST(StringInterner, ViewsSurviveMovesOfTheInterner) {
  StringInterner first;
  const StringId id = first.intern("matmul");
  const std::string_view view = first.text(id);
  StringInterner second(std::move(first));
  EXPECT_EQ(second.text(id).data(), view.data());
  EXPECT_EQ(second.find("matmul"), id);
  EXPECT_EQ(static_cast<std::uint32_t>(second.intern("softmax")), 2U);

  StringInterner third;
  third.intern("forgotten");
  third = std::move(second);
  EXPECT_EQ(third.text(id).data(), view.data());
  EXPECT_EQ(third.find("forgotten"), StringId::kEmpty);
  EXPECT_EQ(third.size(), 3U);

  second = StringInterner();
  EXPECT_EQ(second.text(second.intern("new life")), "new life");
}

}  // namespace
}  // namespace accelscope::base
