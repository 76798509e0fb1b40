#include "memory/streaming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace accelscope::memory {
namespace {

using base::Picoseconds;

std::vector<StreamedLayer> equal_layers(std::size_t count, std::int64_t transfer, std::int64_t compute) {
  return std::vector<StreamedLayer>(count, {{transfer}, {compute}});
}

// The recurrence as the literature writes it, over a long list of layers, with the mean of its second half.
double written_out(const std::vector<StreamedLayer>& layers, std::size_t buffers, std::int64_t latency,
                   std::size_t passes) {
  std::vector<std::int64_t> calculated;
  std::vector<std::int64_t> ends;
  std::int64_t transferred = 0;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    for (const StreamedLayer& layer : layers) {
      const std::size_t i = calculated.size();
      const std::int64_t start = std::max(transferred, i < buffers ? 0 : calculated[i - buffers]);
      transferred = start + latency + layer.transfer.value;
      calculated.push_back(std::max(i == 0 ? 0 : calculated[i - 1], transferred) + layer.compute.value);
    }
    ends.push_back(calculated.back());
  }
  const std::size_t half = passes / 2;
  return static_cast<double>(ends.back() - ends[half - 1]) / static_cast<double>(passes - half);
}

TEST(Streaming, OneBufferAddsTransferAndCompute) {
  EXPECT_EQ(stream(equal_layers(4, 30, 20), {.buffers = 1}).steady_pass, Picoseconds{4 * 50});
}

TEST(Streaming, TwoBuffersReachTheLongerOfBothForEqualLayers) {
  EXPECT_EQ(stream(equal_layers(4, 30, 20), {.buffers = 2}).steady_pass, Picoseconds{4 * 30});
  EXPECT_EQ(stream(equal_layers(4, 20, 30), {.buffers = 2}).steady_pass, Picoseconds{4 * 30});
}

TEST(Streaming, TheFirstPassPaysForFillingTheFirstBuffer) {
  const Streaming result = stream(equal_layers(4, 20, 30), {.buffers = 2});
  EXPECT_EQ(result.first_pass, Picoseconds{20 + 4 * 30});
  EXPECT_EQ(result.last_pass.size(), 4U);
}

TEST(Streaming, ExposedTimeIsWhatComputationWaitsFor) {
  const Streaming result = stream(equal_layers(4, 50, 20), {.buffers = 2});
  for (const LayerTimes& times : result.last_pass) EXPECT_EQ(times.exposed, Picoseconds{30});
}

TEST(Streaming, ResidentLayersNeedNeitherLinkNorBuffer) {
  std::vector<StreamedLayer> layers = equal_layers(4, 40, 10);
  layers[1].streamed = layers[3].streamed = false;
  // Two transfers of 40 a pass; between them two calculations of 10.
  EXPECT_EQ(stream(layers, {.buffers = 2}).steady_pass, Picoseconds{80});
  for (StreamedLayer& layer : layers) layer.streamed = false;
  EXPECT_EQ(stream(layers, {.buffers = 2}).steady_pass, Picoseconds{40});
}

TEST(Streaming, NoLayersTakeNoTime) {
  const Streaming result = stream({}, {});
  EXPECT_EQ(result.steady_pass, Picoseconds{0});
  EXPECT_TRUE(result.last_pass.empty());
}

TEST(Streaming, ALinkThatWaitsLongerThanItWorksIsTheBound) {
  // The link works for 10 and waits for 100 a transfer: it is the bound, whatever the buffers.
  EXPECT_EQ(stream(equal_layers(8, 10, 60), {.buffers = 2, .latency = {100}}).steady_pass,
            Picoseconds{8 * 110});
}

TEST(Streaming, IsTheRecurrenceWrittenOutForRandomLayers) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<StreamedLayer> layers(1 + random() % 9);
    for (StreamedLayer& layer : layers) {
      layer.transfer = {static_cast<std::int64_t>(random() % 100)};
      layer.compute = {static_cast<std::int64_t>(random() % 100)};
    }
    const auto buffers = static_cast<std::uint32_t>(1 + random() % 5);
    const auto latency = static_cast<std::int64_t>(random() % 20);
    const double expected = written_out(layers, buffers, latency, 480);
    const auto got = stream(layers, {.buffers = buffers, .latency = {latency}}).steady_pass;
    EXPECT_NEAR(static_cast<double>(got.value), expected, 1.0) << "round " << round;
  }
}

TEST(Streaming, MoreBuffersAndFasterLinksAreNeverSlower) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 100; ++round) {
    std::vector<StreamedLayer> layers(1 + random() % 12);
    for (StreamedLayer& layer : layers) {
      layer.transfer = {static_cast<std::int64_t>(random() % 1000)};
      layer.compute = {static_cast<std::int64_t>(random() % 1000)};
    }
    std::int64_t before = Picoseconds::max().value;
    for (std::uint32_t buffers = 1; buffers < 6; ++buffers) {
      const std::int64_t now = stream(layers, {.buffers = buffers}).steady_pass.value;
      EXPECT_LE(now, before);
      before = now;
    }
    for (StreamedLayer& layer : layers) layer.transfer.value /= 2;
    EXPECT_LE(stream(layers, {.buffers = 5}).steady_pass.value, before);
  }
}

TEST(TransferTime, IsRoundedUpAndBounded) {
  EXPECT_EQ(transfer_time({64}, {60'000'000}), Picoseconds{1'066'667});
  EXPECT_EQ(transfer_time({0}, {1}), Picoseconds{0});
  EXPECT_EQ(transfer_time({1}, {0}), std::nullopt);
  EXPECT_EQ(transfer_time({1}, {-5}), std::nullopt);
  EXPECT_EQ(transfer_time(base::Bytes::max(), {1}), std::nullopt);
}

}  // namespace
}  // namespace accelscope::memory
