#include "base/error.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "base/result.h"

namespace accelscope::base {
namespace {

TEST(Error, SaysWhereThenWhat) {
  EXPECT_EQ((Error{ErrorCode::kTruncated, "ends early", Location::byte("a.etdump", 312)}.to_string()),
            "a.etdump: byte 312: ends early");
  EXPECT_EQ((Error{ErrorCode::kMalformed, "has no header", Location::line("a.csv", 1)}.to_string()),
            "a.csv:1: has no header");
  EXPECT_EQ((Error{ErrorCode::kNotFound, "is not there", Location::of_file("a.json")}.to_string()),
            "a.json: is not there");
  EXPECT_EQ((Error{ErrorCode::kUsage, "no input", {}}.to_string()), "no input");
}

TEST(Error, PlacesWithoutAFileAreNamedToo) {
  EXPECT_EQ(Location::byte("", 7).to_string(), "byte 7");
  EXPECT_EQ(Location::line("", 7).to_string(), "line 7");
  EXPECT_EQ(Location().to_string(), "");
}

TEST(Error, EveryCodeHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (auto code = ErrorCode::kUsage; code <= ErrorCode::kInternal;
       code = static_cast<ErrorCode>(static_cast<unsigned>(code) + 1))
    names.insert(error_code_name(code));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ErrorCode::kInternal) + 1);
  EXPECT_EQ(names.count("unknown"), 0U);
}

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorCode::kUsage, "{} is odd", number);
  return number / 2;
}

Result<int> quarter(int number) {
  ACCELSCOPE_TRY(const int once, half(number));
  ACCELSCOPE_TRY(const int twice, half(once));
  return twice;
}

Status is_even(int number) {
  ACCELSCOPE_CHECK(half(number));
  return {};
}

TEST(Result, TryGivesTheValueOrReturnsTheError) {
  EXPECT_EQ(*quarter(12), 3);
  EXPECT_EQ(quarter(13).error().message, "13 is odd");
  EXPECT_EQ(quarter(14).error().message, "7 is odd");
}

TEST(Result, CheckReturnsTheErrorAlone) {
  EXPECT_TRUE(is_even(4).has_value());
  EXPECT_EQ(is_even(5).error().code, ErrorCode::kUsage);
}

TEST(Result, TryMovesWhatCannotBeCopied) {
  const auto make = []() -> Result<std::unique_ptr<int>> { return std::make_unique<int>(5); };
  const auto unwrap = [&]() -> Result<int> {
    ACCELSCOPE_TRY(const std::unique_ptr<int> owned, make());
    return *owned;
  };
  EXPECT_EQ(*unwrap(), 5);
}

TEST(Result, FailAtKeepsThePlace) {
  const Status failed = fail_at(Location::byte("x", 3), ErrorCode::kMalformed, "is {} too {}", 2, "long");
  EXPECT_EQ(failed.error().to_string(), "x: byte 3: is 2 too long");
}

}  // namespace
}  // namespace accelscope::base
