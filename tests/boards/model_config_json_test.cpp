#include "boards/model_config_json.h"

#include <gtest/gtest.h>

#include "boards/model_file.h"

namespace accelscope::boards {
namespace {

base::Result<Model> read_config(std::string_view text) {
  return read_model(base::MappedFile::from_memory("config.json", text));
}

Model model_of(std::string_view text) {
  auto model = read_config(text);
  EXPECT_TRUE(model) << model.error().to_string();
  return model.value_or(Model{});
}

std::string config_error(std::string_view text) {
  const auto model = read_config(text);
  return model ? "" : model.error().to_string();
}

// A small model of a type, with these fields besides.
std::string small(std::string_view type, std::string_view fields, int layers = 4) {
  return R"({"model_type": ")" + std::string(type) +
         R"(", "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4, "num_hidden_layers": )" +
         std::to_string(layers) + (fields.empty() ? "" : ", ") + std::string(fields) + "}";
}

// 's' and 'f' for the attention of each layer.
std::string attention(const Model& model) {
  std::string kinds;
  for (const ModelLayer& layer : model.text.layers)
    kinds += layer.attention == AttentionKind::kSliding ? 's' : 'f';
  return kinds;
}

// 'e' and 'd' for the feed-forward part of each layer.
std::string feed_forward(const Model& model) {
  std::string kinds;
  for (const ModelLayer& layer : model.text.layers)
    kinds += layer.feed_forward == FeedForwardKind::kExperts ? 'e' : 'd';
  return kinds;
}

struct Published {
  std::string_view preset;
  std::string_view config;
};
constexpr Published kPublishedConfigs[] = {
    {"llama-3.1-8b",
     R"({"attention_bias": false, "hidden_size": 4096, "intermediate_size": 14336, "mlp_bias": false,
 "max_position_embeddings": 131072, "model_type": "llama", "num_attention_heads": 32, "num_hidden_layers": 32,
 "num_key_value_heads": 8, "rms_norm_eps": 1e-05, "rope_scaling": {"factor": 8.0, "rope_type": "llama3"},
 "rope_theta": 500000.0, "tie_word_embeddings": false, "torch_dtype": "bfloat16", "vocab_size": 128256})"},
    {"llama-3.2-1b",
     R"({"head_dim": 64, "hidden_size": 2048, "intermediate_size": 8192, "max_position_embeddings": 131072,
 "model_type": "llama", "num_attention_heads": 32, "num_hidden_layers": 16, "num_key_value_heads": 8,
 "rms_norm_eps": 1e-05, "rope_theta": 500000.0, "tie_word_embeddings": true, "vocab_size": 128256})"},
    {"mixtral-8x7b",
     R"({"hidden_size": 4096, "intermediate_size": 14336, "max_position_embeddings": 32768,
 "model_type": "mixtral", "num_attention_heads": 32, "num_experts_per_tok": 2, "num_hidden_layers": 32,
 "num_key_value_heads": 8, "num_local_experts": 8, "rms_norm_eps": 1e-05, "rope_theta": 1000000.0,
 "sliding_window": null, "tie_word_embeddings": false, "vocab_size": 32000})"},
    {"mistral-7b",
     R"({"hidden_size": 4096, "intermediate_size": 14336, "max_position_embeddings": 32768,
 "model_type": "mistral", "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
 "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "sliding_window": 4096, "vocab_size": 32000})"},
    {"qwen2.5-0.5b",
     R"({"hidden_size": 896, "intermediate_size": 4864, "max_position_embeddings": 32768,
 "max_window_layers": 24, "model_type": "qwen2", "num_attention_heads": 14, "num_hidden_layers": 24,
 "num_key_value_heads": 2, "rms_norm_eps": 1e-06, "rope_theta": 1000000.0, "sliding_window": 32768,
 "tie_word_embeddings": true, "use_sliding_window": false, "vocab_size": 151936})"},
    {"qwen3-30b-a3b",
     R"({"attention_bias": false, "decoder_sparse_step": 1, "head_dim": 128, "hidden_size": 2048,
 "intermediate_size": 6144, "max_position_embeddings": 40960, "max_window_layers": 48, "mlp_only_layers": [],
 "model_type": "qwen3_moe", "moe_intermediate_size": 768, "num_attention_heads": 32, "num_experts": 128,
 "num_experts_per_tok": 8, "num_hidden_layers": 48, "num_key_value_heads": 4, "rms_norm_eps": 1e-06,
 "rope_theta": 1000000.0, "sliding_window": null, "tie_word_embeddings": false, "use_sliding_window": false,
 "vocab_size": 151936})"},
    {"gpt-oss-20b",
     R"({"attention_bias": true, "experts_per_token": 4, "head_dim": 64, "hidden_size": 2880,
 "intermediate_size": 2880, "max_position_embeddings": 131072, "model_type": "gpt_oss",
 "num_attention_heads": 64, "num_experts_per_tok": 4, "num_hidden_layers": 24, "num_key_value_heads": 8,
 "num_local_experts": 32, "rms_norm_eps": 1e-05, "rope_theta": 150000, "sliding_window": 128,
 "tie_word_embeddings": false, "vocab_size": 201088})"},
    {"gemma-2-2b",
     R"({"head_dim": 256, "hidden_size": 2304, "intermediate_size": 9216, "max_position_embeddings": 8192,
 "model_type": "gemma2", "num_attention_heads": 8, "num_hidden_layers": 26, "num_key_value_heads": 4,
 "rms_norm_eps": 1e-06, "rope_theta": 10000.0, "sliding_window": 4096, "vocab_size": 256000})"},
    {"gemma-3-1b",
     R"({"head_dim": 256, "hidden_size": 1152, "intermediate_size": 6912, "max_position_embeddings": 32768,
 "model_type": "gemma3_text", "num_attention_heads": 4, "num_hidden_layers": 26, "num_key_value_heads": 1,
 "rms_norm_eps": 1e-06, "rope_theta": 1000000, "sliding_window": 512, "sliding_window_pattern": 6,
 "vocab_size": 262144})"},
    {"phi-3-mini",
     R"({"hidden_size": 3072, "intermediate_size": 8192, "max_position_embeddings": 4096, "model_type": "phi3",
 "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32, "rms_norm_eps": 1e-05,
 "rope_theta": 10000.0, "sliding_window": 2047, "tie_word_embeddings": false, "vocab_size": 32064})"},
    {"llada-8b",
     R"({"d_model": 4096, "embedding_size": 126464, "include_bias": false, "include_qkv_bias": false,
 "max_sequence_length": 4096, "mlp_hidden_size": 12288, "model_type": "llada", "n_heads": 32,
 "n_kv_heads": 32, "n_layers": 32, "rms_norm_eps": 1e-05, "rope_theta": 500000.0, "vocab_size": 126464,
 "weight_tying": false})"},
};

