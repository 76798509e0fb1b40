#include "boards/model_config_json.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "boards/config_json.h"
#include "boards/config_reader.h"
#include "boards/model_check.h"
#include "boards/model_config_vision.h"

namespace accelscope::boards {
namespace {

constexpr TextKeys kJsonKeys{"num_attention_heads", "num_key_value_heads", "head_dim", "sliding_window",
                             "num_experts_per_tok"};

template <std::size_t N>
constexpr bool one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Two matrices in the feed-forward part, and biases nearly everywhere.
constexpr std::array<std::string_view, 10> kUngated{
    "gpt2", "gpt_neox", "opt", "falcon", "bloom", "phi", "mpt", "gpt_bigcode", "gptj", "starcoder2"};
// The output layer is the embedding unless a config says otherwise.
constexpr std::array<std::string_view, 15> kTiedByDefault{
    "gemma", "gemma2", "gemma3", "gemma3_text", "cohere",    "cohere2",     "gpt2",   "opt",
    "bloom", "falcon", "mpt",    "starcoder2",  "phi3small", "gpt_bigcode", "smollm3"};
// Biases for queries, keys and values, which no key of their configs tells.
constexpr std::array<std::string_view, 6> kQkvBias{"qwen2",         "qwen2_moe",  "qwen2_vl",
                                                   "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text"};

struct NotModelled {
  std::string_view model_type;
  std::string_view what;
};
constexpr std::array kNotModelled{
    NotModelled{"mamba", "state-space layers"},
    NotModelled{"mamba2", "state-space layers"},
    NotModelled{"falcon_mamba", "state-space layers"},
    NotModelled{"jamba", "state-space layers"},
    NotModelled{"bamba", "state-space layers"},
    NotModelled{"zamba", "state-space layers"},
    NotModelled{"zamba2", "state-space layers"},
    NotModelled{"nemotron_h", "state-space layers"},
    NotModelled{"rwkv", "recurrent layers"},
    NotModelled{"recurrent_gemma", "recurrent layers"},
    NotModelled{"llama4", "chunked attention"},
    NotModelled{"llama4_text", "chunked attention"},
    NotModelled{"qwen3_next", "linear attention"},
    NotModelled{"bert", "an encoder"},
    NotModelled{"mllama", "layers of cross attention"},
};

// What a nested text_config leaves out because it is the default of its type.
struct TypeDefaults {
  std::string_view model_type;
  std::uint64_t hidden, intermediate, heads, kv_heads, head_dim, layers, vocabulary;
};
constexpr std::array kNestedDefaults{
    TypeDefaults{"llama", 4096, 11008, 32, 0, 0, 32, 32000},
    TypeDefaults{"mistral", 4096, 14336, 32, 8, 0, 32, 32000},
    TypeDefaults{"gemma3_text", 2304, 9216, 8, 4, 256, 26, 262208},
};

class TextReader {
 public:
  TextReader(ConfigMap map, bool nested) : map_(std::move(map)) {
    text_.model_type = base::replace_invalid_utf8(map_.text("model_type").value_or(""));
    for (const TypeDefaults& one : kNestedDefaults)
      if (nested && one.model_type == text_.model_type) defaults_ = one;
  }

  // `tied`: what the config around a nested one says.
  TextModel read(std::optional<bool> tied) {
    if (!map_.present() || refused()) return text_;
    read_shapes();
    read_feed_forward();
    read_attention();
    read_flags(tied);
    derive_heads(text_, map_, kJsonKeys);
    check_text(text_, map_, kJsonKeys);
    return text_;
  }

 private:
  bool type_is(std::string_view name) const { return text_.model_type == name; }

  bool refused() {
    for (const NotModelled& one : kNotModelled)
      if (type_is(one.model_type))
        map_.problem("model_type", "`{}` has {}, which is not modelled", one.model_type, one.what);
    for (const std::string_view key : {"kv_lora_rank", "q_lora_rank"})
      if (map_.has(key)) {
        map_.problem(key,
                     "multi-head latent attention is not modelled: its keys and values are kept compressed");
        break;
      }
    if (map_.boolean("is_encoder_decoder").value_or(false))
      map_.problem("is_encoder_decoder", "models with an encoder are not modelled");
    return !map_.problems().none();
  }

