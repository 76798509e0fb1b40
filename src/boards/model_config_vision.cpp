#include "boards/model_config_vision.h"

#include <algorithm>
#include <array>

#include "boards/model_check.h"

namespace accelscope::boards {
namespace {

constexpr TextKeys kVisionKeys{"num_attention_heads", "num_attention_heads", "head_dim", "", ""};
constexpr ConfigRange kMergeRange{1, 256};

// What configs leave out because it is the default of their type.
struct VisionDefaults {
  std::string_view model_type;
  std::uint64_t hidden, intermediate, heads, layers, image_size, patch_size;
};
constexpr std::array kVisionDefaults{
    VisionDefaults{"siglip_vision_model", 768, 3072, 12, 12, 224, 16},
    VisionDefaults{"clip_vision_model", 768, 3072, 12, 12, 224, 32},
    VisionDefaults{"idefics3", 1152, 3072, 16, 12, 224, 32},
    VisionDefaults{"idefics3_vision", 1152, 3072, 16, 12, 224, 32},
    VisionDefaults{"smolvlm_vision", 1152, 3072, 16, 12, 224, 32},
};

VisionDefaults defaults_of(std::string_view model_type) {
  for (const VisionDefaults& one : kVisionDefaults)
    if (one.model_type == model_type) return one;
  return {};
}

std::uint64_t field(ConfigMap& map, std::string_view key, ConfigRange range, std::uint64_t otherwise) {
  return otherwise > 0 ? map.integer(key, range).value_or(otherwise) : map.required_integer(key, range);
}

VisionTower read_common(ConfigMap& map) {
  const VisionDefaults defaults = defaults_of(map.text("model_type").value_or(""));
  VisionTower vision;
  vision.hidden = field(map, "hidden_size", kDimensionRange, defaults.hidden);
  vision.intermediate = field(map, "intermediate_size", kDimensionRange, defaults.intermediate);
  vision.heads = field(map, "num_attention_heads", kHeadRange, defaults.heads);
  vision.layers = field(map, "num_hidden_layers", kLayerRange, defaults.layers);
  vision.image_size = field(map, "image_size", kDimensionRange, defaults.image_size);
  vision.patch_size = field(map, "patch_size", kDimensionRange, defaults.patch_size);
  vision.channels = map.integer("num_channels", {1, 1024}).value_or(3);
  return vision;
}

// These take images of any size, and count their merged patches themselves.
VisionTower read_qwen(ConfigMap& map, bool first_generation) {
  VisionTower vision;
  vision.hidden = map.required_integer(first_generation ? "embed_dim" : "hidden_size", kDimensionRange);
  vision.heads = map.required_integer("num_heads", kHeadRange);
  vision.layers = map.required_integer("depth", kLayerRange);
  vision.patch_size = map.required_integer("patch_size", kDimensionRange);
  vision.intermediate = first_generation ? vision.hidden * map.integer("mlp_ratio", {1, 64}).value_or(4)
                                         : map.required_integer("intermediate_size", kDimensionRange);
  vision.channels =
      map.integer("in_chans", {1, 1024}).value_or(map.integer("in_channels", {1, 1024}).value_or(3));
  const std::uint64_t merge = map.integer("spatial_merge_size", kMergeRange).value_or(2);
  vision.tokens_merged = merge * merge;
  return vision;
}

// How many patches become one token, where the config around the tower says so.
std::uint64_t merged_patches(ConfigMap& map, std::string_view model_type, const VisionTower& vision) {
  if (model_type == "idefics3" || model_type == "smolvlm") {
    const std::uint64_t factor = map.integer("scale_factor", kMergeRange).value_or(2);
    return factor * factor;
  }
  const auto tokens = map.integer("mm_tokens_per_image", kDimensionRange);
  if (!tokens || vision.patch_size == 0) return 1;
  const std::uint64_t side = vision.image_size / vision.patch_size;
  return std::max<std::uint64_t>(side * side / *tokens, 1);
}

}  // namespace

std::optional<VisionTower> read_vision_config(ConfigMap& map, std::string_view model_type) {
  ConfigMap tower = map.map("vision_config");
  if (!tower.present()) return std::nullopt;
  VisionTower vision;
  if (model_type == "qwen2_vl" || model_type == "qwen2_5_vl") {
    vision = read_qwen(tower, model_type == "qwen2_vl");
  } else {
    vision = read_common(tower);
    vision.tokens_merged = merged_patches(map, model_type, vision);
  }
  check_vision(vision, tower, kVisionKeys);
  return vision;
}

}  // namespace accelscope::boards
