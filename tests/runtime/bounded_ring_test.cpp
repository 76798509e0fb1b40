#include "runtime/bounded_ring.h"

#include <gtest/gtest.h>

namespace accelscope::runtime {
namespace {

TEST(BoundedRings, GiveOutAndTakeBackInOrder) {
  BoundedRing ring(4);
  for (std::uint64_t i = 0; i < 4; ++i) {
    ASSERT_EQ(ring.place(1), i);
    ring.take(i, 1);
  }
  EXPECT_EQ(ring.place(1), std::nullopt);
  EXPECT_EQ(ring.place(0), 4U);
  ring.give_back_until(3);
  EXPECT_EQ(ring.used(), 1U);
  EXPECT_EQ(ring.place(3), 4U);
  EXPECT_EQ(ring.place(4), std::nullopt);
  ring.give_back_until(2);  // has been
  EXPECT_EQ(ring.start(), 3U);
}

TEST(BoundedRings, SkipTheRestWhereTheyWrapAround) {
  BoundedRing ring(10);
  ring.take(0, 7);
  EXPECT_EQ(ring.place_together(4), std::nullopt);  // 3 left, and the beginning is in use
  ring.give_back_until(5);
  EXPECT_EQ(ring.place_together(4), 10U);
  EXPECT_EQ(ring.place_together(6), std::nullopt);
  ring.take(10, 4);
  EXPECT_EQ(ring.used(), 9U);
  EXPECT_EQ(ring.index_of(10), 0U);
  ring.give_back_until(14);
  EXPECT_EQ(ring.used(), 0U);
}

TEST(BoundedRings, HoldAsMuchAsTheyCanWhenEmptyWhereverTheyAre) {
  BoundedRing ring(10);
  ring.take(0, 7);
  ring.give_back_until(7);
  ASSERT_EQ(ring.place_together(10), 10U);
  ring.take(10, 10);
  EXPECT_EQ(ring.used(), 10U);
  EXPECT_EQ(ring.start(), 10U);
  EXPECT_EQ(ring.place_together(11), std::nullopt);
}

}  // namespace
}  // namespace accelscope::runtime