  // The first of several names that is given; the first name is the one that is missed.
  std::optional<std::uint64_t> optional(std::initializer_list<std::string_view> names, ConfigRange range) {
    std::optional<std::uint64_t> found;
    for (const std::string_view name : names)
      if (const ConfigNode* value = map_.find(name); value != nullptr && !found)
        found = map_.integer_of(*value, name, range);
    return found;
  }
  std::uint64_t required(std::initializer_list<std::string_view> names, ConfigRange range,
                         std::uint64_t otherwise) {
    const bool given =
        std::any_of(names.begin(), names.end(), [&](std::string_view name) { return map_.has(name); });
    if (!given && otherwise == 0) map_.problem(*names.begin(), "is missing");
    return optional(names, range).value_or(otherwise > 0 ? otherwise : range.least);
  }

  void read_shapes() {
    text_.hidden = required({"hidden_size", "n_embd", "d_model"}, kDimensionRange, defaults_.hidden);
    text_.heads = required({"num_attention_heads", "n_head", "n_heads"}, kHeadRange, defaults_.heads);
    text_.layers.resize(static_cast<std::size_t>(
        required({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, kLayerRange, defaults_.layers)));
    // These have four times the hidden size where they say nothing.
    constexpr std::array<std::string_view, 5> kFourfold{"gpt2", "gpt_bigcode", "falcon", "bloom", "mpt"};
    const std::uint64_t intermediate =
        one_of(text_.model_type, kFourfold) ? 4 * text_.hidden : defaults_.intermediate;
    text_.intermediate =
        required({"intermediate_size", "n_inner", "mlp_hidden_size", "ffn_dim", "ffn_hidden_size"},
                 kDimensionRange, intermediate);
    text_.kv_heads = optional({"num_key_value_heads", "n_kv_heads", "num_kv_heads"}, kHeadRange)
                         .value_or(map_.boolean("multi_query").value_or(false) ? 1 : defaults_.kv_heads);
    text_.head_dim = optional({"head_dim"}, kHeadRange).value_or(defaults_.head_dim);
    text_.vocabulary =
        optional({"vocab_size", "embedding_size"}, kDimensionRange).value_or(defaults_.vocabulary);
    text_.max_context =
        optional({"max_position_embeddings", "n_positions", "max_sequence_length", "n_ctx"}, kContextRange)
            .value_or(0);
    text_.rms_norm_eps = map_.number("rms_norm_eps", 0, 1).value_or(0);
    ConfigMap rope = map_.map("rope_parameters");
    text_.rope_theta = map_.number("rope_theta", 0, kMostTheta)
                           .value_or(rope.number("rope_theta", 0, kMostTheta).value_or(0));
  }

  void read_feed_forward() {
    const std::uint64_t count =
        optional({"num_local_experts", "num_experts", "n_routed_experts"}, {0, kExpertRange.most})
            .value_or(0);
    if (count <= 1) return;
    Experts experts;
    experts.count = count;
    experts.per_token = required({"num_experts_per_tok", "experts_per_token"}, kExpertRange, 0);
    experts.intermediate = optional({"moe_intermediate_size"}, kDimensionRange).value_or(text_.intermediate);
    experts.shared_intermediate =
        optional({"shared_expert_intermediate_size", "shared_intermediate_size"}, {0, kDimensionRange.most})
            .value_or(0);
    if (const auto shared = map_.integer("n_shared_experts", {0, 1024}))
      experts.shared_intermediate = *shared * experts.intermediate;
    text_.experts = experts;
    place_experts();
  }

  void place_experts() {
    const std::uint64_t step = map_.integer("decoder_sparse_step", {1, kLayerRange.most}).value_or(1);
    const std::uint64_t every = map_.integer("moe_layer_freq", {1, kLayerRange.most}).value_or(1);
    const std::uint64_t first = map_.integer("first_k_dense_replace", {0, kLayerRange.most}).value_or(0);
    for (std::size_t i = 0; i < text_.layers.size(); ++i)
      if ((i + 1) % step == 0 && i >= first && i % every == 0)
        text_.layers[i].feed_forward = FeedForwardKind::kExperts;
    for (const ConfigNode& dense : map_.list("mlp_only_layers"))
      if (const auto layer = map_.integer_of(dense, "mlp_only_layers", {0, text_.layers.size() - 1}))
        text_.layers[static_cast<std::size_t>(*layer)].feed_forward = FeedForwardKind::kDense;
    read_feed_forward_types(map_.list("mlp_types"), "mlp_types", map_, text_.layers);
  }

  void read_attention() {
    text_.sliding_window = map_.integer("sliding_window", {0, kContextRange.most}).value_or(0);
    const bool switched_off = !map_.boolean("use_sliding_window").value_or(true);
    const auto names = map_.list("layer_types");
    if (!names.empty()) {
      read_layer_types(names, "layer_types", map_, text_.layers);
    } else if (text_.sliding_window > 0 && !switched_off) {
      for (std::size_t i = 0; i < text_.layers.size(); ++i)
        if (slides(i)) text_.layers[i].attention = AttentionKind::kSliding;
    }
    if (switched_off && names.empty()) text_.sliding_window = 0;
  }

  // Which layers slide where a config has a window and no list of them.
  bool slides(std::size_t layer) {
    if (type_is("gemma2") || type_is("gpt_oss")) return layer % 2 == 0;
    const std::uint64_t by_type = text_.model_type.starts_with("gemma3") ? 6 : type_is("cohere2") ? 4 : 0;
    const std::uint64_t pattern =
        map_.integer("sliding_window_pattern", {1, kLayerRange.most}).value_or(by_type);
    if (pattern > 0) return (layer + 1) % pattern != 0;
    if (text_.model_type.starts_with("qwen"))
      return layer >= map_.integer("max_window_layers", {0, kLayerRange.most}).value_or(0);
    return true;
  }

  void read_flags(std::optional<bool> tied) {
    const bool gpt_oss = type_is("gpt_oss");
    const bool qkv_only = one_of(text_.model_type, kQkvBias);
    text_.gated = !one_of(text_.model_type, kUngated);
    const bool biased = !text_.gated && !type_is("falcon") && !type_is("mpt");
    const auto own = map_.boolean("tie_word_embeddings");
    const auto llada = map_.boolean("weight_tying");
    text_.tied_embeddings =
        tied.value_or(own.value_or(llada.value_or(one_of(text_.model_type, kTiedByDefault))));
    text_.attention_bias =
        map_.boolean("attention_bias")
            .value_or(map_.boolean("include_qkv_bias").value_or(qkv_only || gpt_oss || biased));
    text_.output_bias = text_.attention_bias && !qkv_only && !map_.has("include_qkv_bias");
    text_.feed_forward_bias = map_.boolean("mlp_bias").value_or(gpt_oss || biased);
    text_.diffusion = type_is("llada");
  }

  ConfigMap map_;
  TextModel text_;
  TypeDefaults defaults_ = {};
};

}  // namespace

base::Result<Model> read_model_config(const base::MappedFile& file) {
  ACCELSCOPE_TRY(const ConfigNode root, read_json(file));
  ConfigProblems problems(file.path());
  ConfigMap map(root, problems);
  Model model;
  model.id = base::replace_invalid_utf8(map.text("_name_or_path").value_or(""));
  model.family = base::replace_invalid_utf8(map.text("model_type").value_or(""));
  if (model.id.empty()) model.id = model.family.empty() ? "model" : model.family;
  model.nickname = nickname_of(model.id);
  ConfigMap nested = map.map("text_config");
  const bool has_nested = nested.present();
  const auto tied = has_nested ? map.boolean("tie_word_embeddings") : std::nullopt;
  model.text = TextReader(has_nested ? nested : map, has_nested).read(tied);
  if (problems.none()) model.vision = read_vision_config(map, model.family);
  ACCELSCOPE_CHECK(problems.status());
  return model;
}

}  // namespace accelscope::boards
