#include "boards/binary_size.h"

#include <gtest/gtest.h>

namespace accelscope::boards {
namespace {

std::int64_t size_of(std::string_view text) {
  const auto size = parse_binary_size(text);
  return size ? size->value : -1;
}

TEST(BinarySize, EveryUnitIsAPowerOf1024) {
  EXPECT_EQ(size_of("536870912"), 536'870'912);
  EXPECT_EQ(size_of("64B"), 64);
  for (const std::string_view text : {"512M", "512MB", "512Mi", "512MiB", "512mb", "512m", "0.5G", "0.5GiB"})
    EXPECT_EQ(size_of(text), 536'870'912) << text;
  EXPECT_EQ(size_of("3k"), 3072);
  EXPECT_EQ(size_of("1.5GB"), 1'610'612'736);
  EXPECT_EQ(size_of("7900000000G"), 7'900'000'000LL << 30);
}

TEST(BinarySize, WhatIsNoSizeIsRefused) {
  for (const std::string_view text :
       {"", "0", "-5", "0.0001", "M", "5T", "5x", "5Bi", "1e3", "99999999999999G", "5 MM", "nan"})
    EXPECT_EQ(size_of(text), -1) << text;
  EXPECT_EQ(
      parse_binary_size("-1M").error().message,
      "'-1M' is no size of a memory: expected a number above zero, in bytes or with K, M or G (powers of "
      "1024), such as 512M or 1.5GiB");
}

}  // namespace
}  // namespace accelscope::boards
