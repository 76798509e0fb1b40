// What every description of a model must keep, whatever file it comes from, and the limits that keep what is
// multiplied later within 64 bits.
//
// Plain functions, safe from any thread; what is wrong goes into the map's problems.
//
//   check_text(model.text, map, kYamlKeys);
#pragma once

#include "boards/config_reader.h"
#include "boards/model.h"

namespace accelscope::boards {

inline constexpr ConfigRange kDimensionRange{1, 1U << 24U};
inline constexpr ConfigRange kHeadRange{1, 1U << 16U};
inline constexpr ConfigRange kLayerRange{1, 10'000};
inline constexpr ConfigRange kExpertRange{1, 1U << 16U};
inline constexpr ConfigRange kContextRange{1, std::uint64_t{1} << 32U};
inline constexpr double kMostTheta = 1e30;  // of rotary embeddings
inline constexpr unsigned kMostParametersLog2 = 56;

// What a file calls the fields that messages name.
struct TextKeys {
  std::string_view heads;
  std::string_view kv_heads;
  std::string_view head_dim;
  std::string_view sliding_window;
  std::string_view experts_per_token;
};

// "meta-llama/Llama-3.1-8B" is called "llama-3.1-8b".
std::string nickname_of(std::string_view id);

// Head dimension and key-value heads that a file leaves out follow from the rest.
void derive_heads(TextModel& text, ConfigMap& map, const TextKeys& keys);
void check_text(const TextModel& text, ConfigMap& map, const TextKeys& keys);
void check_vision(VisionTower& vision, ConfigMap& map, const TextKeys& keys);

// The attention of every layer by name ("sliding_attention", "full_attention"), as many names as layers.
void read_layer_types(std::span<const ConfigNode> names, std::string_view key, ConfigMap& map,
                      std::vector<ModelLayer>& layers);
// The feed-forward part of every layer by name ("moe" or "sparse", "ffn" or "dense").
void read_feed_forward_types(std::span<const ConfigNode> names, std::string_view key, ConfigMap& map,
                             std::vector<ModelLayer>& layers);

}  // namespace accelscope::boards
