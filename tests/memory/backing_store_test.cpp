#include "memory/backing_store.h"

#include <gtest/gtest.h>

#include <vector>

#include "memory/statistics.h"
#include "memory/ticks.h"

namespace accelscope::memory {
namespace {

std::vector<std::byte> bytes(std::size_t size, int value) {
  return std::vector<std::byte>(size, static_cast<std::byte>(value));
}

TEST(BackingStore, WhatWasNotWrittenIsZeroAndCostsNothing) {
  const BackingStore store({std::int64_t{128} << 30});
  auto read = bytes(100, 7);
  ASSERT_TRUE(store.read(std::uint64_t{100} << 30, read));
  EXPECT_EQ(read, bytes(100, 0));
  EXPECT_EQ(store.touched(), base::Bytes{0});
}

TEST(BackingStore, KeepsBytesAcrossPages) {
  BackingStore store({std::int64_t{1} << 20});
  const std::uint64_t address = BackingStore::kPageBytes - 10;
  ASSERT_TRUE(store.write(address, bytes(20, 5)));
  auto read = bytes(22, 1);
  ASSERT_TRUE(store.read(address - 1, read));
  EXPECT_EQ(read.front(), std::byte{0});
  EXPECT_EQ(read.back(), std::byte{0});
  EXPECT_EQ(std::vector<std::byte>(read.begin() + 1, read.end() - 1), bytes(20, 5));
  EXPECT_EQ(store.touched(), base::Bytes{2 * static_cast<std::int64_t>(BackingStore::kPageBytes)});
}

TEST(BackingStore, RefusesWhatLiesBeyondItsEnd) {
  BackingStore store({100});
  auto buffer = bytes(20, 0);
  EXPECT_TRUE(store.read(80, buffer));
  EXPECT_FALSE(store.read(81, buffer));
  EXPECT_EQ(store.write(~std::uint64_t{0}, buffer).error().message,
            "20 bytes at address 0xffffffffffffffff do not lie within the memory's 100 bytes");
}

TEST(Histogram, QuantilesAreExactForSmallValuesAndCloseForLargeOnes) {
  Histogram histogram;
  for (int i = 1; i <= 100; ++i) histogram.add(i);
  EXPECT_EQ(histogram.quantile(0.5), 50);
  EXPECT_EQ(histogram.quantile(0.99), 99);
  EXPECT_EQ(histogram.quantile(1), 100);
  EXPECT_EQ(histogram.mean(), 50.5);
  Histogram large;
  for (std::int64_t i = 1; i <= 1'000'000; ++i) large.add(i);
  EXPECT_NEAR(static_cast<double>(large.quantile(0.5)), 500'000, 500'000 / 64.0);
  EXPECT_EQ(large.most(), 1'000'000);
  large.add(histogram);
  EXPECT_EQ(large.count(), 1'000'100U);
  EXPECT_EQ(Histogram().quantile(0.5), 0);
}

TEST(TickClock, RoundsUpOnce) {
  constexpr TickClock kHalf(312'500);
  EXPECT_EQ(kHalf.time_of(1).value, 313);
  EXPECT_EQ(kHalf.time_of(2).value, 625);
  EXPECT_EQ(kHalf.time_of(1'000'000'000'000).value, 312'500'000'000'000);
  EXPECT_EQ(kHalf.first_tick_from({313}), 2);
  EXPECT_EQ(kHalf.first_tick_from({312}), 1);
  EXPECT_EQ(kHalf.last_tick_to({624}), 1);
  EXPECT_EQ(kHalf.first_tick_from({0}), 0);
}

}  // namespace
}  // namespace accelscope::memory
