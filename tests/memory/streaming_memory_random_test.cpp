#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "memory/counters.h"
#include "memory/dram_preset_file.h"
#include "memory/event_dram.h"
#include "memory/simple_dram.h"
#include "memory/streaming_memory.h"
#include "stats/random.h"

namespace accelscope::memory {
namespace {

using base::Bytes;
using base::Picoseconds;
using boards::RegionKind;

boards::WeightManifest random_manifest(stats::Generator& random) {
  boards::WeightManifest manifest;
  std::uint64_t offset = random.below(3) * 100;
  const std::uint64_t regions = 2 + random.below(8);
  for (std::uint64_t i = 0; i < regions; ++i) {
    const auto size = static_cast<std::int64_t>(64 + random.below(2000));
    manifest.regions.push_back({static_cast<std::uint32_t>(random.below(5)),
                                offset,
                                {size},
                                static_cast<RegionKind>(random.below(3))});
    offset += static_cast<std::uint64_t>(size) + (random.below(2) == 0 ? 0 : random.below(500));
  }
  return manifest;
}

std::vector<Request> random_requests(stats::Generator& random, const boards::WeightManifest& manifest) {
  std::vector<Request> requests;
  Picoseconds arrival{};
  const std::uint64_t extent = manifest.regions.back().end() + 200;
  for (int i = 0; i < 60; ++i) {
    arrival += {static_cast<std::int64_t>(random.below(2) == 0 ? 0 : random.below(2'000'000))};
    requests.push_back({.address = random.below(extent),
                        .size = {static_cast<std::int64_t>(1 + random.below(3000))},
                        .access = random.below(4) == 0 ? Access::kWrite : Access::kRead,
                        .posted = random.below(3) == 0,
                        .arrival = arrival});
  }
  return requests;
}

struct Outcome {
  std::vector<Completion> completions;
  std::vector<ModelStatistics> statistics;
};

Outcome run(const StreamingMemoryOptions& options, const boards::WeightManifest& manifest,
            const std::vector<Request>& requests, bool event_driven) {
  const auto memory =
      make_streaming_memory(options, manifest,
                            event_driven ? *make_event_dram(*load_dram_preset("ddr3-1600-x16"), {})
                                         : *make_simple_dram(SimpleModel::kLineRows, 2));
  EXPECT_TRUE(memory) << memory.error().message;
  Outcome result;
  for (const Request& request : requests) memory->timing->submit(request);
  while (const auto done = memory->timing->next(Picoseconds::max())) result.completions.push_back(*done);
  result.statistics = memory->timing->statistics();
  return result;
}

void check(const Outcome& run, const std::vector<Request>& requests) {
  ASSERT_EQ(run.completions.size(), requests.size()) << "everything ends";
  Picoseconds before{};
  for (const Completion& done : run.completions) {
    EXPECT_GE(done.time, before) << "in the order of time";
    EXPECT_GE(done.time, requests[done.sequence].arrival) << "waits are never below zero";
    EXPECT_GE(done.time, done.first);
    before = done.time;
  }
  const ModelStatistics& own = run.statistics[0];
  const ModelStatistics& link = run.statistics[1];
  const ModelStatistics& memory = run.statistics[2];
  std::int64_t asked_reads = 0;
  std::int64_t asked_writes = 0;
  for (const Request& request : requests)
    (request.access == Access::kRead ? asked_reads : asked_writes) += request.size.value;
  EXPECT_EQ(own.traffic.bytes_read.value, asked_reads);
  EXPECT_EQ(own.traffic.bytes_written.value, asked_writes);
  EXPECT_EQ(counter(own, "weight_bytes") + counter(own, "kv_bytes") + counter(own, "activation_bytes"),
            asked_reads);
  // What came over the link was swapped in or streamed; what went back was dirty or had no place here.
  EXPECT_EQ(link.traffic.bytes_read.value, counter(own, "swapped_bytes") + counter(own, "streamed_bytes"));
  EXPECT_EQ(link.traffic.bytes_written.value, counter(own, "returned_bytes"));
  EXPECT_LE(memory.traffic.bytes_read.value, counter(own, "resident_bytes") + counter(own, "returned_bytes"));
  EXPECT_EQ(counter(own, "exposed_time") + counter(own, "hidden_time"), counter(own, "transfer_time"));
  EXPECT_GE(counter(own, "hidden_time"), 0);
  EXPECT_LE(counter(link, "busy_time"), link.elapsed.value);
  std::int64_t of_layers = 0;
  for (const LayerTransfers& layer : own.layers) of_layers += layer.bytes.value;
  EXPECT_EQ(of_layers, link.traffic.bytes_moved.value);
}

StreamingMemoryOptions random_options(stats::Generator& random, const boards::WeightManifest& manifest) {
  StreamingMemoryOptions options;
  options.mode = static_cast<MemoryMode>(random.below(6));
  options.policy = static_cast<EvictionPolicy>(random.below(5));
  options.prefetch_depth = static_cast<std::uint32_t>(random.below(4));
  options.capacity = {boards::bytes_of_kind(manifest, RegionKind::kWeight).value + 1 +
                      static_cast<std::int64_t>(random.below(4000))};
  if (random.below(2) == 0) options.chunk = Bytes{static_cast<std::int64_t>(64 + random.below(700))};
  options.link = {.bandwidth = {static_cast<std::int64_t>(1'000'000'000 + random.below(10) * 1'000'000'000)},
                  .latency = {static_cast<std::int64_t>(random.below(3) * 50'000)},
                  .outstanding = static_cast<std::uint32_t>(1 + random.below(3))};
  return options;
}

TEST(StreamingMemoryRandom, EverythingEndsAndAddsUpAndRepeats) {
  stats::Generator random(42);
  for (int round = 0; round < 400; ++round) {
    const boards::WeightManifest manifest = random_manifest(random);
    const StreamingMemoryOptions options = random_options(random, manifest);
    const std::vector<Request> requests = random_requests(random, manifest);
    const bool event_driven = round % 2 == 0;
    const Outcome once = run(options, manifest, requests, event_driven);
    check(once, requests);
    if (HasFailure()) FAIL() << "round " << round << ": " << name_of(options.mode);
    const Outcome again = run(options, manifest, requests, event_driven);
    EXPECT_EQ(once.completions, again.completions);
    EXPECT_EQ(once.statistics, again.statistics);
  }
}

// A pass over all layers, each calculated with for some time after it was read; on demand or ahead.
Picoseconds passes(const StreamingMemoryOptions& options, const boards::WeightManifest& manifest,
                   Picoseconds compute, bool event_driven = false) {
  const auto memory =
      make_streaming_memory(options, manifest,
                            event_driven ? *make_event_dram(*load_dram_preset("ddr3-1600-x16"), {})
                                         : *make_simple_dram(SimpleModel::kNaive, 1));
  Picoseconds now{};
  for (int pass = 0; pass < 3; ++pass)
    for (const boards::ManifestRegion& region : manifest.regions) {
      memory->timing->submit({.address = region.offset, .size = region.size, .arrival = now});
      now = memory->timing->next(Picoseconds::max())->time + compute;
    }
  return now;
}

boards::WeightManifest random_layers(stats::Generator& random, bool equal, std::int64_t part = 64) {
  boards::WeightManifest manifest;
  std::uint64_t offset = 0;
  const std::uint64_t layers = 3 + random.below(6);
  for (std::uint64_t layer = 0; layer < layers; ++layer) {
    const std::int64_t size = part * (equal ? 8 : static_cast<std::int64_t>(1 + random.below(20)));
    manifest.regions.push_back({static_cast<std::uint32_t>(layer), offset, {size}, RegionKind::kWeight});
    offset += static_cast<std::uint64_t>(size);
  }
  return manifest;
}

constexpr std::array<std::int64_t, 6> kMegabytesPerSecond{500, 1000, 2000, 3000, 8000, 64'000};

// On demand, and whenever weights pass the memory by, to the picosecond.
TEST(StreamingMemoryRandom, MoreLinkIsNeverSlower) {
  stats::Generator random(5);
  for (int round = 0; round < 200; ++round) {
    const boards::WeightManifest manifest = random_layers(random, false);
    const bool streams = round % 4 == 0;
    StreamingMemoryOptions options{.mode = streams ? MemoryMode::kHostStream : MemoryMode::kLayerSwap,
                                   .capacity = {64 * static_cast<std::int64_t>(20 + random.below(60))},
                                   .policy = static_cast<EvictionPolicy>(random.below(5)),
                                   .prefetch_depth = streams ? 2U : 0U};
    const Picoseconds compute{static_cast<std::int64_t>(random.below(500'000))};
    Picoseconds before = Picoseconds::max();
    for (const std::int64_t bandwidth : kMegabytesPerSecond) {
      options.link.bandwidth = {bandwidth * 1'000'000};
      const Picoseconds time = passes(options, manifest, compute, streams && round % 8 == 0);
      ASSERT_LE(time, before) << "round " << round << " at " << bandwidth << " MB/s, "
                              << name_of(options.policy);
      before = time;
    }
  }
}

// Where units are written to a DRAM that others read, what comes earlier may be in the way of something else:
// of a refresh, or of somebody who has just begun to read and now waits for what is written at a time.
struct SharedDram {
  const char* name;
  bool event_driven;
  std::int64_t part;  // layers are 1 to 20 of them
  std::uint32_t least_depth, most_depth;
  std::int64_t slower_by_permille;
  int rounds;
};

class LinkOverSharedDram : public testing::TestWithParam<SharedDram> {};

TEST_P(LinkOverSharedDram, MoreOfItIsSlowerByNoMoreThan) {
  const SharedDram& dram = GetParam();
  stats::Generator random(5);
  for (int round = 0; round < dram.rounds; ++round) {
    const boards::WeightManifest manifest = random_layers(random, round % 2 == 0, dram.part);
    StreamingMemoryOptions options{.mode = MemoryMode::kLayerSwap,
                                   .capacity = {dram.part * static_cast<std::int64_t>(20 + random.below(60))},
                                   .policy = static_cast<EvictionPolicy>(random.below(5))};
    options.prefetch_depth =
        dram.least_depth + static_cast<std::uint32_t>(random.below(dram.most_depth - dram.least_depth + 1));
    const Picoseconds compute{dram.part / 64 * static_cast<std::int64_t>(random.below(500'000))};
    Picoseconds least{Picoseconds::max().value / 10'000};
    for (const std::int64_t bandwidth : kMegabytesPerSecond) {
      options.link.bandwidth = {bandwidth * 1'000'000};
      const Picoseconds time = passes(options, manifest, compute, dram.event_driven);
      ASSERT_LE(time.value * 1000, least.value * (1000 + dram.slower_by_permille))
          << "round " << round << " at " << bandwidth << " MB/s, " << name_of(options.policy) << ", depth "
          << options.prefetch_depth;
      least = std::min(least, time);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LinkOverSharedDram,
                         testing::Values(SharedDram{"OnDemand", true, 64, 0, 0, 1, 200},
                                         SharedDram{"Ahead", false, 4096, 1, 3, 10, 30},
                                         SharedDram{"AheadWithRows", true, 4096, 1, 3, 10, 20},
                                         SharedDram{"AheadInOnePiece", true, 64, 1, 3, 100, 300}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(StreamingMemoryRandom, MoreCapacityIsNeverSlower) {
  stats::Generator random(6);
  for (int round = 0; round < 200; ++round) {
    const bool equal = round % 2 == 0;
    const boards::WeightManifest manifest = random_layers(random, equal);
    std::int64_t largest = 0;
    for (const auto& region : manifest.regions) largest = std::max(largest, region.size.value);
    for (const EvictionPolicy policy :
         {EvictionPolicy::kLru, EvictionPolicy::kPin, EvictionPolicy::kBelady}) {
      if (policy == EvictionPolicy::kBelady && !equal) continue;
      StreamingMemoryOptions options{.mode = MemoryMode::kLayerSwap,
                                     .link = {.bandwidth = {1'000'000'000}},
                                     .policy = policy,
                                     .prefetch_depth = 0};
      Picoseconds before = Picoseconds::max();
      for (std::int64_t capacity = largest; capacity <= boards::total_bytes(manifest).value;
           capacity += 256) {
        options.capacity = {capacity};
        const Picoseconds time = passes(options, manifest, {100'000});
        ASSERT_LE(time, before) << "round " << round << " with " << capacity << ", " << name_of(policy);
        before = time;
      }
    }
  }
}

}  // namespace
}  // namespace accelscope::memory
