#include "fit/reference_performance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fit/reference_models.h"
#include "fit/reference_parts.h"

namespace accelscope::fit {
namespace {

using Kind = ReferencePartKind;

ReferencePerformance performance(const boards::TextModel& model, const PerformanceWorkload& workload = {}) {
  const auto result = reference_performance(model, analytic_settings(), workload);
  EXPECT_TRUE(result) << (result ? "" : result.error().to_string());
  return result.value_or(ReferencePerformance{});
}

std::string error_of(const boards::TextModel& model, const PerformanceWorkload& workload,
                     const boards::SettingsTree& tree = analytic_settings()) {
  const auto result = reference_performance(model, tree, workload);
  return result ? "no error" : result.error().message;
}

double percent(double share) {
  return std::round(share * 1e4) / 1e2;
}

TEST(ReferencePerformance, Llama8b) {
  const ReferencePerformance result = performance(llama_8b());
  EXPECT_EQ(result.script, ReferenceScript::kLlama);
  EXPECT_DOUBLE_EQ(result.ttft_seconds * 1e3, 377.260931);
  EXPECT_EQ(result.tokens_per_second, 444.75577348588456);
  EXPECT_EQ(result.prefill.total, base::Cycles{369'670'787});
  EXPECT_EQ(result.first_token.total, base::Cycles{7'590'144});
}

TEST(ReferencePerformance, Llama8bPartByPart) {
  const ReferencePerformance result = performance(llama_8b());
  // Published for one of the two norms of the prompt, and for both of decoding.
  EXPECT_EQ(percent(result.prefill.share_of(Kind::kRms) / 2), 1.13);
  EXPECT_EQ(percent(result.prefill.share_of(Kind::kProjection)), 5.68);
  EXPECT_EQ(percent(result.prefill.share_of(Kind::kAttention)), 40.85);
  EXPECT_EQ(percent(result.prefill.share_of(Kind::kResidual)), 0.57);
  EXPECT_EQ(percent(result.prefill.share_of(Kind::kFeedForward)), 50.63);
  EXPECT_EQ(percent(result.decode.share_of(Kind::kRms)), 0.11);
  EXPECT_EQ(percent(result.decode.share_of(Kind::kProjection)), 7.32);
  EXPECT_EQ(percent(result.decode.share_of(Kind::kAttention)), 31.23);
  EXPECT_EQ(percent(result.decode.share_of(Kind::kResidual)), 0.02);
  EXPECT_EQ(percent(result.decode.share_of(Kind::kFeedForward)), 61.33);
}

TEST(ReferencePerformance, OtherLlamas) {
  const ReferencePerformance small = performance(llama_1b());
  EXPECT_DOUBLE_EQ(small.ttft_seconds * 1e3, 111.190723);
  EXPECT_EQ(small.tokens_per_second, 1741.7582178329915);
  const ReferencePerformance large = performance(llama_70b());
  EXPECT_DOUBLE_EQ(large.ttft_seconds * 1e3, 2785.654211);
  EXPECT_EQ(large.tokens_per_second, 54.45707319098708);
}

TEST(ReferencePerformance, GptOss20b) {
  const ReferencePerformance result =
      performance(gpt_oss_20b(), {.batch = 4, .input_tokens = 2048, .output_tokens = 128});
  EXPECT_EQ(result.script, ReferenceScript::kGptOss);
  EXPECT_EQ(result.prefill.total, base::Cycles{263'298'918});
  EXPECT_NEAR(result.ttft_seconds * 1e3, 280.050, 0.0005);
  EXPECT_NEAR(result.tokens_per_second, 226.03, 0.005);
}

// The published figure of "llada-8b" is that of the shapes of Llama 3.1 8B; those of LLaDA give another.
TEST(ReferencePerformance, LladaOfTheReferenceHasTheShapesOfLlama) {
  const auto published = reference_diffusion(llama_8b(), analytic_settings(), {});
  ASSERT_TRUE(published);
  EXPECT_DOUBLE_EQ(published->total_seconds, 24.907784576);
  EXPECT_EQ(published->tokens_per_second, 328.8931608912916);
  const auto real = reference_diffusion(llada_8b(), analytic_settings(), {});
  ASSERT_TRUE(real);
  EXPECT_EQ(real->total, base::Cycles{31'505'293'696});
  EXPECT_DOUBLE_EQ(real->tokens_per_second, 260.0197947381801);
}

// Token by token, as the reference does it.
TEST(ReferencePerformance, TheSumOverTokensIsTheSumOfTokens) {
  for (const boards::TextModel& model : {llama_1b(), gpt_oss_20b()}) {
    for (const std::uint64_t input : {1U, 127U, 128U, 2047U, 2048U}) {
      std::int64_t sum = 0;
      for (std::uint64_t token = 0; token < 300; ++token)
        sum += performance(model, {.batch = 3, .input_tokens = input + token, .output_tokens = 1})
                   .decode.total.value;
      EXPECT_EQ(
          performance(model, {.batch = 3, .input_tokens = input, .output_tokens = 300}).decode.total.value,
          sum);
    }
  }
}

TEST(ReferencePerformance, AWindowThatGrowsAndStays) {
  const auto machine = reference_machine(analytic_settings());
  ASSERT_TRUE(machine);
  // By hand, for 64 heads of 64: 5 + 129 for the scores, 1 for the mask, 8 for the softmax, 134 for the
  // values.
  const ReferenceShape shape{.heads = 64, .kv_heads = 8, .head_dim = 64, .sliding_window = 128};
  const std::int64_t one = 64 * (134 + 1 + 134) + 8;
  EXPECT_EQ(sliding_decode(*machine, shape, 1, 1, 1).as_int64(), one);
  EXPECT_EQ(sliding_decode(*machine, shape, 2, 100, 1000).as_int64(), one * 2 * 1000);
}

TEST(ReferencePerformance, AMillionTokensAndMore) {
  const ReferencePerformance result = performance(llama_70b(), {.output_tokens = 1'000'000});
  EXPECT_GT(result.decode.total.value, 1'000'000'000'000);
  EXPECT_GT(performance(gpt_oss_20b(), {.output_tokens = 10'000'000}).tokens_per_second, 0);
}

TEST(ReferencePerformance, DevicesDivideTheBatchAndThenTheTime) {
  const ReferencePerformance one = performance(llama_8b(), {.batch = 2});
  const ReferencePerformance two = performance(llama_8b(), {.batch = 5, .devices = 2});
  EXPECT_EQ(two.device_batch, 2);
  EXPECT_DOUBLE_EQ(two.ttft_seconds, one.ttft_seconds / 2);
  EXPECT_DOUBLE_EQ(two.tokens_per_second, one.tokens_per_second * 5 / 2);
}

TEST(ReferencePerformance, APromptThatDoesNotFitTheVectorMemorySpills) {
  const auto machine = reference_machine(analytic_settings());
  ASSERT_TRUE(machine);
  const ReferenceShape shape{.hidden = 4096, .heads = 32, .kv_heads = 8, .head_dim = 128};
  // 65536 rows of 2048 hold 32768 tokens of 4096; 16 tokens more are two transfers of 16 rows each way.
  const std::int64_t without = 4 * (32'768 + 16) * 2;
  EXPECT_EQ(residual(*machine, shape, {.batch = 1, .tokens = 32'768 + 16}).as_int64(), without + 4);
  EXPECT_EQ(residual(*machine, shape, {.batch = 32'768 + 16, .tokens = 1, .prompt = false}).as_int64(),
            without);
}

TEST(ReferencePerformance, WhatDoesNotFitIsNamed) {
  EXPECT_EQ(error_of(llama_8b(), {.input_tokens = std::uint64_t{1} << 62U}),
            "prefill: the cycles of embeddings do not fit 63 bits");
  EXPECT_EQ(error_of(llama_8b(), {.output_tokens = std::uint64_t{1} << 40U}),
            "decoding: the cycles of attention do not fit 63 bits");
}

TEST(ReferencePerformance, WhatMakesNoSenseIsRefused) {
  EXPECT_EQ(error_of(llama_8b(), {.batch = 0}), "the reference's analytic models need a batch, and it is 0");
  EXPECT_EQ(error_of(llama_8b(), {.batch = 1, .devices = 2}),
            "the reference gives every device batch / devices sequences, and 1 / 2 is none");
  boards::TextModel model = llama_8b();
  model.kv_heads = 0;
  EXPECT_EQ(error_of(model, {}), "the reference's analytic models need num_key_value_heads, and it is 0");
  model.kv_heads = 33;
  EXPECT_EQ(error_of(model, {}), "there are more key and value heads (33) than heads (32)");
  model = gpt_oss_20b();
  model.sliding_window = 0;
  EXPECT_EQ(error_of(model, {}), "the reference's analytic models need sliding_window, and it is 0");
  model = gpt_oss_20b();
  model.experts.reset();
  EXPECT_EQ(error_of(model, {}), "the reference's analytic models need num_local_experts, and it is 0");
}

TEST(ReferencePerformance, SettingsThatDivideByZeroAreRefused) {
  boards::SettingsTree tree = analytic_settings();
  tree.config.blen = 100;
  EXPECT_EQ(error_of(llama_8b(), {}, tree),
            "the reference's analytic models need MLEN (2048) to be a multiple of BLEN (100)");
  tree = analytic_settings();
  tree.config.hlen = 4096;
  EXPECT_EQ(error_of(llama_8b(), {}, tree),
            "the reference's analytic models need HLEN (4096) not to be above MLEN (2048)");
  tree = analytic_settings();
  tree.config.vector_prefetch_rows = 0;
  EXPECT_EQ(error_of(llama_8b(), {}, tree),
            "the reference's analytic models need HBM_V_Prefetch_Amount, and it is 0");
}

}  // namespace
}  // namespace accelscope::fit
