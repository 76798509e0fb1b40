#include "memory/stream_schedule.h"

#include <gtest/gtest.h>

#include <limits>

#include "stats/random.h"

namespace accelscope::memory {
namespace {

using base::Bytes;
using base::Picoseconds;

std::vector<std::optional<std::uint32_t>> all_units(std::size_t count) {
  std::vector<std::optional<std::uint32_t>> units(count);
  for (std::size_t i = 0; i < count; ++i) units[i] = static_cast<std::uint32_t>(i);
  return units;
}

Residency residency_of(EvictionPolicy policy, std::int64_t capacity, const std::vector<Bytes>& sizes,
                       std::uint32_t buffers) {
  std::vector<std::uint32_t> future(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) future[i] = static_cast<std::uint32_t>(i);
  return *Residency::make({.policy = policy, .capacity = {capacity}, .buffers = buffers, .future = future},
                          sizes);
}

// From the end of the last pass but one to that of the last.
std::int64_t last_pass(const std::vector<LayerTimes>& times, std::size_t layers) {
  return (times.back().compute_end - times[times.size() - 1 - layers].compute_end).value;
}

TEST(StreamSchedule, EqualLayersWithTwoBuffersReachTheLongerOfBoth) {
  for (const std::int64_t compute : {3, 10, 17}) {
    const std::vector<PassLayer> layers(8, PassLayer{{compute}, {compute}, {10}});
    const auto pass = [&](std::uint32_t buffers, std::int64_t capacity) {
      const std::vector<Bytes> sizes(8, Bytes{1});
      const auto plan =
          plan_passes(residency_of(EvictionPolicy::kLru, capacity, sizes, buffers), all_units(8), 6);
      return last_pass(schedule_accesses(layers, plan, buffers), 8);
    };
    EXPECT_EQ(pass(1, 1), 8 * (compute + 10));
    EXPECT_EQ(pass(2, 2), 8 * std::max<std::int64_t>(compute, 10));
    EXPECT_EQ(pass(2, 1), 8 * (compute + 10)) << "two buffers need room for two";
  }
}

TEST(StreamSchedule, IsTheRecurrenceWhereTheSameLayersCome) {
  stats::Generator random(3);
  for (int round = 0; round < 100; ++round) {
    std::vector<PassLayer> layers;
    std::vector<StreamedLayer> same;
    std::vector<bool> comes;
    for (std::uint64_t i = 0; i < 2 + random.below(8); ++i) {
      const Picoseconds compute{static_cast<std::int64_t>(random.below(50))};
      const Picoseconds transfer{static_cast<std::int64_t>(1 + random.below(50))};
      comes.push_back(random.below(3) > 0);
      layers.push_back({compute, compute, transfer});
      same.push_back({transfer, compute, comes.back()});
    }
    const auto buffers = static_cast<std::uint32_t>(1 + random.below(4));
    const auto times = schedule_accesses(layers, plan_passes(comes, 1), buffers);
    EXPECT_EQ(times.back().compute_end, stream(same, {.buffers = buffers}).first_pass);
  }
}

struct RandomCase {
  std::vector<PassLayer> layers;
  std::vector<Bytes> sizes;
  std::int64_t largest = 0;
  std::int64_t all = 0;
};

RandomCase random_case(stats::Generator& random, bool equal) {
  RandomCase made;
  for (std::uint64_t i = 0; i < 3 + random.below(8); ++i) {
    const auto size = static_cast<std::int64_t>(equal ? 6 : 1 + random.below(12));
    made.sizes.push_back({size});
    const Picoseconds compute{static_cast<std::int64_t>(random.below(100'000))};
    made.layers.push_back({compute, compute, {}});
    made.largest = std::max(made.largest, size);
    made.all += size;
  }
  return made;
}

std::int64_t time_of(const RandomCase& one, EvictionPolicy policy, std::int64_t capacity,
                     std::uint32_t buffers, std::int64_t bandwidth) {
  std::vector<PassLayer> layers = one.layers;
  for (std::size_t i = 0; i < layers.size(); ++i)
    layers[i].transfer = *transfer_time(one.sizes[i], {bandwidth}) + Picoseconds{100};
  const auto plan =
      plan_passes(residency_of(policy, capacity, one.sizes, buffers), all_units(layers.size()), 12);
  const auto times = schedule_accesses(layers, plan, buffers);
  for (const LayerTimes& access : times) {
    EXPECT_GE(access.exposed.value, 0);
    EXPECT_LE(access.exposed, access.transfer_end - access.transfer_start);
  }
  return times.back().compute_end.value;
}

TEST(StreamSchedule, MoreLinkIsNeverSlowerWhateverThePolicy) {
  stats::Generator random(11);
  for (int round = 0; round < 200; ++round) {
    const RandomCase one = random_case(random, round % 2 == 0);
    const std::int64_t capacity =
        one.largest + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(one.all)));
    const auto buffers = static_cast<std::uint32_t>(1 + random.below(4));
    for (const EvictionPolicy policy : {EvictionPolicy::kFifo, EvictionPolicy::kLru, EvictionPolicy::kMru,
                                        EvictionPolicy::kPin, EvictionPolicy::kBelady}) {
      std::int64_t before = std::numeric_limits<std::int64_t>::max();
      for (const std::int64_t megabytes : {50, 100, 130, 400, 1000, 20'000}) {
        const std::int64_t time = time_of(one, policy, capacity, buffers, megabytes * 1'000'000);
        ASSERT_LE(time, before) << name_of(policy) << " round " << round << " at " << megabytes;
        before = time;
      }
    }
  }
}

TEST(StreamSchedule, MoreCapacityIsNeverSlower) {
  stats::Generator random(12);
  for (int round = 0; round < 200; ++round) {
    const bool equal = round % 2 == 0;
    const RandomCase one = random_case(random, equal);
    const auto buffers = static_cast<std::uint32_t>(1 + random.below(3));
    for (const EvictionPolicy policy :
         {EvictionPolicy::kLru, EvictionPolicy::kPin, EvictionPolicy::kBelady}) {
      if (policy == EvictionPolicy::kBelady && (!equal || buffers > 1)) continue;
      std::int64_t before = std::numeric_limits<std::int64_t>::max();
      for (std::int64_t capacity = one.largest * buffers; capacity <= one.all; ++capacity) {
        const std::int64_t time = time_of(one, policy, capacity, buffers, 100'000'000);
        ASSERT_LE(time, before) << name_of(policy) << " round " << round << " with " << capacity << " and "
                                << buffers << " buffers";
        before = time;
      }
    }
  }
}

}  // namespace
}  // namespace accelscope::memory
