#include <gtest/gtest.h>

#include <functional>

#include "fit/fit.h"
#include "fit/samples.h"
#include "memory/streaming.h"

namespace accelscope::fit {
namespace {

using base::Picoseconds;
using memory::Regime;
using samples::fitted;
using samples::machine_on;

constexpr Workload kShortChat{.context = 1024, .batch = 1, .prompt = 896};

double seconds(Picoseconds time) {
  return static_cast<double>(time.value) * 1e-12;
}

std::vector<memory::StreamedLayer> layers(std::size_t count, double transfer_ms, double compute_ms) {
  return std::vector<memory::StreamedLayer>(
      count, {{static_cast<std::int64_t>(transfer_ms * 1e9)}, {static_cast<std::int64_t>(compute_ms * 1e9)}});
}

// 7B-class, 32 layers of 235 MB: 9.4 ms over a link of 25 GB/s, 0.287 ms out of a memory of 819.2 GB/s.
TEST(Documented, SevenBillionOverALinkOf25GigabytesASecond) {
  std::vector<memory::StreamedLayer> all = layers(32, 235.0 / 25, 235.0 / 819.2);
  EXPECT_NEAR(seconds(memory::stream(all, {.buffers = 1}).steady_pass), 0.310, 0.0005);
  EXPECT_NEAR(seconds(memory::stream(all, {.buffers = 2}).steady_pass), 0.301, 0.0005);
  const std::vector<bool> streamed = spread_evenly(32, 16);
  for (std::size_t i = 0; i < 32; ++i) all[i].streamed = streamed[i];
  EXPECT_NEAR(seconds(memory::stream(all, {.buffers = 2}).steady_pass), 0.150, 0.0005);
}

// 256M on an Artix-7 with PCIe 2 x4: 288 MB over 1.5 GB/s, 210 ms of calculation.
TEST(Documented, AQuarterOfABillionOverPcie) {
  const std::vector<memory::StreamedLayer> all = layers(30, 288.0 / 1.5 / 30, 210.0 / 30);
  EXPECT_NEAR(seconds(memory::stream(all, {.buffers = 1}).steady_pass), 0.402, 0.0005);
  EXPECT_NEAR(seconds(memory::stream(all, {.buffers = 2}).steady_pass), 0.210, 0.0005);
}

TEST(Documented, ATokenOfSmolVlm2IsItsWeightsOverTheBandwidth) {
  const base::Bytes weights = weights_of(samples::smolvlm2(), boards::kPlenaMx)->total;
  EXPECT_NEAR(seconds(*memory::transfer_time(weights, {1'000'000'000})), 0.290, 0.003);
  EXPECT_NEAR(seconds(*memory::transfer_time(weights, {1'600'000'000})), 0.180, 0.001);
  EXPECT_NEAR(seconds(*memory::transfer_time(weights, {38'000'000})), 7.6, 0.05);
}

TEST(Speed, ResidentDecodeReadsWeightsAndKeysOnce) {
  const Fit fit = fitted(samples::smolvlm2(), machine_on(samples::nexys_video()), kShortChat);
  EXPECT_EQ(fit.regime, Regime::kResident);
  ASSERT_TRUE(fit.decode);
  EXPECT_EQ(fit.decode->link_bytes.value, 0);
  // Layers, last norm and output; a row of the embedding; keys and values of 1024 tokens, and one that is
  // written.
  const std::int64_t elements = 30 * 3'540'096 + 576 + 49280 * 576 + 576;
  EXPECT_NEAR(static_cast<double>(fit.decode->memory_bytes.value),
              static_cast<double>(elements * 9 / 8 + 12'960 * 1025), 64.0);
  // Vision towers do not work for a token.
  EXPECT_EQ(fit.decode_work.count(StageKind::kVisionLayer), 0U);
}

TEST(Speed, ComputeMemoryAndLinkSumToThePass) {
  for (const auto& [board, context] :
       {std::pair{samples::nexys_video(), 1024}, {samples::custom_a7(), 100'000}, {samples::v80(), 4096}}) {
    for (const boards::Model& model : {samples::smolvlm2(), samples::llama_8b(), samples::gpt_oss_20b()}) {
      const Fit fit = fitted(model, machine_on(board),
                             {.context = static_cast<std::uint64_t>(context), .batch = 2, .prompt = 512});
      if (!fit.decode) continue;
      for (const PassSpeed* pass : {&*fit.prefill, &*fit.decode}) {
        EXPECT_EQ(pass->in_compute + pass->in_memory + pass->in_link, pass->overlapped);
        EXPECT_LE(pass->overlapped, pass->serial);
        EXPECT_GE(pass->overlapped, std::max({pass->compute, pass->memory}));
        base::Bytes bytes{};
        for (const StageTime& stage : pass->stages) bytes += stage.memory_bytes + stage.link_bytes;
        EXPECT_EQ(bytes, pass->memory_bytes + pass->link_bytes);
      }
    }
  }
}

TEST(Speed, KeysAndValuesThatDoNotFitComeOverTheLink) {
  const Machine machine = machine_on(samples::custom_a7());
  Workload workload{.context = 30'000, .batch = 1, .prompt = 512};
  const Fit fit = fitted(samples::smolvlm2(), machine, workload);
  EXPECT_EQ(fit.regime, Regime::kKvSwap);
  EXPECT_EQ(fit.placement.kv_swapped, fit.footprint.total() - machine.capacity);
  // All of it once, and its share of the token that is written; rounded up in each of 30 layers.
  EXPECT_NEAR(static_cast<double>(fit.decode->link_bytes.value),
              static_cast<double>(fit.placement.kv_swapped.value), 12'960.0);
  EXPECT_EQ(fit.prefill->link_bytes.value, 0) << "after the prompt everything still fits";
}

TEST(Speed, APromptThatDoesNotFitIsSwappedInPrefillToo) {
  const Machine machine = machine_on(samples::custom_a7());
  const Fit fit = fitted(samples::smolvlm2(), machine, {.context = 40'000, .batch = 1, .prompt = 30'000});
  EXPECT_EQ(fit.regime, Regime::kKvSwap);
  const base::Bytes at_prompt = *kv_bytes(samples::smolvlm2(), machine.formats.kv, 30'000, 1);
  const base::Bytes room = fit.footprint.kv - fit.placement.kv_swapped;
  ASSERT_GT(at_prompt, room);
  base::Bytes traffic{};
  for (const StageWork& stage : fit.prefill_work.stages) traffic += stage.kv_read + stage.kv_written;
  const double share = static_cast<double>((at_prompt - room).value) / static_cast<double>(at_prompt.value);
  // Layers are alike, so that one stands for 30; activations of blocks stay in the memory.
  EXPECT_NEAR(static_cast<double>(fit.prefill->link_bytes.value),
              30 * share * static_cast<double>(traffic.value), 31.0);
}

TEST(Speed, WeightsThatDoNotFitAreStreamed) {
  const Machine machine = machine_on(samples::custom_a7(), {.capacity = base::Bytes{100'000'000}});
  const Fit fit = fitted(samples::smolvlm2(), machine, kShortChat);
  EXPECT_EQ(fit.regime, Regime::kWeightStream);
  ASSERT_EQ(fit.choices.size(), 3U);
  for (const StreamingChoice& choice : fit.choices) {
    EXPECT_GE(seconds(choice.prefill.overlapped) + 128 * seconds(choice.decode.overlapped),
              fit.request_seconds() - 1e-9);
    const Placement& placement = choice.placement;
    EXPECT_LE(placement.pinned_bytes + placement.buffer_bytes + fit.footprint.kv + fit.footprint.activations -
                  placement.kv_swapped,
              machine.capacity);
  }
  const Placement& pinned = fit.choices[0].placement;
  EXPECT_EQ(pinned.streaming, Streaming::kPinned);
  EXPECT_GT(pinned.pinned, 10U);
  EXPECT_LT(pinned.pinned, 31U);
  EXPECT_FALSE(pinned.streamed.back()) << "the output is eight times as large as a layer";
  // One more pinned layer would not have fitted.
  const std::int64_t layer = 3'540'096 * 9 / 8;
  EXPECT_EQ(pinned.buffer_bytes.value, 2 * layer);
  EXPECT_GT((pinned.pinned_bytes + pinned.buffer_bytes + fit.footprint.kv + fit.footprint.activations).value +
                layer,
            machine.capacity.value);
}

TEST(Speed, ThroughMemoryAStreamedByteIsWrittenAndRead) {
  const auto decoded = [&](Streaming way) {
    const Machine machine =
        machine_on(samples::custom_a7(), {.capacity = base::Bytes{150'000'000}, .streaming = way});
    return *fitted(samples::smolvlm2(), machine, kShortChat).decode;
  };
  const PassSpeed stream = decoded(Streaming::kStream);
  const PassSpeed swap = decoded(Streaming::kSwap);
  EXPECT_EQ(stream.link_bytes, swap.link_bytes);
  const std::int64_t rows_of_embedding = 576 * 9 / 8;
  EXPECT_EQ((swap.memory_bytes - stream.memory_bytes).value, 2 * (swap.link_bytes.value - rows_of_embedding));
}

TEST(Speed, BuffersThatDoNotFitAreRefusedByNameAndOtherwiseLeftOut) {
  Overrides overrides{.capacity = base::Bytes{20'000'000}, .streaming = Streaming::kSwap};
  const auto refused =
      fit_model(samples::smolvlm2(), machine_on(samples::custom_a7(), overrides), kShortChat);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("2 buffers of the largest stage do not fit the memory"),
            std::string::npos);
  overrides.streaming = Streaming::kBest;
  const Fit fit = fitted(samples::smolvlm2(), machine_on(samples::custom_a7(), overrides), kShortChat);
  EXPECT_EQ(fit.choices.size(), 1U);
  EXPECT_EQ(fit.placement.streaming, Streaming::kStream);
}

TEST(Speed, WithoutALinkThereIsNoSpeedForWhatDoesNotFit) {
  boards::Board board = samples::custom_a7();
  board.host_link.reset();
  const Fit fit = fitted(samples::llama_8b(), machine_on(board), kShortChat);
  EXPECT_EQ(fit.regime, Regime::kWeightStream);
  EXPECT_FALSE(fit.decode);
  EXPECT_EQ(fit.tokens_per_second(), 0);
  EXPECT_TRUE(fitted(samples::smolvlm2(), machine_on(board), kShortChat).decode);
}

TEST(Speed, MoreBandwidthCapacityOrClockIsNeverSlower) {
  struct Change {
    std::string_view what;
    std::function<void(Machine&)> make;
  };
  const std::vector<Change> changes{
      {"bandwidth", [](Machine& machine) { machine.bandwidth.value += machine.bandwidth.value / 3; }},
      {"capacity", [](Machine& machine) { machine.capacity.value += machine.capacity.value / 7; }},
      {"clock", [](Machine& machine) { machine.clock.ticks += machine.clock.ticks / 5; }},
      {"link", [](Machine& machine) { machine.link->bandwidth.value += machine.link->bandwidth.value / 3; }},
      {"latency", [](Machine& machine) { machine.link->latency.value /= 2; }},
      {"buffers", [](Machine& machine) { machine.streaming = Streaming::kStream, ++machine.buffers; }},
  };
  for (const boards::Model& model : {samples::smolvlm2(), samples::llama_8b(), samples::gpt_oss_20b()}) {
    for (const Change& change : changes) {
      Machine machine = machine_on(samples::custom_a7(), {.capacity = base::Bytes{60'000'000},
                                                          .link_latency = base::Nanoseconds{3000}});
      if (change.what == "buffers") machine.streaming = Streaming::kStream;
      Picoseconds before = Picoseconds::max();
      for (int i = 0; i < 40; ++i) {
        const Picoseconds now =
            fitted(model, machine, {.context = 3000, .batch = 1, .prompt = 100}).token_time();
        EXPECT_LE(now, before) << model.nickname << ' ' << change.what << ' ' << i;
        before = now;
        change.make(machine);
      }
    }
  }
}

TEST(Speed, MoreContextAndBatchAreNeverFasterForASequence) {
  const Machine machine = machine_on(samples::custom_a7());
  Picoseconds before{};
  for (std::uint64_t context = 100; context < 60'000; context += 997) {
    const Picoseconds now =
        fitted(samples::smolvlm2(), machine, {.context = context, .prompt = 100}).token_time();
    EXPECT_GE(now, before) << context;
    before = now;
  }
  before = {};
  for (std::uint64_t batch = 1; batch < 64; ++batch) {
    const Picoseconds now =
        fitted(samples::smolvlm2(), machine, {.context = 512, .batch = batch, .prompt = 100}).token_time();
    EXPECT_GE(now, before) << batch;
    before = now;
  }
}

TEST(Speed, ImagesCostTheirTower) {
  const Machine machine = machine_on(samples::v80());
  const Fit without = fitted(samples::smolvlm2(), machine, kShortChat);
  Workload workload = kShortChat;
  workload.images = 2;
  const Fit with = fitted(samples::smolvlm2(), machine, workload);
  EXPECT_GT(with.first_token(), without.first_token());
  EXPECT_EQ(with.token_time(), without.token_time());
  EXPECT_EQ(with.prefill_work.count(StageKind::kVisionLayer), 12U);
}

TEST(Speed, ADiffusionModelTakesAllItsSteps) {
  const Machine machine = machine_on(samples::v80());
  const Fit fit =
      fitted(samples::llada_8b(), machine, {.context = 512, .batch = 1, .prompt = 0, .steps = 32});
  EXPECT_EQ(fit.token_time(), fit.decode->overlapped * 32);
  EXPECT_EQ(fit.first_token(), fit.token_time());
  EXPECT_NEAR(fit.tokens_per_second() * seconds(fit.token_time()), 512, 1e-6);
}

TEST(Speed, TimesBeyondAllBoundsAreRefused) {
  const Machine slow = machine_on(samples::custom_a7(), {.host_bandwidth = base::BytesPerSecond{1}});
  const auto refused = fit_model(samples::llama_8b(), slow, kShortChat);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "custom_a7: a pass takes longer than 53 days");
  // Hours are fine: the recurrence then counts in coarser steps.
  const Machine hours = machine_on(samples::custom_a7(), {.host_bandwidth = base::BytesPerSecond{500'000}});
  const Fit fit = fitted(samples::llama_8b(), hours, kShortChat);
  EXPECT_NEAR(seconds(fit.decode->overlapped) / seconds(fit.decode->link), 1.0, 1e-3);
}

TEST(Workload, MustMakeSense) {
  const Machine machine = machine_on(samples::v80());
  const auto refused = [&](const boards::Model& model, const Workload& workload) {
    const auto fit = fit_model(model, machine, workload);
    return fit ? std::string() : fit.error().message;
  };
  EXPECT_EQ(refused(samples::smolvlm2(), {.context = 100, .prompt = 101}),
            "a prompt of 101 tokens does not fit a context of 100");
  EXPECT_EQ(refused(samples::llama_8b(), {.context = 100, .images = 1}),
            "llama-3.1-8b has no vision tower, so that it takes no images");
  boards::Model any_size = samples::smolvlm2();
  any_size.vision->image_size = 0;
  EXPECT_EQ(refused(any_size, {.context = 100, .images = 1}),
            "smolvlm2 does not say how large its images are, so that they cannot be counted");
  EXPECT_EQ(refused(samples::llama_8b(), {.context = 0}), "context and batch must be above zero");
  EXPECT_EQ(refused(samples::llama_8b(), {.context = 1, .batch = 0}), "context and batch must be above zero");
}

}  // namespace
}  // namespace accelscope::fit
