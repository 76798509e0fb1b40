#include "device/core_list.h"

#include <gtest/gtest.h>

namespace accelscope::device {
namespace {

using Cores = std::vector<std::uint32_t>;

TEST(CoreList, ReadsNumbersAndRanges) {
  EXPECT_EQ(parse_core_list("0", 1).value(), Cores{0});
  EXPECT_EQ(parse_core_list("7,0-3", 8).value(), (Cores{0, 1, 2, 3, 7}));
  EXPECT_EQ(parse_core_list("1-2,2-3,2", 4).value(), (Cores{1, 2, 3}));
}

TEST(CoreList, RefusesWhatIsNone) {
  for (const char* text : {"", ",", "1,", "a", "3-1", "1-", "-1", "1-2-3", "0x1", " 1"})
    EXPECT_FALSE(parse_core_list(text, 8)) << text;
  EXPECT_EQ(parse_core_list("4-8", 8).error().message, "4-8: there is no core 8; the last of 8 is 7");
  EXPECT_FALSE(parse_core_list("0-4294967295", 8));
}

TEST(CoreList, IsShownInFewWords) {
  EXPECT_EQ(format_core_list(Cores{}), "");
  EXPECT_EQ(format_core_list(Cores{4}), "4");
  EXPECT_EQ(format_core_list(Cores{0, 1, 3, 4, 5, 9}), "0, 1, 3-5, 9");
}

}  // namespace
}  // namespace accelscope::device
