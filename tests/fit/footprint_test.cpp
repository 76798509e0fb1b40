#include "fit/footprint.h"

#include <gtest/gtest.h>

#include <vector>

#include "fit/samples.h"

namespace accelscope::fit {
namespace {

using boards::Model;

const boards::NumberFormat kBf16{boards::kBf16};

// A model's tensors, one by one, as a checkpoint has them: written without looking at how fit counts.
struct Tensor {
  std::uint64_t rows;
  std::uint64_t columns;
};

void add_linear(std::vector<Tensor>& tensors, std::uint64_t in, std::uint64_t out, bool bias) {
  tensors.push_back({out, in});
  if (bias) tensors.push_back({out, 1});
}

std::vector<Tensor> tensors_of(const Model& model) {
  const boards::TextModel& text = model.text;
  std::vector<Tensor> tensors{{text.vocabulary, text.hidden}};
  const auto mlp = [&](std::uint64_t width) {
    if (text.gated) add_linear(tensors, text.hidden, width, text.feed_forward_bias);
    add_linear(tensors, text.hidden, width, text.feed_forward_bias);
    add_linear(tensors, width, text.hidden, text.feed_forward_bias);
  };
  for (const boards::ModelLayer& layer : text.layers) {
    add_linear(tensors, text.hidden, text.heads * text.head_dim, text.attention_bias);
    add_linear(tensors, text.hidden, text.kv_heads * text.head_dim, text.attention_bias);
    add_linear(tensors, text.hidden, text.kv_heads * text.head_dim, text.attention_bias);
    add_linear(tensors, text.heads * text.head_dim, text.hidden, text.output_bias);
    tensors.push_back({text.hidden, 1});
    tensors.push_back({text.hidden, 1});
    if (layer.feed_forward == boards::FeedForwardKind::kDense) {
      mlp(text.intermediate);
      continue;
    }
    add_linear(tensors, text.hidden, text.experts->count, text.feed_forward_bias);
    for (std::uint64_t expert = 0; expert < text.experts->count; ++expert) mlp(text.experts->intermediate);
    if (text.experts->shared_intermediate > 0) mlp(text.experts->shared_intermediate);
  }
  tensors.push_back({text.hidden, 1});
  if (!text.tied_embeddings) tensors.push_back({text.vocabulary, text.hidden});
  if (!model.vision) return tensors;
  const boards::VisionTower& tower = *model.vision;
  const std::uint64_t side = tower.image_size / tower.patch_size;
  add_linear(tensors, tower.channels * tower.patch_size * tower.patch_size, tower.hidden, true);
  tensors.push_back({side * side, tower.hidden});
  for (std::uint64_t layer = 0; layer < tower.layers; ++layer) {
    for (int i = 0; i < 4; ++i) add_linear(tensors, tower.hidden, tower.hidden, true);
    add_linear(tensors, tower.hidden, tower.intermediate, true);
    add_linear(tensors, tower.intermediate, tower.hidden, true);
    for (int i = 0; i < 4; ++i) tensors.push_back({tower.hidden, 1});
  }
  tensors.push_back({tower.hidden, 2});
  tensors.push_back({tower.hidden * tower.tokens_merged, text.hidden});
  return tensors;
}

std::uint64_t elements_of(const Model& model) {
  std::uint64_t elements = 0;
  for (const Tensor& tensor : tensors_of(model)) elements += tensor.rows * tensor.columns;
  return elements;
}

Weights weights(const Model& model, const boards::NumberFormat& format = boards::kPlenaMx) {
  auto weights = weights_of(model, format);
  EXPECT_TRUE(weights) << (weights ? "" : weights.error().message);
  return weights.value_or(Weights{});
}

Model many_kinds() {
  Model model = samples::dense("many", 320, 640, 10, 5, 40, 9, 1000);
  model.text.experts =
      boards::Experts{.count = 6, .per_token = 2, .intermediate = 96, .shared_intermediate = 64};
  model.text.sliding_window = 100;
  model.text.gated = false;
  model.text.feed_forward_bias = true;
  model.text.tied_embeddings = true;
  for (std::size_t i = 0; i < 9; ++i) {
    if (i % 2 == 0) model.text.layers[i].attention = boards::AttentionKind::kSliding;
    if (i % 3 != 0) model.text.layers[i].feed_forward = boards::FeedForwardKind::kExperts;
  }
  return model;
}

TEST(Weights, AreThoseThatWerePublished) {
  EXPECT_EQ(weights(samples::llama_8b()).all_elements, 8'030'261'248U);
  EXPECT_EQ(weights(samples::smollm2()).all_elements, 134'515'008U);
  EXPECT_EQ(weights(samples::smolvlm2()).all_elements, 256'484'928U);
  EXPECT_EQ(weights(samples::mixtral()).all_elements, 46'702'792'704U);
  // Without the sinks of attention, 64 in each of 24 layers.
  EXPECT_EQ(weights(samples::gpt_oss_20b()).all_elements, 20'914'757'184U - 64U * 24U);
}

TEST(Weights, AreTheTensorsOneByOne) {
  for (const Model& model : {samples::clm60m(), samples::smollm2(), samples::smolvlm2(), samples::llama_8b(),
                             samples::mixtral(), samples::gpt_oss_20b(), samples::llada_8b(), many_kinds()}) {
    const Weights counted = weights(model, kBf16);
    EXPECT_EQ(counted.all_elements, elements_of(model)) << model.nickname;
    EXPECT_EQ(counted.total.value, static_cast<std::int64_t>(2 * elements_of(model))) << model.nickname;
  }
}

TEST(Weights, PartsStagesAndLayersSumToTheTotal) {
  for (const Model& model : {samples::smolvlm2(), samples::gpt_oss_20b(), many_kinds()}) {
    const Weights counted = weights(model);
    base::Bytes parts{};
    for (const base::Bytes part : counted.bytes) parts += part;
    base::Bytes stages{};
    for (const StageWeights& stage : counted.stages)
      stages += stage.total * static_cast<std::int64_t>(stage.count);
    EXPECT_EQ(parts, counted.total);
    EXPECT_EQ(stages, counted.total);
    ASSERT_EQ(counted.layers.size(), model.text.layers.size());
    for (std::size_t i = 0; i < counted.layers.size(); ++i)
      EXPECT_EQ(counted.stages[counted.layers[i]].layer, model.text.layers[i]);
  }
}

TEST(Weights, OfSmolVlm2AreAbout288Megabytes) {
  EXPECT_NEAR(static_cast<double>(weights(samples::smolvlm2()).total.value), 288e6, 1e6);
}

TEST(Weights, ATiedOutputIsCountedOnce) {
  Model model = samples::smollm2();
  const base::Bytes tied = weights(model).total;
  model.text.tied_embeddings = false;
  EXPECT_EQ((weights(model).total - tied).value, 49152 * 576 * 9 / 8);
}

TEST(Weights, OverflowNamesThePart) {
  Model model = samples::clm60m();
  model.text.vocabulary = std::uint64_t{1} << 60;
  const auto large = weights_of(model, boards::kPlenaMx);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, base::ErrorCode::kTooLarge);
  EXPECT_EQ(large.error().message, "clm60m: embedding would need 2^63 bytes or more, which no memory has");
  model.text.vocabulary = 0;
  model.text.intermediate = (std::uint64_t{1} << 63) / 384;
  EXPECT_EQ(weights_of(model, boards::kPlenaMx).error().message,
            "clm60m: feed-forward would need 2^63 bytes or more, which no memory has");
}

// Keys and values by going through layers, sequences and tokens.
std::int64_t kv_one_by_one(const Model& model, std::uint64_t context, std::uint64_t batch) {
  std::int64_t bytes = 0;
  for (const boards::ModelLayer& layer : model.text.layers) {
    std::uint64_t elements = 0;
    for (std::uint64_t sequence = 0; sequence < batch; ++sequence) {
      for (std::uint64_t token = 0; token < context; ++token) {
        const bool forgotten =
            layer.attention == boards::AttentionKind::kSliding && token + model.text.sliding_window < context;
        elements += forgotten ? 0 : 2 * model.text.kv_heads * model.text.head_dim;
      }
    }
    bytes += static_cast<std::int64_t>((elements * 9 + 7) / 8);
  }
  return bytes;
}

TEST(KeysAndValues, AreThoseOfEveryLayerSequenceAndToken) {
  for (const Model& model : {samples::smolvlm2(), samples::gpt_oss_20b(), many_kinds()})
    for (const std::uint64_t context : {1U, 99U, 100U, 101U, 128U, 129U, 1000U})
      for (const std::uint64_t batch : {1U, 3U})
        EXPECT_EQ(kv_bytes(model, boards::kPlenaMx, context, batch)->value,
                  kv_one_by_one(model, context, batch))
            << model.nickname << ' ' << context << ' ' << batch;
}

// The documents say "about 27 MB at 1 K and 106 MB at 4 K tokens": twice what the elements need. Two
// sequences do.
TEST(KeysAndValues, OfSmolVlm2AreHalfOfTheDocumented) {
  EXPECT_EQ(kv_bytes(samples::smolvlm2(), boards::kPlenaMx, 1, 1)->value, 2 * 30 * 3 * 64 * 9 / 8);
  EXPECT_NEAR(static_cast<double>(kv_bytes(samples::smolvlm2(), boards::kPlenaMx, 1024, 2)->value), 27e6,
              0.5e6);
  EXPECT_NEAR(static_cast<double>(kv_bytes(samples::smolvlm2(), boards::kPlenaMx, 4096, 2)->value), 106e6,
              0.5e6);
}

TEST(KeysAndValues, OfADiffusionModelAreNone) {
  EXPECT_EQ(kv_bytes(samples::llada_8b(), boards::kPlenaMx, 4096, 8)->value, 0);
}

TEST(KeysAndValues, OverflowIsAnError) {
  const auto large = kv_bytes(samples::llama_8b(), boards::kPlenaMx, std::uint64_t{1} << 50, 1024);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().message,
            "llama-3.1-8b: keys and values would need 2^63 bytes or more, which no memory has");
}

TEST(Activations, ArePeaksOfPrefillOrOfTheOutput) {
  // 2 x 576 and 2 x 1536 elements a token, 9 bits each.
  EXPECT_EQ(live_elements(samples::smollm2()), 2 * 576U + 2 * 1536U);
  EXPECT_EQ(activation_bytes(samples::smollm2(), boards::kPlenaMx, 1000, 2)->value, 4224 * 2000 * 9 / 8);
  // One token: the words of the output are more than the layer.
  EXPECT_EQ(activation_bytes(samples::smollm2(), boards::kPlenaMx, 1, 2)->value, (49152 + 576) * 2 * 9 / 8);
}

TEST(Footprint, HasTokensOfAnImage) {
  EXPECT_EQ(tokens_of_image(samples::smolvlm2()), 64U);
  EXPECT_EQ(tokens_of_image(samples::llama_8b()), 0U);
}

TEST(Footprint, TellsWhatTheNextTokenAdds) {
  const auto footprint = footprint_of(samples::gpt_oss_20b(), {}, {.context = 500});
  ASSERT_TRUE(footprint);
  // Only the 12 layers without a window grow.
  EXPECT_EQ(footprint->kv_of_next_token.value, 12 * 2 * 8 * 64 * 9 / 8);
}

}  // namespace
}  // namespace accelscope::fit
