#include "memory/residency.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "stats/random.h"

namespace accelscope::memory {
namespace {

using base::Bytes;

std::vector<std::uint32_t> cycles(std::uint32_t units, std::uint32_t rounds) {
  std::vector<std::uint32_t> accesses;
  for (std::uint32_t round = 0; round < rounds; ++round)
    for (std::uint32_t unit = 0; unit < units; ++unit) accesses.push_back(unit);
  return accesses;
}

struct Played {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::int64_t bytes = 0;  // that came
};

Played play(Residency residency, const std::vector<std::uint32_t>& accesses,
            const std::vector<Bytes>& sizes) {
  Played played;
  for (const std::uint32_t unit : accesses) {
    const Residency::Outcome outcome = residency.access(unit);
    (outcome.hit ? played.hits : played.misses) += 1;
    if (!outcome.hit) played.bytes += sizes[unit].value;
    EXPECT_LE(residency.used(), residency.capacity());
    EXPECT_EQ(residency.holds(unit), outcome.kept);
    for (const std::uint32_t evicted : outcome.evicted) EXPECT_FALSE(residency.holds(evicted));
  }
  return played;
}

Played play(EvictionPolicy policy, std::int64_t capacity, const std::vector<std::uint32_t>& accesses,
            const std::vector<Bytes>& sizes) {
  return play(*Residency::make({.policy = policy, .capacity = {capacity}, .future = accesses}, sizes),
              accesses, sizes);
}

// Of L units that are read round and round; a period of all policies is L (L - 1) rounds long.
struct Share {
  std::uint64_t hits = 0;
  std::uint64_t of = 0;
};
Share cyclic_share(EvictionPolicy policy, std::uint32_t units, std::uint32_t capacity) {
  const std::vector<Bytes> sizes(units, Bytes{1});
  std::vector<std::uint32_t> round(units);
  std::iota(round.begin(), round.end(), 0U);
  Residency residency =
      *Residency::make({.policy = policy, .capacity = {capacity}, .future = std::move(round)}, sizes);
  play(residency, {}, sizes);
  const auto accesses = cycles(units, units * (units - 1));
  for (const std::uint32_t unit : accesses) residency.access(unit);  // until it has settled
  return {play(residency, accesses, sizes).hits, accesses.size()};
}

TEST(Residency, CyclicAccessBelowCapacity) {
  constexpr std::uint32_t kUnits = 32;
  for (const std::uint32_t capacity : {1U, 2U, 4U, 8U, 16U, 24U, 31U}) {
    EXPECT_EQ(cyclic_share(EvictionPolicy::kFifo, kUnits, capacity).hits, 0U) << capacity;
    EXPECT_EQ(cyclic_share(EvictionPolicy::kLru, kUnits, capacity).hits, 0U) << capacity;
    const Share mru = cyclic_share(EvictionPolicy::kMru, kUnits, capacity);
    const Share belady = cyclic_share(EvictionPolicy::kBelady, kUnits, capacity);
    const Share pin = cyclic_share(EvictionPolicy::kPin, kUnits, capacity);
    EXPECT_EQ(belady.hits * (kUnits - 1), belady.of * (capacity - 1)) << capacity;
    EXPECT_EQ(pin.hits * kUnits, pin.of * (capacity - 1)) << capacity;
    EXPECT_EQ(mru.hits * kUnits, mru.of * (capacity - 1)) << capacity;
  }
  for (const EvictionPolicy policy : {EvictionPolicy::kFifo, EvictionPolicy::kLru, EvictionPolicy::kMru,
                                      EvictionPolicy::kPin, EvictionPolicy::kBelady}) {
    const Share all = cyclic_share(policy, 8, 8);
    EXPECT_EQ(all.hits, all.of) << name_of(policy);
  }
}

TEST(Residency, BeladysAnomalyOfFifo) {
  const std::vector<std::uint32_t> accesses{1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5};
  const std::vector<Bytes> sizes(6, Bytes{1});
  EXPECT_EQ(play(EvictionPolicy::kFifo, 3, accesses, sizes).misses, 9U);
  EXPECT_EQ(play(EvictionPolicy::kFifo, 4, accesses, sizes).misses, 10U) << "more capacity, more misses";
  EXPECT_EQ(play(EvictionPolicy::kLru, 3, accesses, sizes).misses, 10U);
  EXPECT_EQ(play(EvictionPolicy::kLru, 4, accesses, sizes).misses, 8U);
  EXPECT_EQ(play(EvictionPolicy::kBelady, 3, accesses, sizes).misses, 7U);
  EXPECT_EQ(play(EvictionPolicy::kBelady, 4, accesses, sizes).misses, 6U);
}

TEST(Residency, MoreCapacityNeverBringsMoreBytes) {
  stats::Generator random(20261117);
  for (int round = 0; round < 300; ++round) {
    const auto units = static_cast<std::uint32_t>(2 + random.below(12));
    const bool equal = round % 2 == 0;
    std::vector<Bytes> sizes(units);
    std::int64_t largest = 0;
    std::int64_t all = 0;
    for (Bytes& size : sizes) {
      size.value = equal ? 3 : static_cast<std::int64_t>(1 + random.below(9));
      largest = std::max(largest, size.value);
      all += size.value;
    }
    std::vector<std::uint32_t> accesses(60);
    for (std::uint32_t& unit : accesses) unit = static_cast<std::uint32_t>(random.below(units));
    for (const EvictionPolicy policy :
         {EvictionPolicy::kLru, EvictionPolicy::kPin, EvictionPolicy::kBelady}) {
      // Belady's choice is the best one for units of one size only, and pins are for rounds.
      if (policy == EvictionPolicy::kBelady && !equal) continue;
      if (policy == EvictionPolicy::kPin) accesses = cycles(units, 5);
      std::int64_t before = std::numeric_limits<std::int64_t>::max();
      for (std::int64_t capacity = largest; capacity <= all; ++capacity) {
        const std::int64_t bytes = play(policy, capacity, accesses, sizes).bytes;
        ASSERT_LE(bytes, before) << name_of(policy) << " " << capacity << " round " << round;
        before = bytes;
      }
    }
  }
}

TEST(Residency, BeladyIsNeverWorse) {
  stats::Generator random(7);
  for (int round = 0; round < 200; ++round) {
    const std::vector<Bytes> sizes(8, Bytes{1});
    std::vector<std::uint32_t> accesses(80);
    for (std::uint32_t& unit : accesses) unit = static_cast<std::uint32_t>(random.below(8));
    const auto capacity = static_cast<std::int64_t>(1 + random.below(8));
    const std::uint64_t best = play(EvictionPolicy::kBelady, capacity, accesses, sizes).misses;
    for (const EvictionPolicy policy :
         {EvictionPolicy::kFifo, EvictionPolicy::kLru, EvictionPolicy::kMru, EvictionPolicy::kPin})
      EXPECT_LE(best, play(policy, capacity, accesses, sizes).misses) << name_of(policy);
  }
}

TEST(Residency, BuffersKeepWhatIsUnderWay) {
  const std::vector<Bytes> sizes(4, Bytes{1});
  Residency mru = *Residency::make({.policy = EvictionPolicy::kMru, .capacity = {3}, .buffers = 2}, sizes);
  for (const std::uint32_t unit : {0U, 1U, 2U}) mru.access(unit);
  // 2 may still be in use, so 1 goes.
  EXPECT_EQ(mru.access(3).evicted, std::vector<std::uint32_t>{1});
}

TEST(Residency, PinLeavesRoomForBuffers) {
  const std::vector<Bytes> sizes{{4}, {4}, {6}, {4}};
  const auto pinned = [&](std::int64_t capacity, std::uint32_t buffers) {
    return Residency::make({.policy = EvictionPolicy::kPin, .capacity = {capacity}, .buffers = buffers},
                           sizes)
        ->pinned_units();
  };
  EXPECT_EQ(pinned(18, 1), 4U) << "all of it";
  EXPECT_EQ(pinned(17, 1), 2U) << "two, and the 6 of the third";
  EXPECT_EQ(pinned(17, 2), 1U);
  EXPECT_EQ(pinned(5, 1), 0U);
}

TEST(Residency, WhatIsLargerThanTheMemoryPasses) {
  Residency lru = *Residency::make({.policy = EvictionPolicy::kLru, .capacity = {5}}, {{2}, {6}});
  lru.access(0);
  const Residency::Outcome outcome = lru.access(1);
  EXPECT_FALSE(outcome.hit);
  EXPECT_FALSE(outcome.kept);
  EXPECT_TRUE(outcome.evicted.empty());
  EXPECT_TRUE(lru.access(0).hit);
}

TEST(Residency, RefusesWhatMakesNoSense) {
  const auto message = [](ResidencyOptions options, std::vector<Bytes> sizes) {
    const auto made = Residency::make(std::move(options), std::move(sizes));
    return made ? std::string() : made.error().message;
  };
  EXPECT_EQ(message({.capacity = {-1}}, {}), "a capacity of -1 bytes: expected at least 1");
  EXPECT_EQ(message({.capacity = {1}, .buffers = 0}, {}), "0 buffers: expected at least 1");
  EXPECT_EQ(message({.capacity = {1}}, {{1}, {0}}), "unit 1 has 0 bytes: expected at least 1");
  EXPECT_EQ(message({.policy = EvictionPolicy::kBelady, .capacity = {1}}, {{1}}),
            "the policy `belady` needs to know the accesses to come");
  EXPECT_EQ(message({.policy = EvictionPolicy::kBelady, .capacity = {1}, .future = {3}}, {{1}}),
            "unit 3 is to be read, and there are 1");
  EXPECT_EQ(message({.policy = EvictionPolicy::kPin, .capacity = {1}, .pinned = {true, true}}, {{1}, {1}}),
            "pinned units of 2 bytes do not fit a capacity of 1");
  EXPECT_EQ(eviction_policy_named("belady"), EvictionPolicy::kBelady);
  EXPECT_FALSE(eviction_policy_named("LRU"));
}

}  // namespace
}  // namespace accelscope::memory
