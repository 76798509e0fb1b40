#include "memory/streaming_memory.h"

#include <gtest/gtest.h>

#include <array>

#include "memory/access_patterns.h"
#include "memory/counters.h"
#include "memory/simple_dram.h"

namespace accelscope::memory {
namespace {

using base::Bytes;
using base::Picoseconds;
using boards::RegionKind;
using boards::WeightManifest;

constexpr std::int64_t kRead = 17'493;    // a line from the naive memory
constexpr std::int64_t kWrite = 5 * 833;  // and to it

StreamedMemory made_memory(const StreamingMemoryOptions& options, WeightManifest manifest) {
  return *make_streaming_memory(options, std::move(manifest), *make_simple_dram(SimpleModel::kNaive, 1));
}

WeightManifest layers(std::uint32_t count, std::int64_t size, RegionKind kind = RegionKind::kWeight) {
  WeightManifest manifest;
  for (std::uint32_t layer = 0; layer < count; ++layer)
    manifest.regions.push_back({layer, layer * static_cast<std::uint64_t>(size), {size}, kind});
  return manifest;
}

std::int64_t read(const StreamedMemory& memory, std::uint64_t address, std::int64_t size = 64) {
  const Picoseconds begin = memory.timing->now();
  return (finish_all(*memory.timing,
                     std::array<Request, 1>{{{.address = address, .size = {size}, .arrival = begin}}}) -
          begin)
      .value;
}

std::int64_t write(const StreamedMemory& memory, std::uint64_t address, std::int64_t size = 64) {
  const Picoseconds begin = memory.timing->now();
  return (finish_all(
              *memory.timing,
              std::array<Request, 1>{
                  {{.address = address, .size = {size}, .access = Access::kWrite, .arrival = begin}}}) -
          begin)
      .value;
}

TEST(StreamingMemory, HostStreamPassesTheMemory) {
  for (const MemoryMode mode : {MemoryMode::kHostStream, MemoryMode::kWeightStream}) {
    WeightManifest manifest = layers(1, 4096);
    manifest.regions.push_back({0, 4096, {4096}, RegionKind::kKv});
    const StreamedMemory memory =
        made_memory({.mode = mode, .link = {.bandwidth = {1'000'000'000}}}, manifest);
    EXPECT_EQ(read(memory, 0, 128), 128'000) << "the link alone";
    EXPECT_EQ(read(memory, 4096), kRead) << "the memory alone";
    EXPECT_EQ(write(memory, 0), kWrite) << "writes go to the memory";
    const auto statistics = memory.timing->statistics();
    ASSERT_EQ(statistics.size(), 3U);
    EXPECT_EQ(statistics[1].name, "host link");
    EXPECT_EQ(statistics[1].traffic.bytes_read.value, 128);
    EXPECT_EQ(statistics[2].name, "naive");
    EXPECT_EQ(statistics[2].traffic.bytes_read.value, 64) << "weights are not read from it";
    EXPECT_EQ(counter(*memory.timing, "weight_bytes"), 128);
    EXPECT_EQ(counter(*memory.timing, "kv_bytes"), 64);
  }
}

TEST(StreamingMemory, ReadersShareTheLinkAndWhatIsUnderWay) {
  const StreamedMemory memory =
      made_memory({.mode = MemoryMode::kHostStream, .link = {.bandwidth = {1'000'000'000}}}, layers(1, 4096));
  memory.timing->submit({.address = 0, .size = {100}});
  memory.timing->submit({.address = 50, .size = {100}});   // half of it is coming already
  memory.timing->submit({.address = 20, .size = {10}});    // all of it
  memory.timing->submit({.address = 1000, .size = {10}});  // none: it waits for the link
  std::vector<Completion> done;
  while (const auto completion = memory.timing->next(Picoseconds::max())) done.push_back(*completion);
  ASSERT_EQ(done.size(), 4U);
  EXPECT_EQ(done[0], (Completion{0, {100'000}, {100'000}}));
  EXPECT_EQ(done[1], (Completion{2, {100'000}, {100'000}}));
  EXPECT_EQ(done[2], (Completion{1, {150'000}, {100'000}}));
  EXPECT_EQ(done[3], (Completion{3, {160'000}, {160'000}}));
  EXPECT_EQ(counter(*memory.timing, "streamed_bytes"), 160);
}

TEST(StreamingMemory, EveryReaderOfASwapWaits) {
  const StreamedMemory memory =
      made_memory({.mode = MemoryMode::kLayerSwap, .link = {.bandwidth = {1'000'000'000}}}, layers(1, 128));
  memory.timing->submit({.address = 0});
  memory.timing->submit({.address = 64, .arrival = {1000}});
  const auto first = memory.timing->next(Picoseconds::max());
  const auto second = memory.timing->next(Picoseconds::max());
  // The link, two lines written, one read.
  EXPECT_GE(first->time.value, 128'000 + kWrite + kRead);
  EXPECT_GT(second->time, first->time);
  EXPECT_EQ(counter(*memory.timing, "swaps"), 1);
  EXPECT_EQ(counter(*memory.timing, "exposed_time"), 128'000);
  EXPECT_EQ(read(memory, 0), kRead) << "now it is there";
}

TEST(StreamingMemory, DirtyDataIsBroughtBackBeforeItsPlaceIsUsed) {
  const StreamedMemory memory = made_memory({.mode = MemoryMode::kLayerSwap,
                                             .capacity = {64},
                                             .link = {.bandwidth = {1'000'000'000}},
                                             .prefetch_depth = 0},
                                            layers(2, 64));
  EXPECT_EQ(read(memory, 0), 64'000 + kWrite + kRead);
  EXPECT_EQ(read(memory, 64), 64'000 + kWrite + kRead) << "what is clean goes for nothing";
  read(memory, 0);
  EXPECT_EQ(write(memory, 0), kWrite);
  EXPECT_EQ(counter(*memory.timing, "returned_bytes"), 0);
  EXPECT_EQ(read(memory, 64), kRead + 64'000 + 64'000 + kWrite + kRead);
  EXPECT_EQ(counter(*memory.timing, "returned_bytes"), 64);
  EXPECT_EQ(counter(*memory.timing, "swapped_bytes"), 4 * 64);
}

TEST(StreamingMemory, WhatIsOverwrittenIsNotBrought) {
  const StreamedMemory memory = made_memory({.mode = MemoryMode::kLayerSwap,
                                             .capacity = {128},
                                             .link = {.bandwidth = {1'000'000'000}},
                                             .prefetch_depth = 0},
                                            layers(2, 128, RegionKind::kKv));
  EXPECT_LT(write(memory, 0, 128), 10 * kWrite);
  EXPECT_EQ(counter(*memory.timing, "swaps"), 0);
  EXPECT_GT(write(memory, 128, 64), 2 * 128'000) << "a part of it: the old one goes, the rest comes";
  EXPECT_EQ(counter(*memory.timing, "swaps"), 1);
  EXPECT_EQ(counter(*memory.timing, "returned_bytes"), 128);
}

TEST(StreamingMemory, KeysAndValuesThatFitAreThereFromTheBeginning) {
  WeightManifest manifest = layers(1, 1024);
  manifest.regions.push_back({0, 1024, {1024}, RegionKind::kKv});
  manifest.regions.push_back({1, 2048, {1024}, RegionKind::kKv});
  const StreamedMemory memory = made_memory({.mode = MemoryMode::kAuto,
                                             .capacity = {2048},
                                             .link = {.bandwidth = {1'000'000'000}},
                                             .prefetch_depth = 0},
                                            manifest);
  EXPECT_EQ(memory.mode, MemoryMode::kKvSwap);
  EXPECT_EQ(read(memory, 0), kRead);
  EXPECT_EQ(read(memory, 1024), kRead);
  EXPECT_GT(read(memory, 2048), 1'024'000);
  EXPECT_EQ(counter(*memory.timing, "swaps"), 1);
}

// Layers of 64 KiB round and round, a calculation after each: a round, the mean of seven.
std::int64_t steady_round(std::uint32_t depth, std::int64_t capacity_in_layers, std::int64_t compute,
                          std::optional<Bytes> chunk = std::nullopt,
                          EvictionPolicy policy = EvictionPolicy::kLru) {
  constexpr std::int64_t kLayer = 65'536;
  constexpr std::uint32_t kLayers = 8;
  const StreamedMemory memory =
      *make_streaming_memory({.mode = MemoryMode::kLayerSwap,
                              .capacity = {capacity_in_layers * kLayer},
                              .link = {.bandwidth = {1'000'000'000}},
                              .policy = policy,
                              .prefetch_depth = depth,
                              .chunk = chunk},
                             layers(kLayers, kLayer), *make_simple_dram(SimpleModel::kNaive, 64));
  Picoseconds now{};
  std::vector<std::int64_t> ends;
  for (int round = 0; round < 9; ++round) {
    for (std::uint32_t layer = 0; layer < kLayers; ++layer) {
      memory.timing->submit({.address = layer * std::uint64_t{kLayer}, .size = {kLayer}, .arrival = now});
      now = memory.timing->next(Picoseconds::max())->time + Picoseconds{compute};
    }
    ends.push_back(now.value);
  }
  return (ends[8] - ends[1]) / 7;
}

TEST(StreamingMemory, TwoBuffersReachTheSlowerOfComputeAndTransfer) {
  constexpr std::int64_t kTransfer = 65'536'000;
  constexpr double kDram = 0.12;  // writing and reading a layer besides, of its transfer
  for (const std::int64_t compute : {kTransfer / 4, kTransfer, 3 * kTransfer}) {
    const auto bound = static_cast<double>(8 * std::max(compute, kTransfer));
    const auto sum = static_cast<double>(8 * (compute + kTransfer));
    const auto on_demand = static_cast<double>(steady_round(0, 1, compute));
    const auto doubled = static_cast<double>(steady_round(1, 2, compute));
    EXPECT_GE(on_demand, sum);
    EXPECT_LE(on_demand, sum * (1 + kDram));
    EXPECT_GE(doubled, bound);
    EXPECT_LE(doubled, bound * (1 + kDram)) << compute;
  }
}

TEST(StreamingMemory, PoliciesOnLayersThatComeRound) {
  constexpr std::int64_t kCompute = 1'000'000;
  const auto round = [](EvictionPolicy policy, std::int64_t capacity) {
    return steady_round(0, capacity, kCompute, std::nullopt, policy);
  };
  EXPECT_EQ(round(EvictionPolicy::kLru, 4), round(EvictionPolicy::kLru, 1)) << "no hits, capacity or not";
  EXPECT_EQ(round(EvictionPolicy::kFifo, 7), round(EvictionPolicy::kFifo, 1));
  EXPECT_LT(round(EvictionPolicy::kPin, 4), round(EvictionPolicy::kLru, 4));
  EXPECT_LE(round(EvictionPolicy::kBelady, 4), round(EvictionPolicy::kPin, 4));
}

TEST(StreamingMemory, PiecesOverlapTheirOwnLayer) {
  // On demand, by pieces: the read of one goes on while the next one comes.
  EXPECT_LT(steady_round(0, 2, 0, Bytes{4096}), steady_round(0, 2, 0));
}

TEST(StreamingMemory, WhatIsLargerThanTheMemoryIsSaidAndPasses) {
  const StreamedMemory memory = made_memory({.mode = MemoryMode::kLayerSwap}, [] {
    WeightManifest manifest;
    manifest.regions.push_back({3, 0, {20'000'000'000}, RegionKind::kWeight});
    return manifest;
  }());
  ASSERT_EQ(memory.warnings.size(), 1U);
  EXPECT_EQ(memory.warnings.front(),
            "layer 3: 20000000000 bytes that come and go together, and the memory has room for 536870912: "
            "they are never kept, what is read of them comes over the host link each time, and all of them "
            "take 333333333333 ns; smaller pieces would be kept");
  EXPECT_EQ(read(memory, 0, 20'000'000'000), 333'333'333'333'334);
  EXPECT_EQ(read(memory, 0, 60), 1'000'000);
  EXPECT_EQ(write(memory, 0, 60), 1'000'000) << "there is no other place for it than the host";
}

TEST(StreamingMemory, RefusesWhatMakesNoSense) {
  const auto message = [](const StreamingMemoryOptions& options, WeightManifest manifest) {
    const auto refused =
        make_streaming_memory(options, std::move(manifest), *make_simple_dram(SimpleModel::kNaive, 1));
    return refused ? std::string() : refused.error().message;
  };
  EXPECT_EQ(message({.capacity = {-5}}, {}), "a capacity of -5 bytes: expected at least 1");
  EXPECT_EQ(message({.link = {.bandwidth = {0}}}, {}),
            "a host link of 0 bytes a second: expected at least 1");
  EXPECT_EQ(message({.link = {.latency = {-1}}}, {}),
            "a host link with a latency of -1 ps: expected 0 or more");
  EXPECT_EQ(message({.mode = MemoryMode::kLayerSwap, .chunk = Bytes{0}}, layers(1, 64)),
            "pieces of 0 bytes: expected at least 1");
  EXPECT_EQ(message({.mode = MemoryMode::kLayerSwap, .chunk = Bytes{1}}, layers(1, 1LL << 23)),
            "the manifest's 8388608 bytes would be cut into more than 4194304 pieces; use larger ones");
  EXPECT_EQ(message({.mode = MemoryMode::kKvSwap, .capacity = {64}}, layers(1, 64)),
            "weights of 64 bytes leave nothing of a capacity of 64 for keys and values: use weight-stream");
  EXPECT_EQ(message({.link = {.bandwidth = {1}}}, layers(1, 1LL << 40)),
            "1099511627776 bytes over a host link of 1 bytes a second take longer than a month");
  EXPECT_EQ(message({.prefetch_depth = 1U << 17U}, {}), "a prefetch depth of 131072: expected at most 65536");
}

}  // namespace
}  // namespace accelscope::memory
