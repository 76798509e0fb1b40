#include "fit/crossings.h"

#include <gtest/gtest.h>

#include "fit/samples.h"

namespace accelscope::fit {
namespace {

using boards::Model;
using memory::Regime;

constexpr base::Bytes kHalfGigabyte{536'870'912};

// The rule, on a footprint that is worked out from nothing.
Regime regime_at(const Model& model, Workload workload, base::Bytes capacity) {
  const auto footprint = footprint_of(model, {}, workload);
  EXPECT_TRUE(footprint);
  return memory::choose_regime(
      {footprint->weights, footprint->weights + footprint->kv + footprint->activations}, capacity);
}

Crossings crossings(const Model& model, const Workload& workload, base::Bytes capacity) {
  const auto footprint = footprint_of(model, {}, workload);
  EXPECT_TRUE(footprint);
  return crossings_of(model, {}, workload, *footprint, capacity);
}

// One token at a time, from some before to some behind the boundary.
void walk_context(const Model& model, Workload workload, base::Bytes capacity, Regime beyond) {
  const Crossings found = crossings(model, workload, capacity);
  ASSERT_TRUE(found.context.last) << model.nickname;
  EXPECT_EQ(found.beyond, beyond);
  for (std::uint64_t context = *found.context.last - 5; context <= *found.context.last + 5; ++context) {
    workload.context = context;
    EXPECT_EQ(regime_at(model, workload, capacity),
              context <= *found.context.last ? Regime::kResident : beyond)
        << model.nickname << " at " << context;
  }
}

TEST(Crossings, SmolVlm2OnHalfAGigabyteIsResidentUpToTheLastTokenThatFits) {
  const Workload workload{.context = 2048, .batch = 1, .prompt = 512};
  const Crossings found = crossings(samples::smolvlm2(), workload, kHalfGigabyte);
  // (536 870 912 - 288 545 544 weights - 2 433 024 activations) / 12 960 bytes a token.
  EXPECT_EQ(found.context.last, 18'973U);
  walk_context(samples::smolvlm2(), workload, kHalfGigabyte, Regime::kKvSwap);
}

TEST(Crossings, Clm60mOfOneLayerIsResidentOnHalfAGigabyte) {
  const Workload workload{.context = 256, .batch = 1, .prompt = 256};
  EXPECT_EQ(regime_at(samples::clm60m(1), workload, kHalfGigabyte), Regime::kResident);
  walk_context(samples::clm60m(1), workload, kHalfGigabyte, Regime::kKvSwap);
  walk_context(samples::clm60m(8), workload, kHalfGigabyte, Regime::kKvSwap);
  // Its weights alone: 2 016 384 elements, the last norm among them, 9 bits each.
  EXPECT_EQ(regime_at(samples::clm60m(1), workload, {2'268'431}), Regime::kWeightStream);
  EXPECT_EQ(regime_at(samples::clm60m(1), workload, {2'268'432}), Regime::kKvSwap);
}

TEST(Crossings, WindowsThatFillMakeStepsAndTheBoundaryIsStillExact) {
  const Workload workload{.context = 64, .batch = 1, .prompt = 64};
  const auto footprint = footprint_of(samples::gpt_oss_20b(), {}, workload);
  // Boundaries before, at and behind the window of 128 tokens.
  for (const std::int64_t kib : {100, 900, 1700, 1800, 40'000})
    walk_context(samples::gpt_oss_20b(), workload, footprint->total() + base::Bytes{kib * 1024},
                 Regime::kKvSwap);
}

TEST(Crossings, ABatchHasABoundaryToo) {
  Workload workload{.context = 1024, .batch = 1, .prompt = 128};
  const Crossings found = crossings(samples::smolvlm2(), workload, kHalfGigabyte);
  ASSERT_TRUE(found.batch.last);
  for (std::uint64_t batch = *found.batch.last - 3; batch <= *found.batch.last + 3; ++batch) {
    workload.batch = batch;
    EXPECT_EQ(regime_at(samples::smolvlm2(), workload, kHalfGigabyte),
              batch <= *found.batch.last ? Regime::kResident : Regime::kKvSwap);
  }
}

TEST(Crossings, WeightsThatDoNotFitHaveNoResidentContext) {
  const Crossings found = crossings(samples::llama_8b(), {.context = 1024}, kHalfGigabyte);
  EXPECT_EQ(found.context.last, std::nullopt);
  EXPECT_EQ(found.batch.last, std::nullopt);
  EXPECT_EQ(found.beyond, Regime::kWeightStream);
  EXPECT_EQ(found.capacity_for_weights, footprint_of(samples::llama_8b(), {}, {.context = 1024})->weights);
}

TEST(Crossings, WindowsEverywhereEndTheGrowth) {
  Model model = samples::clm60m();
  model.text.sliding_window = 512;
  for (boards::ModelLayer& layer : model.text.layers) layer.attention = boards::AttentionKind::kSliding;
  const Crossings found = crossings(model, {.context = 1024, .batch = 1, .prompt = 128}, kHalfGigabyte);
  EXPECT_TRUE(found.context.always);
  EXPECT_FALSE(found.batch.always);
}

TEST(Crossings, TheCapacityThatIsNamedIsEnoughAndOneByteLessIsNot) {
  const Workload workload{.context = 30'000, .batch = 1, .prompt = 512};
  const Crossings found = crossings(samples::smolvlm2(), workload, kHalfGigabyte);
  EXPECT_EQ(regime_at(samples::smolvlm2(), workload, found.capacity_for_resident), Regime::kResident);
  EXPECT_EQ(regime_at(samples::smolvlm2(), workload, found.capacity_for_resident - base::Bytes{1}),
            Regime::kKvSwap);
  EXPECT_EQ(regime_at(samples::smolvlm2(), workload, found.capacity_for_weights), Regime::kKvSwap);
  EXPECT_EQ(regime_at(samples::smolvlm2(), workload, found.capacity_for_weights - base::Bytes{1}),
            Regime::kWeightStream);
}

}  // namespace
}  // namespace accelscope::fit
