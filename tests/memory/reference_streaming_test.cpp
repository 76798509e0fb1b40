#include "memory/reference_streaming.h"

#include <gtest/gtest.h>

#include <array>

#include "memory/access_patterns.h"
#include "memory/counters.h"

namespace accelscope::memory {
namespace {

using base::Bytes;
using base::BytesPerSecond;
using base::Picoseconds;
using boards::RegionKind;
using boards::WeightManifest;

StreamedMemory made(const ReferenceStreamingOptions& options, WeightManifest manifest) {
  return *make_reference_streaming(options, std::move(manifest));
}

std::int64_t picoseconds_of_program(const ReferenceStreamingOptions& options, WeightManifest manifest) {
  const StreamedMemory memory = made(options, std::move(manifest));
  return run_serially(*memory.timing, program_of_9410_ns()).value;
}

WeightManifest regions(std::vector<boards::ManifestRegion> list) {
  return {.activation_ceiling = 0, .regions = std::move(list)};
}

TEST(ProgramOf9410Ns, IsTheOneOfTheRecipe) {
  std::int64_t cycles = 0;
  std::size_t reads = 0;
  for (const ProgramStep& step : program_of_9410_ns()) {
    cycles += step.cycles;
    reads += requests_of(step.prefetch).size();
  }
  EXPECT_EQ(cycles, 7330);
  EXPECT_EQ(reads * 64, 49152U);
}

TEST(ReferenceStreaming, PublishedRegimes) {
  const WeightManifest all_weights = regions({{0, 0, {2880}, RegionKind::kWeight}});
  EXPECT_EQ(picoseconds_of_program({.mode = MemoryMode::kResident}, all_weights), 13'454'216);
  EXPECT_EQ(picoseconds_of_program({.mode = MemoryMode::kWeightStream}, all_weights), 849'688'528);
  EXPECT_EQ(picoseconds_of_program({.mode = MemoryMode::kHostStream}, all_weights), 849'688'528);
  EXPECT_EQ(picoseconds_of_program({.mode = MemoryMode::kKvSwap}, regions({{0, 0, {2048}, RegionKind::kKv}})),
            47'493'920);
  EXPECT_EQ(
      picoseconds_of_program({.mode = MemoryMode::kKvSwap},
                             regions({{0, 0, {1024}, RegionKind::kKv}, {0, 1024, {1024}, RegionKind::kKv}})),
      47'443'272);
}

TEST(ReferenceStreaming, ChunksTakeWholeNanosecondsRoundedDown) {
  const auto nanoseconds = [](std::int64_t bandwidth) {
    return reference_transfer_time({64}, {bandwidth})->value / 1000;
  };
  EXPECT_EQ(nanoseconds(60'000'000), 1066);
  EXPECT_EQ(nanoseconds(38'000'000), 1684);
  EXPECT_EQ(nanoseconds(4'750'000), 13473);
  EXPECT_EQ(nanoseconds(1'500'000'000), 42);
  EXPECT_EQ(nanoseconds(64'000'000'001), 0);
}

TEST(ReferenceStreaming, LargeLayerWithoutOverflow) {
  const WeightManifest manifest = regions({{7, 0, {20'000'000'000}, RegionKind::kWeight}});
  const StreamedMemory memory = made({.mode = MemoryMode::kLayerSwap}, manifest);
  ASSERT_EQ(memory.warnings.size(), 1U);
  EXPECT_EQ(
      memory.warnings.front(),
      "layer 7 has 20000000000 bytes and the memory 536870912: as in the reference it is admitted all the "
      "same, its first reader waits 333333333333 ns, and it stays until another layer is read");
  EXPECT_EQ(finish_all(*memory.timing, std::array<Request, 1>{}).value, 333'333'333'333'000 + 30'821);
  const Picoseconds again = memory.timing->now();
  EXPECT_EQ(finish_all(*memory.timing, std::array<Request, 1>{{{.arrival = again}}}),
            again + Picoseconds{30'821});
}

TEST(ReferenceStreaming, OnlyTheFirstReaderOfASwapWaits) {
  const StreamedMemory memory = made({.mode = MemoryMode::kLayerSwap, .host_bandwidth = {1'000'000'000}},
                                     regions({{0, 0, {4096}, RegionKind::kWeight}}));
  memory.timing->submit({.address = 0});
  memory.timing->submit({.address = 2048});
  EXPECT_EQ(memory.timing->next(Picoseconds::max()), (Completion{1, {30'821}, {30'821}}));
  EXPECT_EQ(memory.timing->next(Picoseconds::max())->time.value, 4'096'000 + 30'821);
  EXPECT_EQ(counter(*memory.timing, "swaps"), 1);
  EXPECT_EQ(counter(*memory.timing, "swapped_bytes"), 4096);
  EXPECT_EQ(counter(*memory.timing, "transfer_time"), 4'096'000);
}

TEST(ReferenceStreaming, LayersLeaveInTheOrderInWhichTheyCame) {
  const StreamedMemory memory = made({.mode = MemoryMode::kLayerSwap, .capacity = {2048}},
                                     regions({{0, 0, {1024}, RegionKind::kWeight},
                                              {1, 1024, {1024}, RegionKind::kKv},
                                              {2, 2048, {1024}, RegionKind::kActivation}}));
  const auto read = [&](std::uint64_t address) {
    finish_all(*memory.timing, std::array<Request, 1>{{{.address = address}}});
  };
  // 0 1 0 2 drives 0 out, although it was read last.
  for (const std::uint64_t address : {0U, 1024U, 64U, 2048U, 1088U}) read(address);
  EXPECT_EQ(counter(*memory.timing, "swaps"), 3);
  read(0);
  EXPECT_EQ(counter(*memory.timing, "swaps"), 4);
  EXPECT_EQ(counter(*memory.timing, "weight_reads"), 3);
  EXPECT_EQ(counter(*memory.timing, "kv_reads"), 2);
  EXPECT_EQ(counter(*memory.timing, "activation_reads"), 1);
}

TEST(ReferenceStreaming, WritesCostNoLinkAndChangeNothing) {
  const StreamedMemory memory =
      made({.mode = MemoryMode::kLayerSwap}, regions({{0, 0, {1024}, RegionKind::kWeight}}));
  EXPECT_EQ(
      finish_all(*memory.timing, std::array<Request, 1>{{{.address = 0, .access = Access::kWrite}}}).value,
      (1 + 16 + 4) * 833);
  EXPECT_EQ(counter(*memory.timing, "swaps"), 0);
}

TEST(ReferenceStreaming, HostStreamLooksAtTheCeilingOnly) {
  WeightManifest manifest =
      regions({{0, 0, {1024}, RegionKind::kWeight}, {0, 1024, {1024}, RegionKind::kKv}});
  manifest.activation_ceiling = 1024;
  const StreamedMemory host = made({.mode = MemoryMode::kHostStream}, manifest);
  finish_all(*host.timing, std::array<Request, 1>{{{.address = 0, .size = {2048}}}});
  EXPECT_EQ(counter(*host.timing, "streamed_bytes"), 1024);
  const StreamedMemory weights = made({.mode = MemoryMode::kWeightStream}, manifest);
  finish_all(*weights.timing, std::array<Request, 1>{{{.address = 0, .size = {2048}}}});
  EXPECT_EQ(counter(*weights.timing, "streamed_bytes"), 1024);
  EXPECT_EQ(counter(*weights.timing, "resident_bytes"), 1024);
}

TEST(ReferenceStreaming, AutoFollowsManifestAndCapacity) {
  WeightManifest manifest =
      regions({{0, 0, {1000}, RegionKind::kWeight}, {0, 1000, {1000}, RegionKind::kKv}});
  const auto mode = [&](std::int64_t capacity) {
    return made({.mode = MemoryMode::kAuto, .capacity = {capacity}}, manifest).mode;
  };
  EXPECT_EQ(mode(2000), MemoryMode::kResident);
  EXPECT_EQ(mode(1999), MemoryMode::kKvSwap);
  EXPECT_EQ(mode(999), MemoryMode::kWeightStream);
  manifest.capacity = Bytes{2000};
  EXPECT_EQ(mode(1), MemoryMode::kResident) << "the manifest's own capacity comes first";
}

TEST(ReferenceStreaming, TellsWhatItWraps) {
  const StreamedMemory memory = made({.mode = MemoryMode::kResident}, {});
  finish_all(*memory.timing, std::array<Request, 1>{{{.address = 0, .size = {128}}}});
  const auto statistics = memory.timing->statistics();
  ASSERT_EQ(statistics.size(), 2U);
  EXPECT_EQ(statistics[0].name, "reference resident");
  EXPECT_EQ(statistics[1].name, "simple-window");
  EXPECT_EQ(statistics[1].traffic.bytes_moved.value, 128);
}

TEST(ReferenceStreaming, RefusesWhatMakesNoSense) {
  const auto message = [](const ReferenceStreamingOptions& options, WeightManifest manifest = {}) {
    const auto refused = make_reference_streaming(options, std::move(manifest));
    return refused ? std::string() : refused.error().message;
  };
  EXPECT_EQ(message({.capacity = {0}}), "a capacity of 0 bytes: expected at least 1");
  EXPECT_EQ(message({.host_bandwidth = {-1}}), "a host link of -1 bytes a second: expected at least 1");
  EXPECT_EQ(message({.host_bandwidth = {1}}, regions({{0, 0, Bytes::max(), RegionKind::kWeight}})),
            "9223372036854775807 bytes over a host link of 1 bytes a second take longer than a month");
}

}  // namespace
}  // namespace accelscope::memory