TEST(ModelConfigs, GiveWhatTheShippedModelsHave) {
  for (const Published& one : kPublishedConfigs) {
    const auto preset = load_model(std::string(one.preset));
    ASSERT_TRUE(preset) << preset.error().to_string();
    EXPECT_EQ(model_of(one.config).text, preset->text) << one.preset;
  }
}

TEST(ModelConfigs, PlaceSlidingWindows) {
  EXPECT_EQ(attention(model_of(small("mistral", R"("sliding_window": 8)"))), "ssss");
  EXPECT_EQ(attention(model_of(small("mistral", R"("sliding_window": null)"))), "ffff");
  EXPECT_EQ(attention(model_of(small("gemma2", R"("sliding_window": 8)"))), "sfsf");
  EXPECT_EQ(attention(model_of(small("gemma3_text", R"("sliding_window": 8)", 7))), "sssssfs");
  EXPECT_EQ(attention(model_of(small("cohere2", R"("sliding_window": 8, "sliding_window_pattern": 2)"))),
            "sfsf");
  EXPECT_EQ(attention(model_of(small("qwen2", R"("sliding_window": 8, "use_sliding_window": true,
      "max_window_layers": 3)"))),
            "fffs");
  const Model off = model_of(small("qwen2", R"("sliding_window": 8, "use_sliding_window": false)"));
  EXPECT_EQ(attention(off), "ffff");
  EXPECT_EQ(off.text.sliding_window, 0U);
  EXPECT_EQ(attention(model_of(small("gpt_oss", R"("sliding_window": 8, "layer_types":
      ["full_attention", "full_attention", "sliding_attention", "full_attention"])"))),
            "ffsf");
}

TEST(ModelConfigs, PlaceExperts) {
  const Model qwen = model_of(small("qwen2_moe", R"("num_experts": 8, "num_experts_per_tok": 2,
      "moe_intermediate_size": 16, "shared_expert_intermediate_size": 32, "decoder_sparse_step": 2,
      "mlp_only_layers": [3])"));
  EXPECT_EQ(feed_forward(qwen), "dedd");
  EXPECT_EQ(qwen.text.experts, (Experts{8, 2, 16, 32}));
  const Model deepseek = model_of(small("deepseek", R"("n_routed_experts": 8, "n_shared_experts": 2,
      "num_experts_per_tok": 6, "moe_intermediate_size": 16, "first_k_dense_replace": 1, "moe_layer_freq": 1)"));
  EXPECT_EQ(feed_forward(deepseek), "deee");
  EXPECT_EQ(deepseek.text.experts, (Experts{8, 6, 16, 32}));
  EXPECT_EQ(feed_forward(model_of(small("gpt_oss", R"("num_local_experts": 4, "experts_per_token": 1,
      "mlp_types": ["moe", "ffn", "moe", "ffn"])"))),
            "eded");
  const Model one = model_of(small("gpt_oss", R"("num_local_experts": 1)"));
  EXPECT_FALSE(one.text.experts) << "a single expert is a dense layer";
}

TEST(ModelConfigs, HaveTheDefaultsOfTheirTypes) {
  EXPECT_TRUE(model_of(small("gemma2", "")).text.tied_embeddings);
  EXPECT_FALSE(model_of(small("llama", "")).text.tied_embeddings);
  EXPECT_FALSE(model_of(small("gemma2", R"("tie_word_embeddings": false)")).text.tied_embeddings);
  const Model qwen = model_of(small("qwen2", ""));
  EXPECT_TRUE(qwen.text.attention_bias);
  EXPECT_FALSE(qwen.text.output_bias);
  const Model llama = model_of(small("llama", R"("attention_bias": true, "mlp_bias": true)"));
  EXPECT_TRUE(llama.text.output_bias);
  EXPECT_TRUE(llama.text.feed_forward_bias);
  const Model gpt2 =
      model_of(R"({"model_type": "gpt2", "n_embd": 64, "n_head": 4, "n_layer": 2, "n_ctx": 32})");
  EXPECT_FALSE(gpt2.text.gated);
  EXPECT_TRUE(gpt2.text.tied_embeddings);
  EXPECT_EQ(gpt2.text.intermediate, 256U);
  EXPECT_EQ(gpt2.text.max_context, 32U);
  EXPECT_EQ(model_of(small("llama", R"("rope_parameters": {"rope_theta": 7})")).text.rope_theta, 7);
  EXPECT_EQ(model_of(small("llama", R"("_name_or_path": "some/Thing-7B")")).nickname, "thing-7b");
}

TEST(ModelConfigs, ReadVisionTowers) {
  const Model smol = model_of(R"({"model_type": "smolvlm", "scale_factor": 4, "tie_word_embeddings": false,
    "text_config": {"model_type": "llama", "hidden_size": 576, "intermediate_size": 1536, "num_hidden_layers": 30,
      "num_attention_heads": 9, "num_key_value_heads": 3, "head_dim": 64, "vocab_size": 49280},
    "vision_config": {"model_type": "smolvlm_vision", "hidden_size": 768, "image_size": 512,
      "num_attention_heads": 12, "patch_size": 16}})");
  ASSERT_TRUE(smol.vision);
  EXPECT_EQ(*smol.vision, *load_model("smolvlm2")->vision) << "what is left out is the default of its type";
  EXPECT_EQ(smol.text.layers.size(), 30U);
  const Model llava =
      model_of(R"({"model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32064},
    "vision_config": {"model_type": "clip_vision_model", "hidden_size": 1024, "image_size": 336,
      "intermediate_size": 4096, "num_attention_heads": 16, "num_hidden_layers": 24, "patch_size": 14}})");
  EXPECT_EQ(llava.text.intermediate, 11008U);
  EXPECT_EQ(llava.text.vocabulary, 32064U);
  EXPECT_EQ(llava.vision->head_dim, 64U);
  EXPECT_EQ(llava.vision->tokens_merged, 1U);
  const Model qwen = model_of(small("qwen2_vl", R"("vision_config": {"depth": 32, "embed_dim": 1280,
      "mlp_ratio": 4, "num_heads": 16, "patch_size": 14, "spatial_merge_size": 2, "hidden_size": 64})"));
  EXPECT_EQ(qwen.vision->intermediate, 5120U);
  EXPECT_EQ(qwen.vision->tokens_merged, 4U);
  EXPECT_EQ(qwen.vision->image_size, 0U) << "of any size";
}

TEST(ModelConfigs, SayWhatIsMissingAllAtOnce) {
  EXPECT_EQ(config_error("{\n\"model_type\": \"llama\",\n\"num_hidden_layers\": 1.5\n}"),
            "config.json: `hidden_size`: is missing\n"
            "config.json: `num_attention_heads`: is missing\n"
            "config.json: `intermediate_size`: is missing\n"
            "config.json:3: `num_hidden_layers`: a whole number from 1 to 10000 is expected, this is 1.5");
  EXPECT_EQ(config_error(small("mixtral", R"("num_local_experts": 8)")),
            "config.json: `num_experts_per_tok`: is missing");
  EXPECT_EQ(config_error(small("llama", R"("num_key_value_heads": 3)")),
            "config.json:1: `num_key_value_heads`: 3 key-value heads do not divide 4 heads");
  EXPECT_EQ(config_error(small("gpt_oss", R"("layer_types": ["full_attention"])")),
            "config.json:1: `layer_types`: names 1 layers, the model has 4");
  EXPECT_NE(config_error(R"({"text_config": 7})"), "");
  EXPECT_NE(config_error("{"), "");
  EXPECT_NE(config_error(R"({"a": )" + std::string(100, '[') + std::string(100, ']') + "}")
                .find("nested too deeply"),
            std::string::npos);
}

TEST(ModelConfigs, RefuseWhatIsNotModelled) {
  EXPECT_EQ(
      config_error(small("deepseek_v3", R"("kv_lora_rank": 512, "q_lora_rank": 1536)")),
      "config.json:1: `kv_lora_rank`: multi-head latent attention is not modelled: its keys and values are "
      "kept compressed");
  EXPECT_EQ(config_error(small("mamba2", "")),
            "config.json:1: `model_type`: `mamba2` has state-space layers, which is not modelled");
  EXPECT_NE(config_error(small("t5", R"("is_encoder_decoder": true)")), "");
  EXPECT_NE(
      config_error(small("minimax", R"("layer_types": ["linear_attention", "full_attention", "full_attention",
      "full_attention"])"))
          .find("which is not modelled"),
      std::string::npos);
}

}  // namespace
}  // namespace accelscope::boards
