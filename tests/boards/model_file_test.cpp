#include "boards/model_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace accelscope::boards {
namespace {

Model shipped_model(const std::string& name) {
  auto model = load_model(name);
  EXPECT_TRUE(model) << model.error().to_string();
  return model.value_or(Model{});
}

std::string model_error(std::string_view text) {
  const auto model = read_model(base::MappedFile::from_memory("m.yaml", text));
  return model ? "" : model.error().to_string();
}

// Everything that is trained, added up by hand: matrices, biases and norms of the kinds of model we ship.
std::uint64_t parameters(const TextModel& text) {
  const std::uint64_t query = text.heads * text.head_dim;
  const std::uint64_t key = text.kv_heads * text.head_dim;
  std::uint64_t attention = text.hidden * (query + 2 * key) + query * text.hidden;
  if (text.attention_bias) attention += query + 2 * key;
  if (text.output_bias) attention += text.hidden;
  std::uint64_t norms = 2 * text.hidden;
  if (text.model_type.starts_with("gemma")) norms = 4 * text.hidden;
  if (text.model_type.starts_with("qwen3") || text.model_type.starts_with("gemma3"))
    norms += 2 * text.head_dim;
  if (text.model_type == "gpt_oss") norms += text.heads;  // its sinks
  std::uint64_t all = text.hidden + text.vocabulary * text.hidden * (text.tied_embeddings ? 1 : 2);
  for (const ModelLayer& layer : text.layers) {
    all += attention + norms;
    if (layer.feed_forward == FeedForwardKind::kDense) {
      all += 3 * text.hidden * text.intermediate;
      continue;
    }
    const Experts& experts = *text.experts;
    all += experts.count * (3 * text.hidden * experts.intermediate + text.hidden);
    if (text.feed_forward_bias) all += experts.count * (2 * experts.intermediate + text.hidden + 1);
  }
  return all;
}

TEST(ModelFiles, HaveTheParametersThatArePublished) {
  const std::vector<std::pair<std::string, std::uint64_t>> kPublished{
      {"smollm2-135m", 134'515'008},     {"llada-8b", 8'015'581'184},       {"llama-3.1-8b", 8'030'261'248},
      {"llama-3.2-1b", 1'235'814'400},   {"llama-3.2-3b", 3'212'749'824},   {"llama-3.3-70b", 70'553'706'496},
      {"gpt-oss-20b", 20'914'757'184},   {"gpt-oss-120b", 116'829'156'672}, {"mistral-7b", 7'241'732'096},
      {"mixtral-8x7b", 46'702'792'704},  {"qwen2.5-0.5b", 494'032'768},     {"qwen2.5-7b", 7'615'616'512},
      {"qwen3-8b", 8'190'735'360},       {"qwen3-32b", 32'762'123'264},     {"qwen3-30b-a3b", 30'532'122'624},
      {"gemma-2-2b", 2'614'341'888},     {"gemma-3-1b", 999'885'952},       {"phi-3-mini", 3'821'079'552},
      {"tinyllama-1.1b", 1'100'048'384},
  };
  for (const auto& [name, count] : kPublished) EXPECT_EQ(parameters(shipped_model(name).text), count) << name;
  // Two are published otherwise: one without a vocabulary, one with another.
  EXPECT_EQ(kPublished.size() + 2, model_presets().size());
}

TEST(ModelFiles, HaveTheTowerThatIsPublished) {
  const Model model = shipped_model("smolvlm2");
  ASSERT_TRUE(model.vision);
  const VisionTower& vision = *model.vision;
  const std::uint64_t h = vision.hidden;
  const std::uint64_t side = vision.image_size / vision.patch_size;
  const std::uint64_t layer = 4 * (h * h + h) + 2 * h * vision.intermediate + vision.intermediate + h + 4 * h;
  const std::uint64_t tower = vision.patch_size * vision.patch_size * vision.channels * h + h +
                              side * side * h + vision.layers * layer + 2 * h;
  const std::uint64_t connector = h * vision.tokens_merged * model.text.hidden;
  TextModel text = model.text;
  text.vocabulary = 49'280;
  EXPECT_EQ(parameters(text) + tower + connector, 256'484'928U);
}

TEST(ModelFiles, ArePartOfTheProgramUnderTheirNicknames) {
  for (const base::EmbeddedFile& file : model_presets())
    EXPECT_EQ(shipped_model(std::string(file.name)).nickname, file.name);
  EXPECT_EQ(shipped_model("smollm2").nickname, "smollm2-135m");
  const auto wrong = load_model("llama-3.1-8c");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("did you mean `llama-3.1-8b`?"), std::string::npos);
}

TEST(ModelFiles, AreListedInTheirPage) {
  std::ifstream file(ACCELSCOPE_SOURCE_DIR "/docs/models.md");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const base::EmbeddedFile& preset_file : model_presets()) {
    const TextModel shapes = shipped_model(std::string(preset_file.name)).text;
    const std::string row = "| `" + std::string(preset_file.name) + "` | " + std::to_string(shapes.hidden) +
                            " | " + std::to_string(shapes.intermediate) + " | " +
                            std::to_string(shapes.heads) + "/" + std::to_string(shapes.kv_heads) + " | " +
                            std::to_string(shapes.head_dim) + " | " + std::to_string(shapes.layers.size()) +
                            " | ";
    EXPECT_NE(text.find(row), std::string::npos) << row;
  }
}

TEST(ModelFiles, PlaceWindowsAndExperts) {
  const Model gemma = shipped_model("gemma-3-1b");
  EXPECT_EQ(std::count_if(gemma.text.layers.begin(), gemma.text.layers.end(),
                          [](const ModelLayer& layer) { return layer.attention == AttentionKind::kFull; }),
            4);
  EXPECT_EQ(gemma.text.layers[5].attention, AttentionKind::kFull);
  const Model oss = shipped_model("gpt-oss-20b");
  EXPECT_EQ(oss.text.layers[0], (ModelLayer{AttentionKind::kSliding, FeedForwardKind::kExperts}));
  EXPECT_EQ(oss.text.layers[1], (ModelLayer{AttentionKind::kFull, FeedForwardKind::kExperts}));
  EXPECT_TRUE(shipped_model("llada-8b").text.diffusion);
  EXPECT_FALSE(shipped_model("llama-3.1-8b").text.diffusion);
}

TEST(ModelFiles, ReadHardware) {
  const Model model = shipped_model("clm60m");
  ASSERT_TRUE(model.hardware);
  EXPECT_EQ(model.hardware->mlen, 256U);
  EXPECT_EQ(model.hardware->broadcast, 4U);
  ASSERT_EQ(model.hardware_presets.size(), 4U);
  EXPECT_EQ(model.hardware_presets[2].name, "sliced_64x64x16_b1");
  EXPECT_EQ(model.hardware_presets[2].hardware.mode, "sliced");
  EXPECT_EQ(model.text.vocabulary, 0U);
}

// A model with these lines in its text part, and these behind.
std::string model_with(std::string_view text, std::string_view rest = "") {
  return "model_id: a/B\narchitecture:\n  text:\n    hidden_size: 64\n    inter_dim: 128\n    num_heads: 4\n"
         "    num_layers: 2\n" +
         std::string(text) + std::string(rest);
}

TEST(ModelFiles, DeriveWhatIsLeftOut) {
  const auto model = read_model(base::MappedFile::from_memory("m.yaml", model_with("")));
  ASSERT_TRUE(model) << model.error().to_string();
  EXPECT_EQ(model->nickname, "b");
  EXPECT_EQ(model->text.head_dim, 16U);
  EXPECT_EQ(model->text.kv_heads, 4U);
  EXPECT_EQ(model->text.layers.size(), 2U);
  EXPECT_TRUE(model->text.gated);
  EXPECT_FALSE(model->vision);
}

TEST(ModelFiles, SayWhatIsWrong) {
  EXPECT_EQ(
      model_error("model_id: a\narchitecture:\n  text:\n    hiden_size: 64\n    num_layers: 0\n"),
      "m.yaml:3: `architecture.text.hidden_size`: is missing\n"
      "m.yaml:3: `architecture.text.inter_dim`: is missing\n"
      "m.yaml:3: `architecture.text.num_heads`: is missing\n"
      "m.yaml:4: `architecture.text.hiden_size`: is not known; did you mean `hidden_size`?\n"
      "m.yaml:5: `architecture.text.num_layers`: a whole number from 1 to 10000 is expected, this is 0");
  EXPECT_EQ(model_error("nickname: a\n"),
            "m.yaml: `model_id`: is missing\nm.yaml: `architecture`: is missing");
  EXPECT_EQ(model_error(model_with("    num_kv_heads: 3\n")),
            "m.yaml:8: `architecture.text.num_kv_heads`: 3 key-value heads do not divide 4 heads");
  EXPECT_EQ(model_error(model_with("    layer_types: [full_attention]\n")),
            "m.yaml:8: `architecture.text.layer_types`: names 1 layers, the model has 2");
  EXPECT_EQ(
      model_error(model_with("    layer_pattern: [sliding_attention]\n")),
      "m.yaml:3: `architecture.text.sliding_window`: is missing: there are layers with sliding attention");
  EXPECT_EQ(
      model_error(model_with("    layer_pattern: [linear]\n")),
      "m.yaml:8: `architecture.text.layer_pattern`: `full_attention` or `sliding_attention` is expected, "
      "this is the text `linear`, which is not modelled\n"
      "m.yaml:8: `architecture.text.layer_pattern`: `full_attention` or `sliding_attention` is expected, "
      "this is the text `linear`, which is not modelled");
  EXPECT_EQ(model_error(model_with("    experts: {count: 2, per_token: 3, inter_dim: 8}\n")),
            "m.yaml:8: `architecture.text.experts`: 3 of 2 experts cannot be chosen");
  EXPECT_EQ(model_error(model_with("    mlp_types: [moe, ffn]\n")),
            "m.yaml:3: `architecture.text.experts`: is missing: `mlp_types` is given");
}

TEST(ModelFiles, CheckHardware) {
  const auto hardware = [](std::string_view fields) {
    return model_with("    num_kv_heads: 1\n",
                      "hardware: {mlen: 64, vlen: 64, blen: 4, " + std::string(fields) + "}\n");
  };
  EXPECT_EQ(model_error(hardware("hlen: 16, broadcast: 4")), "");
  EXPECT_EQ(model_error(hardware("hlen: 8, broadcast: 8")),
            "m.yaml:9: `hardware.hlen`: 8 is less than the head dimension 16");
  EXPECT_EQ(model_error(hardware("hlen: 16, broadcast: 8")),
            "m.yaml:9: `hardware.broadcast`: hlen 16 times broadcast 8 is 128, and must be mlen 64");
  EXPECT_EQ(model_error(hardware("hlen: 32, broadcast: 2")),
            "m.yaml:9: `hardware.broadcast`: 2 is less than the 4 heads that share keys and values");
}

TEST(ModelFiles, RefuseSizesThatNothingHolds) {
  EXPECT_EQ(model_error("model_id: a\narchitecture:\n  text: {hidden_size: 16777216, inter_dim: 16777216, "
                        "num_heads: 65536, head_dim: 65536, num_layers: 10000}\n"),
            "m.yaml: describes more than 2^56 parameters");
  EXPECT_NE(model_error(model_with("    vocab_size: 99999999999999999999\n")), "");
  EXPECT_NE(model_error(model_with("    vocab_size: -1\n")), "");
}

}  // namespace
}  // namespace accelscope::boards
