#include "boards/model_file.h"

#include "base/preset_file.h"
#include "base/utf8.h"
#include "boards/config_reader.h"
#include "boards/config_yaml.h"
#include "boards/model_check.h"
#include "boards/model_config_json.h"

namespace accelscope::boards {
namespace {

constexpr TextKeys kYamlKeys{"num_heads", "num_kv_heads", "head_dim", "sliding_window", "experts"};

Experts read_experts(ConfigMap map) {
  Experts experts;
  experts.count = map.required_integer("count", kExpertRange);
  experts.per_token = map.required_integer("per_token", kExpertRange);
  experts.intermediate = map.required_integer("inter_dim", kDimensionRange);
  experts.shared_intermediate = map.integer("shared_inter_dim", kDimensionRange).value_or(0);
  map.refuse_unknown();
  return experts;
}

// A list with a name for every layer, or a short one that repeats.
void read_attention(ConfigMap& map, std::vector<ModelLayer>& layers) {
  read_layer_types(map.list("layer_types"), "layer_types", map, layers);
  const auto pattern = map.list("layer_pattern");
  if (pattern.empty()) return;
  if (map.has("layer_types")) {
    map.problem("layer_pattern", "and `{}` cannot both be given", map.path_of("layer_types"));
    return;
  }
  std::vector<ConfigNode> names;
  for (std::size_t i = 0; i < layers.size(); ++i) names.push_back(pattern[i % pattern.size()]);
  read_layer_types(names, "layer_pattern", map, layers);
}

void read_flags(ConfigMap& map, TextModel& text) {
  text.tied_embeddings = map.boolean("tied_embeddings").value_or(false);
  text.gated = map.boolean("gated").value_or(true);
  text.attention_bias = map.boolean("attention_bias").value_or(false);
  text.output_bias = map.boolean("output_bias").value_or(false);
  text.feed_forward_bias = map.boolean("feed_forward_bias").value_or(false);
  text.diffusion = map.boolean("diffusion").value_or(text.model_type == "llada");
}

TextModel read_text(ConfigMap map) {
  TextModel text;
  if (!map.present()) return text;
  text.model_type = base::replace_invalid_utf8(map.text("model_type").value_or(""));
  text.hidden = map.required_integer("hidden_size", kDimensionRange);
  text.intermediate = map.required_integer("inter_dim", kDimensionRange);
  text.heads = map.required_integer("num_heads", kHeadRange);
  text.kv_heads = map.integer("num_kv_heads", kHeadRange).value_or(0);
  text.head_dim = map.integer("head_dim", kHeadRange).value_or(0);
  text.layers.resize(static_cast<std::size_t>(map.required_integer("num_layers", kLayerRange)));
  text.vocabulary = map.integer("vocab_size", kDimensionRange).value_or(0);
  text.max_context = map.integer("max_context", kContextRange).value_or(0);
  text.sliding_window = map.integer("sliding_window", kContextRange).value_or(0);
  text.rope_theta = map.number("rope_theta", 0, kMostTheta).value_or(0);
  text.rms_norm_eps = map.number("rms_norm_eps", 0, 1).value_or(0);
  read_flags(map, text);
  read_attention(map, text.layers);
  if (map.has("experts")) {
    text.experts = read_experts(map.map("experts"));
    for (ModelLayer& layer : text.layers) layer.feed_forward = FeedForwardKind::kExperts;
  }
  const auto feed_forward = map.list("mlp_types");
  read_feed_forward_types(feed_forward, "mlp_types", map, text.layers);
  if (!feed_forward.empty() && !text.experts) map.problem("experts", "is missing: `mlp_types` is given");
  map.refuse_unknown();
  derive_heads(text, map, kYamlKeys);
  check_text(text, map, kYamlKeys);
  return text;
}

std::optional<VisionTower> read_vision(ConfigMap map) {
  if (!map.present()) return std::nullopt;
  VisionTower vision;
  vision.hidden = map.required_integer("hidden_size", kDimensionRange);
  vision.intermediate = map.required_integer("inter_dim", kDimensionRange);
  vision.heads = map.required_integer("num_heads", kHeadRange);
  vision.head_dim = map.integer("head_dim", kHeadRange).value_or(0);
  vision.layers = map.required_integer("num_layers", kLayerRange);
  vision.image_size = map.required_integer("image_size", kDimensionRange);
  vision.patch_size = map.required_integer("patch_size", kDimensionRange);
  vision.channels = map.integer("num_channels", {1, 1024}).value_or(3);
  vision.tokens_merged = map.integer("tokens_merged", {1, 1U << 16U}).value_or(1);
  map.refuse_unknown();
  check_vision(vision, map, kYamlKeys);
  return vision;
}

// `broadcast` must cover the heads that share keys and values only where a model is really compiled so: the
// published presets for small tiles leave that to their slicing.
void check_hardware(const ModelHardware& hardware, const TextModel& text, bool is_default, ConfigMap& map) {
  if (!map.problems().none()) return;
  if (hardware.hlen > 0 && hardware.hlen < text.head_dim)
    map.problem("hlen", "{} is less than the head dimension {}", hardware.hlen, text.head_dim);
  if (hardware.hlen > 0 && hardware.broadcast > 0 && hardware.hlen * hardware.broadcast != hardware.mlen)
    map.problem("broadcast", "hlen {} times broadcast {} is {}, and must be mlen {}", hardware.hlen,
                hardware.broadcast, hardware.hlen * hardware.broadcast, hardware.mlen);
  const std::uint64_t shared = text.heads / text.kv_heads;
  if (is_default && hardware.broadcast > 0 && hardware.broadcast < shared)
    map.problem("broadcast", "{} is less than the {} heads that share keys and values", hardware.broadcast,
                shared);
}

ModelHardware read_hardware(ConfigMap map, const TextModel& text, bool is_default) {
  ModelHardware hardware;
  hardware.mode = map.text("mode").value_or("native");
  if (hardware.mode != "native" && hardware.mode != "sliced")
    map.problem("mode", "`native` or `sliced` is expected, this is `{}`", shown(hardware.mode));
  hardware.mlen = map.required_integer("mlen", kTileRange);
  hardware.vlen = map.required_integer("vlen", kTileRange);
  hardware.blen = map.required_integer("blen", kTileRange);
  hardware.batch = map.integer("batch_size", kTileRange).value_or(1);
  hardware.hlen = map.integer("hlen", kTileRange).value_or(0);
  hardware.broadcast = map.integer("broadcast", kTileRange).value_or(0);
  hardware.mram_tile_capacity = map.integer("mram_tile_capacity", kTileRange).value_or(0);
  map.refuse_unknown();
  check_hardware(hardware, text, is_default, map);
  return hardware;
}

void read_all_hardware(ConfigMap& map, Model& model) {
  if (map.has("hardware")) model.hardware = read_hardware(map.map("hardware"), model.text, true);
  ConfigMap presets = map.map("hardware_presets");
  if (!presets.present()) return;
  for (const std::string& name : presets.node().keys) {
    if (!presets.has(name)) continue;
    model.hardware_presets.push_back(
        {base::replace_invalid_utf8(name), read_hardware(presets.map(name), model.text, false)});
    if (map.problems().full()) return;
  }
}

base::Result<Model> read_model_yaml(const base::MappedFile& file) {
  ACCELSCOPE_TRY(const ConfigNode root, read_yaml(file));
  ConfigProblems problems(file.path());
  ConfigMap map(root, problems);
  Model model;
  model.id = base::replace_invalid_utf8(map.required_text("model_id"));
  model.nickname = base::replace_invalid_utf8(map.text("nickname").value_or(nickname_of(model.id)));
  model.family = base::replace_invalid_utf8(map.text("family").value_or(""));
  model.trust_remote_code = map.boolean("trust_remote_code").value_or(false);
  ConfigMap architecture = map.required_map("architecture");
  model.text = read_text(architecture.required_map("text"));
  model.vision = read_vision(architecture.map("vision"));
  architecture.refuse_unknown();
  read_all_hardware(map, model);
  map.refuse_unknown();
  ACCELSCOPE_CHECK(problems.status());
  return model;
}

// Names that others use for models of ours.
struct OtherName {
  std::string_view name;
  std::string_view nickname;
};
constexpr OtherName kOtherNames[] = {{"smollm2", "smollm2-135m"}, {"clm-60m", "clm60m"}};

}  // namespace

base::Result<Model> read_model(const base::MappedFile& file) {
  const std::size_t first = file.text().find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string_view::npos && file.text()[first] == '{') return read_model_config(file);
  return read_model_yaml(file);
}

base::Result<Model> load_model(const std::string& name_or_path) {
  std::string name = name_or_path;
  for (const OtherName& other : kOtherNames)
    if (other.name == name_or_path) name = other.nickname;
  ACCELSCOPE_TRY(const base::MappedFile file,
                 base::open_preset(name, "model", model_presets(), kMaxConfigBytes));
  return read_model(file);
}

}  // namespace accelscope::boards
