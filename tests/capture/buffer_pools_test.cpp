#include "capture/buffer_pools.h"

#include <gtest/gtest.h>

#include "capture/producers.h"

namespace accelscope::capture {
namespace {

// A producer by hand: takes an empty buffer, and hands one over.
std::uint32_t take_empty(const WriterParts& parts) {
  std::uint32_t buffer = ~0U;
  EXPECT_TRUE(parts.lane->free.pop(buffer));
  return buffer;
}

TEST(BufferPools, WhoHasTheFewestGetsTheNext) {
  const auto memory = device::mapped_memory();
  BufferPools pools(*memory, {.low = 2, .high = 5});
  ASSERT_TRUE(pools.add(tests::edges({0, 1, 2})));  // nine buffers
  pools.supply();
  for (std::size_t lane = 0; lane < 3; ++lane) EXPECT_EQ(pools.writer_parts(lane).lane->free.size(), 3U);
  // One that has handed over two of its own gets both back, whoever is asked first.
  const WriterParts parts = pools.writer_parts(2);
  for (int i = 0; i < 2; ++i) parts.lane->ready.push(take_empty(parts));
  while (const auto buffer = pools.take_full(2)) pools.give_back(2, *buffer);
  pools.supply();
  for (std::size_t lane = 0; lane < 3; ++lane) EXPECT_EQ(pools.writer_parts(lane).lane->free.size(), 3U);
}

TEST(BufferPools, NobodyGetsMoreThanTheHighWatermark) {
  const auto memory = device::mapped_memory();
  BufferPools pools(*memory, {.low = 1, .high = 2});
  ASSERT_TRUE(pools.add(tests::edges({0})));
  pools.supply();
  EXPECT_EQ(pools.writer_parts(0).lane->free.size(), 2U);
}

TEST(BufferPools, ShortagesAndBuffersInFlightAreCounted) {
  const auto memory = device::mapped_memory();
  BufferPools pools(*memory, {.low = 2, .high = 8});
  ASSERT_TRUE(pools.add(tests::edges({0})));  // three buffers
  pools.supply();
  const WriterParts parts = pools.writer_parts(0);
  std::vector<std::uint32_t> full;
  for (std::uint64_t round = 0; round < 2; ++round) {
    for (int i = 0; i < 2; ++i) parts.lane->ready.push(take_empty(parts));
    while (const auto buffer = pools.take_full(0)) full.push_back(*buffer);
    EXPECT_EQ(pools.away(), 2U);
    pools.supply();
    pools.supply();  // it is still the same shortage
    EXPECT_EQ(pools.counts(0).times_short, round + 1);
    for (const std::uint32_t buffer : full) pools.give_back(0, buffer);
    full.clear();
    pools.supply();
  }
  EXPECT_EQ(pools.counts(0).most_away, 2U);
  EXPECT_FALSE(pools.counts(0).has_buffer);
  take_empty(parts);
  EXPECT_TRUE(pools.counts(0).has_buffer);
}

TEST(BufferPools, OneBufferForEachIsNoShortage) {
  const auto memory = device::mapped_memory();
  BufferPools pools(*memory, {});
  PoolSpec spec = tests::edges({0, 1});
  spec.buffers_per_lane = 1;
  ASSERT_TRUE(pools.add(spec));
  pools.supply();
  for (std::size_t lane = 0; lane < 2; ++lane) {
    EXPECT_EQ(pools.writer_parts(lane).lane->free.size(), 1U);
    EXPECT_EQ(pools.counts(lane).times_short, 0U);
  }
}

}  // namespace
}  // namespace accelscope::capture
