#include "formats/gzip/gzip.h"

#include <gtest/gtest.h>

#include <random>

#include "base/output.h"
#include "formats/gzip/gzip_output.h"

namespace accelscope::formats::gzip {
namespace {

using base::ErrorCode;
using base::MappedFile;

std::string packed(std::string_view text) {
  base::MemoryOutput target;
  GzipOutput out(target);
  out.append(text);
  EXPECT_TRUE(out.finish());
  return std::string(target.bytes());
}

base::Result<MappedFile> unpack(std::string_view bytes) {
  return gunzip(MappedFile::from_memory("in.gz", bytes));
}

std::string noise(std::size_t size) {
  std::mt19937 random(1);
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(random());
  return text;
}

TEST(Gzip, UnpacksWhatItPacks) {
  for (const std::string& text :
       {std::string(), std::string("x"), std::string(3'000'000, 'a'), noise(3'000'000)}) {
    const auto result = unpack(packed(text));
    ASSERT_TRUE(result) << result.error().to_string();
    EXPECT_EQ(result->text(), text);
  }
}

TEST(Gzip, ReadsEveryMemberAndIgnoresPadding) {
  const auto result = unpack(packed("one ") + packed("two") + std::string(512, '\0'));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->text(), "one two");
}

TEST(Gzip, EveryTruncationIsAnErrorThatNamesTheByte) {
  const std::string whole = packed(noise(2000));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto result = unpack(std::string_view(whole).substr(0, length));
    ASSERT_FALSE(result) << length;
    EXPECT_EQ(result.error().code, ErrorCode::kTruncated);
    EXPECT_EQ(result.error().where.file, "in.gz");
    EXPECT_LE(result.error().where.position, length);
  }
}

TEST(Gzip, DamageIsNoticed) {
  std::string damaged = packed(noise(2000));
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  EXPECT_FALSE(unpack(damaged));
}

TEST(Gzip, ABombIsRefused) {
  // A thousand to one, above what is always allowed.
  const std::string bomb = packed(std::string(kAlwaysAllowed * 2, '\0'));
  const auto result = unpack(bomb);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace accelscope::formats::gzip
