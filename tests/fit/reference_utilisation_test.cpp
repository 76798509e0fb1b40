#include "fit/reference_utilisation.h"

#include <gtest/gtest.h>

#include "fit/reference_models.h"

namespace accelscope::fit {
namespace {

ReferenceUtilisation utilisation(const boards::TextModel& model, const UtilisationWorkload& workload = {}) {
  const auto result = reference_utilisation(model, analytic_settings(), workload);
  EXPECT_TRUE(result) << (result ? "" : result.error().to_string());
  return result.value_or(ReferenceUtilisation{});
}

TEST(ReferenceUtilisation, Llama8b) {
  const ReferenceUtilisation use = utilisation(llama_8b());
  EXPECT_EQ(use.prefill_attention.share(), 0.6327713657663475);
  EXPECT_EQ(use.prefill_feed_forward.share(), 0.8310788875662806);
  EXPECT_EQ(use.decode_attention.share(), 0.002673057665025453);
  EXPECT_EQ(use.decode_feed_forward.share(), 0.005655661131637196);
  EXPECT_EQ(use.overall().share(), 0.43507332568471757);
}

// By hand: 32 heads, a tile of 2048 and blocks of 128 (16 to a tile).
TEST(ReferenceUtilisation, HeadsThatDoNotShareATile) {
  const ReferenceUtilisation use = utilisation(llama_8b(), {.partitioned = false});
  const double vector = 15 * 2048 + 4;
  const double prompt_scores = 16 * 1 * 128 * 16;
  const double prompt_values = 16 * 1 * 128;
  EXPECT_DOUBLE_EQ(use.prefill_attention.attainable, 196'608 + 32 * (prompt_scores / 16 + prompt_values));
  EXPECT_DOUBLE_EQ(use.prefill_attention.theoretical,
                   1.2 * 196'608 + 32 * (1.2 * (prompt_scores + prompt_values) + vector));
  // One token: 2048 columns of scores and 128 of values, of which one row in 128 is of use.
  EXPECT_DOUBLE_EQ(use.decode_attention.attainable, 96 + 32 * (2048.0 / 128 / 16 + 1));
  EXPECT_DOUBLE_EQ(use.decode_attention.theoretical, 1.2 * 12'288 + 32 * (1.2 * (2048 + 128) + vector));
}

TEST(ReferenceUtilisation, ABatchAboveTheBlockFillsIt) {
  const ReferenceUtilisation use = utilisation(llama_8b(), {.batch = 256});
  EXPECT_DOUBLE_EQ(use.decode_feed_forward.attainable, 2.0 * (14'336 * 2 + 14'336 * 2 + 4096 * 7));
}

TEST(ReferenceUtilisation, APromptShorterThanABlockHasLittleToDo) {
  boards::TextModel small = llama_8b();
  small.intermediate = 64;  // below a vector, too
  const ReferenceUtilisation use = utilisation(small, {.input_tokens = 1});
  EXPECT_EQ(use.prefill_feed_forward.share(), std::nullopt);
  EXPECT_TRUE(use.overall().share());
}

TEST(ReferenceUtilisation, ExpertsAreOneOfTheirWidth) {
  boards::TextModel dense_one = dense({2880, 2880, 64, 8, 24});
  dense_one.head_dim = 64;
  EXPECT_EQ(utilisation(gpt_oss_20b()).overall().share(), utilisation(dense_one).overall().share());
}

TEST(ReferenceUtilisation, WhatMakesNoSenseIsRefused) {
  const auto result = reference_utilisation(llama_8b(), analytic_settings(), {.input_tokens = 0});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "the reference's analytic models need tokens in the prompt, and it is 0");
}

}  // namespace
}  // namespace accelscope::fit
