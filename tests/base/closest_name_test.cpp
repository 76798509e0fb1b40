#include "base/closest_name.h"

#include <gtest/gtest.h>

#include <string>

namespace accelscope::base {
namespace {

constexpr std::string_view kNames[] = {"runs", "warmup", "threads"};

TEST(ClosestNames, AreThoseWithTheFewestChangedLetters) {
  EXPECT_EQ(closest_name("warmups", kNames), "warmup");
  EXPECT_EQ(closest_name("WARM-UP", kNames), "warmup");
  EXPECT_EQ(closest_name("treads", kNames), "threads");
  EXPECT_EQ(closest_name("banana", kNames), "");
  EXPECT_EQ(closest_name("", kNames), "");
}

TEST(ClosestNames, OfWordsThatAreNoNamesAreNotLookedFor) {
  EXPECT_EQ(closest_name(std::string(100'000, 'r'), kNames), "");
}

TEST(ClosestNames, BecomeAQuestion) {
  EXPECT_EQ(suggestion("run", kNames), "; did you mean `runs`?");
  EXPECT_EQ(suggestion("banana", kNames), "");
}

}  // namespace
}  // namespace accelscope::base
