#include "boards/model_check.h"

#include <algorithm>
#include <cctype>

#include "base/units.h"

namespace accelscope::boards {
namespace {

// Matrices only, which is nearly everything; a bound, not a count.
base::Int128 parameters_of(const TextModel& text) {
  const base::Int128 heads = static_cast<base::Int128>(text.heads) + 2 * text.kv_heads + text.heads;
  const base::Int128 attention = heads * text.head_dim * text.hidden;
  base::Int128 feed_forward = static_cast<base::Int128>(3) * text.hidden * text.intermediate;
  if (text.experts)
    feed_forward += static_cast<base::Int128>(3) * text.hidden *
                    (static_cast<base::Int128>(text.experts->count) * text.experts->intermediate +
                     text.experts->shared_intermediate);
  return static_cast<base::Int128>(text.layers.size()) * (attention + feed_forward) +
         static_cast<base::Int128>(2) * text.vocabulary * text.hidden;
}

template <class Place>
void read_names(std::span<const ConfigNode> names, std::string_view key, ConfigMap& map,
                std::vector<ModelLayer>& layers, Place&& place) {
  if (names.empty()) return;
  if (names.size() != layers.size()) {
    map.problem(key, "names {} layers, the model has {}", names.size(), layers.size());
    return;
  }
  for (std::size_t i = 0; i < names.size(); ++i) place(names[i], layers[i]);
}

}  // namespace

std::string nickname_of(std::string_view id) {
  std::string name(id.substr(id.rfind('/') + 1));
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

void derive_heads(TextModel& text, ConfigMap& map, const TextKeys& keys) {
  if (text.kv_heads == 0) text.kv_heads = text.heads;
  if (text.head_dim > 0) return;
  text.head_dim = text.hidden / std::max<std::uint64_t>(text.heads, 1);
  if (text.heads > 0 && text.hidden % text.heads != 0)
    map.problem(keys.heads, "{} heads do not divide the hidden size {}; say `{}`", text.heads, text.hidden,
                map.path_of(keys.head_dim));
}

void check_text(const TextModel& text, ConfigMap& map, const TextKeys& keys) {
  if (!map.problems().none()) return;
  if (text.heads % text.kv_heads != 0)
    map.problem(keys.kv_heads, "{} key-value heads do not divide {} heads", text.kv_heads, text.heads);
  const bool slides = std::any_of(text.layers.begin(), text.layers.end(), [](const ModelLayer& layer) {
    return layer.attention == AttentionKind::kSliding;
  });
  if (slides && text.sliding_window == 0)
    map.problem(keys.sliding_window, "is missing: there are layers with sliding attention");
  if (text.experts && text.experts->per_token > text.experts->count)
    map.problem(keys.experts_per_token, "{} of {} experts cannot be chosen", text.experts->per_token,
                text.experts->count);
  if (parameters_of(text) >> kMostParametersLog2 != 0)
    map.problems().add(0, "describes more than 2^{} parameters", kMostParametersLog2);
}

void check_vision(VisionTower& vision, ConfigMap& map, const TextKeys& keys) {
  if (!map.problems().none()) return;
  if (vision.head_dim == 0 && vision.hidden % vision.heads != 0)
    map.problem(keys.heads, "{} heads do not divide the hidden size {}; say `{}`", vision.heads,
                vision.hidden, map.path_of(keys.head_dim));
  if (vision.head_dim == 0) vision.head_dim = vision.hidden / vision.heads;
  if (vision.image_size > 0 && vision.patch_size > vision.image_size)
    map.problem("patch_size", "{} is larger than the image's {}", vision.patch_size, vision.image_size);
}

void read_layer_types(std::span<const ConfigNode> names, std::string_view key, ConfigMap& map,
                      std::vector<ModelLayer>& layers) {
  read_names(names, key, map, layers, [&](const ConfigNode& name, ModelLayer& layer) {
    if (name.text == "sliding_attention")
      layer.attention = AttentionKind::kSliding;
    else if (name.text != "full_attention")
      map.problems().add(
          name.line,
          "`{}`: `full_attention` or `sliding_attention` is expected, this is {}, which is not "
          "modelled",
          map.path_of(key), in_words(name));
  });
}

void read_feed_forward_types(std::span<const ConfigNode> names, std::string_view key, ConfigMap& map,
                             std::vector<ModelLayer>& layers) {
  read_names(names, key, map, layers, [&](const ConfigNode& name, ModelLayer& layer) {
    const bool experts = name.text == "moe" || name.text == "sparse";
    if (!experts && name.text != "ffn" && name.text != "dense")
      map.problems().add(name.line, "`{}`: `moe` or `ffn` is expected, this is {}", map.path_of(key),
                         in_words(name));
    layer.feed_forward = experts ? FeedForwardKind::kExperts : FeedForwardKind::kDense;
  });
}

}  // namespace accelscope::boards
