#include "base/human.h"

#include <gtest/gtest.h>

namespace accelscope::base {
namespace {

TEST(Size, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parse_size("512")->value, 512);
  EXPECT_EQ(parse_size("512M")->value, 512LL << 20);
  EXPECT_EQ(parse_size("1.5 KiB")->value, 1536);
  EXPECT_EQ(parse_size("2GB")->value, 2'000'000'000);
}

}  // namespace
}  // namespace accelscope::base
