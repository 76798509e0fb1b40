#include "fit/reference_footprint.h"

#include <gtest/gtest.h>

#include "fit/reference_models.h"
#include "fit/reference_traffic.h"

namespace accelscope::fit {
namespace {

using base::Bytes;

ReferenceFootprint footprint(const boards::TextModel& model, const MemoryWorkload& workload = {}) {
  const auto result = reference_footprint(model, analytic_settings(), workload);
  EXPECT_TRUE(result) << (result ? "" : result.error().to_string());
  return result.value_or(ReferenceFootprint{});
}

ReferenceTraffic traffic(const boards::TextModel& model, const MemoryWorkload& workload = {}) {
  const auto result = reference_traffic(model, analytic_settings(), workload);
  EXPECT_TRUE(result) << (result ? "" : result.error().to_string());
  return result.value_or(ReferenceTraffic{});
}

TrafficPart part(const ReferenceTraffic& of, std::string_view name) {
  for (const TrafficPart& one : of.parts)
    if (one.name == name) return one;
  ADD_FAILURE() << "no part " << name;
  return {};
}

TEST(ReferenceFootprint, Llama8b) {
  const ReferenceFootprint size = footprint(llama_8b());
  EXPECT_EQ(size.weights, Bytes{9'034'039'296});
  EXPECT_EQ(size.embedding, Bytes{591'003'648});
  EXPECT_EQ(size.attention, Bytes{1'509'949'440});
  EXPECT_EQ(size.feed_forward, Bytes{6'341'787'648});
  EXPECT_EQ(size.output_layer, Bytes{591'003'648});
  EXPECT_EQ(size.norms, Bytes{294'912});
  EXPECT_EQ(size.kv, Bytes{160'432'128});
  EXPECT_EQ(size.kv_per_layer, Bytes{5'013'504});
  EXPECT_EQ(size.required, Bytes{9'232'220'160});
  EXPECT_TRUE(size.fits());
}

TEST(ReferenceFootprint, GptOss20b) {
  const ReferenceFootprint size = footprint(gpt_oss_20b());
  EXPECT_EQ(size.experts, Bytes{21'499'084'800});
  EXPECT_EQ(size.weights, Bytes{23'521'415'040});
  EXPECT_EQ(size.kv, Bytes{60'162'048});
  EXPECT_EQ(size.feed_forward, Bytes{0});
}

TEST(ReferenceFootprint, ATiedOutputLayerTakesNothing) {
  EXPECT_EQ(footprint(llama_1b()).output_layer, Bytes{0});
}

TEST(ReferenceFootprint, FitsUpToTheLastByte) {
  boards::SettingsTree tree = analytic_settings();
  tree.config.hbm_size = Bytes{9'232'220'160};
  EXPECT_TRUE(reference_footprint(llama_8b(), tree, {})->fits());
  tree.config.hbm_size = Bytes{9'232'220'159};
  EXPECT_FALSE(reference_footprint(llama_8b(), tree, {})->fits());
}

TEST(ReferenceFootprint, WhatDoesNotFit63BitsIsNamed) {
  const auto size =
      reference_footprint(llama_8b(), analytic_settings(), {.input_tokens = std::uint64_t{1} << 60U});
  ASSERT_FALSE(size);
  EXPECT_EQ(size.error().message, "the bytes of keys and values do not fit 63 bits");
  boards::TextModel model = llama_8b();
  model.vocabulary = 0;
  const auto missing = reference_footprint(model, analytic_settings(), {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "the reference's analytic models need vocab_size, and it is 0");
}

TEST(ReferenceTraffic, Llama8b) {
  const ReferenceTraffic moved = traffic(llama_8b());
  EXPECT_EQ(moved.prefill.read, Bytes{11'170'086'912});
  EXPECT_EQ(moved.prefill.written, Bytes{3'482'320'896});
  EXPECT_EQ(moved.decode.total(), Bytes{8'593'956'864});
}

TEST(ReferenceTraffic, PartsAddUp) {
  for (const boards::TextModel& model : {llama_8b(), gpt_oss_20b()}) {
    const ReferenceTraffic moved = traffic(model, {.batch = 3});
    Traffic prefill;
    Traffic decode;
    for (const TrafficPart& one : moved.parts) {
      prefill = {prefill.read + one.prefill.read, prefill.written + one.prefill.written};
      decode = {decode.read + one.decode.read, decode.written + one.decode.written};
    }
    EXPECT_EQ(prefill, moved.prefill);
    EXPECT_EQ(decode, moved.decode);
  }
}

// By hand: 12 layers, 128 of 2048 keys, 2 x 8 x 64 of 9 bits each.
TEST(ReferenceTraffic, AWindowLimitsWhatIsRead) {
  const ReferenceTraffic moved = traffic(gpt_oss_20b());
  EXPECT_EQ(part(moved, "sliding_attention").decode.read, Bytes{12 * 128 * 1152});
  EXPECT_EQ(part(moved, "attention").decode.read, Bytes{12 * 2048 * 1152});
}

TEST(ReferenceTraffic, ExpertsOfOneTokenAreRead) {
  const TrafficPart experts = part(traffic(gpt_oss_20b()), "moe");
  const std::int64_t router = 2880 * 32 * 9 / 8;
  const std::int64_t expert = std::int64_t{3} * 2880 * 2880 * 9 / 8;
  EXPECT_EQ(experts.decode, (Traffic{Bytes{24 * (router + 4 * expert)}, Bytes{0}}));
  const std::int64_t rows = std::int64_t{2048} * 2880 * 9 / 8;
  EXPECT_EQ(experts.prefill,
            (Traffic{Bytes{24 * (router + 4 * (expert + 3 * rows))}, Bytes{24 * 4 * 3 * rows}}));
}

TEST(ReferenceTraffic, ScoresAreMovedWithoutFlashAttention) {
  const std::int64_t scores = std::int64_t{32} * 2048 * 2048 * 9 / 8;
  const TrafficPart with = part(traffic(llama_8b()), "attention");
  const TrafficPart without = part(traffic(llama_8b(), {.flash_attention = false}), "attention");
  EXPECT_EQ(without.prefill.read - with.prefill.read, Bytes{32 * 2 * scores});
  EXPECT_EQ(without.prefill.written - with.prefill.written, Bytes{32 * 2 * scores});
}

// 256 MiB of vector memory hold 29127 tokens of 9216 bytes.
TEST(ReferenceTraffic, ABatchThatIsTooLargeLeavesTheChip) {
  const auto on_chip = part(traffic(llama_8b(), {.batch = 29'126}), "output_projection").decode;
  const auto off_chip = part(traffic(llama_8b(), {.batch = 29'127}), "output_projection").decode;
  EXPECT_EQ(on_chip.written, Bytes{0});
  EXPECT_EQ(off_chip.written, Bytes{std::int64_t{32} * 29'127 * 4608});
}

TEST(ReferenceTraffic, PeakBandwidthAndItsUse) {
  const auto peak = reference_peak_bandwidth(analytic_settings());
  ASSERT_TRUE(peak);
  EXPECT_EQ(*peak, base::BytesPerSecond{64'000'000'000});
  EXPECT_EQ(bandwidth_utilisation(Bytes{32'000'000'000}, 1, *peak), 0.5);
  EXPECT_EQ(bandwidth_utilisation(Bytes{1}, 0, *peak), std::nullopt);
  boards::SettingsTree tree = analytic_settings();
  tree.config.hbm_width_bits = 0;
  EXPECT_FALSE(reference_peak_bandwidth(tree));
}

TEST(ReferenceRoofline, OfOneLayer) {
  const auto roof = reference_roofline(llama_8b(), analytic_settings(), 2048, Bytes{1'000'000'000}, 1);
  ASSERT_TRUE(roof);
  EXPECT_EQ(roof->flops, 8.0 * 2048 * 4096 * 4096 + 4.0 * 2048 * 2048 * 4096 + 6.0 * 2048 * 4096 * 14'336 +
                             4.0 * 2048 * 4096);
  EXPECT_EQ(roof->ridge, 64);
  EXPECT_EQ(roof->peak_flops, 4.096e12);
  EXPECT_EQ(roof->ceiling, 4.096e12);
  EXPECT_DOUBLE_EQ(roof->efficiency, roof->flops / 4.096e12);
  EXPECT_FALSE(reference_roofline(llama_8b(), analytic_settings(), 2048, Bytes{0}, 1));
}

}  // namespace
}  // namespace accelscope::fit
