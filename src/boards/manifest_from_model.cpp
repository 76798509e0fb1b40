#include "boards/manifest_from_model.h"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <limits>

#include "boards/weight_manifest.h"

namespace accelscope::boards {
namespace {

using base::ErrorCode;

constexpr std::uint64_t kAlignment = 64;

// Nothing where it does not fit.
std::optional<std::uint64_t> product(std::initializer_list<std::uint64_t> factors) {
  std::uint64_t result = 1;
  for (const std::uint64_t factor : factors)
    if (__builtin_mul_overflow(result, factor, &result)) return std::nullopt;
  return result;
}

std::optional<std::uint64_t> sum(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
  std::uint64_t result = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &result)) return std::nullopt;
  return result;
}

// Puts tensors one behind the other, and remembers the first that does not fit.
class Layout {
 public:
  struct As {
    RegionKind kind = RegionKind::kWeight;
    NumberFormat format = kPlenaMx;
  };

  // What follows is of this kind.
  void begin(As as) { as_ = as; }

  // A tensor without elements takes no place.
  void add(std::string name, std::uint32_t layer, std::optional<std::uint64_t> elements) {
    if (too_large_ || elements == 0U) return;
    const std::optional<base::Bytes> size = elements ? bytes_of(*elements, as_.format) : std::nullopt;
    const std::optional<std::uint64_t> end =
        size ? sum(next_, static_cast<std::uint64_t>(size->value)) : std::nullopt;
    if (!end || *end > kLargestManifestNumber - kAlignment) {
      too_large_ = std::move(name);
      return;
    }
    made_.manifest.regions.push_back({layer, next_, *size, as_.kind});
    made_.names.push_back(std::move(name));
    next_ = (*end + kAlignment - 1) / kAlignment * kAlignment;
  }

  std::uint64_t next() const { return next_; }

  base::Result<ModelManifest> finish(const Model& model, std::uint64_t ceiling) {
    if (too_large_)
      return base::fail(ErrorCode::kTooLarge, "{}: with {}, everything takes 2^63 bytes or more",
                        model.nickname, *too_large_);
    made_.manifest.activation_ceiling = ceiling;
    return std::move(made_);
  }

 private:
  As as_;
  ModelManifest made_;
  std::uint64_t next_ = 0;
  std::optional<std::string> too_large_;
};

bool has_experts(const TextModel& text, const ModelLayer& layer) {
  return layer.feed_forward == FeedForwardKind::kExperts && text.experts.has_value();
}

// Between the matrices of a feed-forward part: gate and up, or up alone.
std::uint64_t inner_vectors(const TextModel& text) {
  return text.gated ? 2 : 1;
}

void add_matrix(Layout& layout, const std::string& name, std::uint32_t layer, std::uint64_t in,
                std::optional<std::uint64_t> out, bool bias) {
  layout.add(name, layer, out ? product({in, *out}) : std::nullopt);
  if (bias) layout.add(name + "_bias", layer, out);
}

void add_feed_forward(Layout& layout, const TextModel& text, std::string_view prefix, std::uint32_t layer,
                      std::uint64_t width) {
  const auto name = [&](std::string_view part) { return fmt::format("{}{}_{}", prefix, part, layer); };
  if (text.gated) add_matrix(layout, name("gate"), layer, text.hidden, width, text.feed_forward_bias);
  add_matrix(layout, name("up"), layer, text.hidden, width, text.feed_forward_bias);
  add_matrix(layout, name("down"), layer, width, text.hidden, text.feed_forward_bias);
}

void add_experts(Layout& layout, const TextModel& text, std::uint32_t layer) {
  const Experts& experts = *text.experts;
  add_matrix(layout, fmt::format("W_router_{}", layer), layer, text.hidden, experts.count,
             text.feed_forward_bias);
  std::optional<std::uint64_t> one = product({inner_vectors(text) + 1, text.hidden, experts.intermediate});
  if (text.feed_forward_bias)
    one = sum(one, sum(product({inner_vectors(text), experts.intermediate}), text.hidden));
  for (std::uint64_t expert = 0; expert < experts.count; ++expert)
    layout.add(fmt::format("W_expert_{}_{}", layer, expert), layer, one);
  if (experts.shared_intermediate > 0)
    add_feed_forward(layout, text, "W_shared_", layer, experts.shared_intermediate);
}

void add_layer(Layout& layout, const TextModel& text, std::uint32_t number) {
  const auto name = [&](std::string_view part) { return fmt::format("W_{}_{}", part, number); };
  const std::optional<std::uint64_t> query = product({text.heads, text.head_dim});
  const std::optional<std::uint64_t> key = product({text.kv_heads, text.head_dim});
  layout.add(name("norm_attention"), number, text.hidden);
  add_matrix(layout, name("q"), number, text.hidden, query, text.attention_bias);
  add_matrix(layout, name("k"), number, text.hidden, key, text.attention_bias);
  add_matrix(layout, name("v"), number, text.hidden, key, text.attention_bias);
  add_matrix(layout, name("o"), number, query.value_or(std::numeric_limits<std::uint64_t>::max()),
             text.hidden, text.output_bias);
  layout.add(name("norm_ffn"), number, text.hidden);
  if (has_experts(text, text.layers[number]))
    add_experts(layout, text, number);
  else
    add_feed_forward(layout, text, "W_", number, text.intermediate);
}

void add_vision(Layout& layout, const Model& model, std::uint32_t first) {
  const VisionTower& vision = *model.vision;
  const std::uint64_t side = vision.patch_size == 0 ? 0 : vision.image_size / vision.patch_size;
  const auto last = static_cast<std::uint32_t>(first + std::max<std::uint64_t>(vision.layers, 1) - 1);
  const std::optional<std::uint64_t> heads = product({vision.heads, vision.head_dim});
  layout.add("V_PATCH_W", first,
             product({vision.channels, vision.patch_size, vision.patch_size, vision.hidden}));
  layout.add("V_PATCH_BIAS_POS", first, sum(product({side, side, vision.hidden}), vision.hidden));
  for (std::uint64_t i = 0; i < vision.layers; ++i) {
    const auto number = static_cast<std::uint32_t>(first + i);
    const auto name = [&](std::string_view part) { return fmt::format("V_W_{}_{}", part, i); };
    layout.add(name("norm_attention"), number, product({2, vision.hidden}));
    for (const std::string_view part : {"q", "k", "v"})
      add_matrix(layout, name(part), number, vision.hidden, heads, true);
    add_matrix(layout, name("o"), number, heads.value_or(std::numeric_limits<std::uint64_t>::max()),
               vision.hidden, true);
    layout.add(name("norm_ffn"), number, product({2, vision.hidden}));
    add_matrix(layout, name("up"), number, vision.hidden, vision.intermediate, true);
    add_matrix(layout, name("down"), number, vision.intermediate, vision.hidden, true);
  }
  layout.add("V_POST_LN", last, product({2, vision.hidden}));
  layout.add("V_CONNECTOR_W", last,
             product({vision.hidden, std::max<std::uint64_t>(1, vision.tokens_merged), model.text.hidden}));
}

void add_weights(Layout& layout, const Model& model) {
  const TextModel& text = model.text;
  const auto layers = static_cast<std::uint32_t>(text.layers.size());
  if (model.vision) add_vision(layout, model, layers);
  const std::uint32_t last = layers == 0 ? 0 : layers - 1;
  layout.add("W_embedding", 0, product({text.vocabulary, text.hidden}));
  for (std::uint32_t number = 0; number < layers; ++number) add_layer(layout, text, number);
  layout.add("W_norm_output", last, text.hidden);
  if (!text.tied_embeddings) layout.add("W_lm_head", last, product({text.vocabulary, text.hidden}));
}

// The widest place of a layer for one token, beside the hidden state and its copy.
std::optional<std::uint64_t> work_of_token(const TextModel& text) {
  const std::optional<std::uint64_t> attention =
      sum(product({text.heads, text.head_dim}), product({2, text.kv_heads, text.head_dim}));
  std::optional<std::uint64_t> widest = attention;
  for (const ModelLayer& layer : text.layers) {
    const std::optional<std::uint64_t> width =
        has_experts(text, layer) ? sum(product({text.experts->per_token, text.experts->intermediate}),
                                       text.experts->shared_intermediate)
                                 : std::optional(text.intermediate);
    const std::optional<std::uint64_t> inner = width ? product({inner_vectors(text), *width}) : std::nullopt;
    if (!widest || !inner) return std::nullopt;
    widest = std::max(*widest, *inner);
  }
  return widest;
}

void add_activations(Layout& layout, const TextModel& text, std::uint64_t prompt, std::uint64_t batch) {
  const std::optional<std::uint64_t> state = product({prompt, batch, text.hidden});
  const std::optional<std::uint64_t> work = work_of_token(text);
  layout.add("ACT_RESIDUAL", 0, state);
  layout.add("ACT_NORM", 0, state);
  layout.add("ACT_WORK", 0, work ? product({prompt, batch, *work}) : std::nullopt);
}

void add_kv(Layout& layout, const TextModel& text, const ModelManifestOptions& options) {
  if (text.diffusion) return;  // no cache
  for (std::uint32_t number = 0; number < text.layers.size(); ++number) {
    const bool sliding = text.layers[number].attention == AttentionKind::kSliding && text.sliding_window > 0;
    const std::uint64_t kept = sliding ? std::min(options.context, text.sliding_window) : options.context;
    const std::optional<std::uint64_t> elements =
        product({kept, options.batch, text.kv_heads, text.head_dim});
    layout.add(fmt::format("K_stored_{}", number), number, elements);
    layout.add(fmt::format("V_stored_{}", number), number, elements);
  }
}

// A few for every layer, and one for every expert.
base::Status check_number_of_regions(const Model& model) {
  const std::uint64_t experts = model.text.experts ? model.text.experts->count : 0;
  const std::optional<std::uint64_t> of_layers =
      product({model.text.layers.size(), sum(experts, 24).value_or(kLargestManifestNumber)});
  const std::optional<std::uint64_t> of_vision = product({model.vision ? model.vision->layers : 0, 24});
  const std::optional<std::uint64_t> all = sum(of_layers, of_vision);
  if (!all || *all > kMaxManifestRegions)
    return base::fail(ErrorCode::kTooLarge,
                      "{}: its layers and experts would be more than {} regions; no manifest is that long",
                      model.nickname, kMaxManifestRegions);
  return {};
}

}  // namespace

base::Result<ModelManifest> manifest_from_model(const Model& model, const ModelManifestOptions& options) {
  if (options.context == 0 || options.batch == 0 || options.prompt == 0U)
    return base::fail(ErrorCode::kUsage, "context, batch and prompt of a manifest are above zero");
  ACCELSCOPE_CHECK(check_number_of_regions(model));
  Layout layout;
  layout.begin({RegionKind::kActivation, options.activations});
  add_activations(layout, model.text, options.prompt.value_or(options.context), options.batch);
  const std::uint64_t ceiling = layout.next();
  layout.begin({RegionKind::kWeight, options.weights});
  add_weights(layout, model);
  layout.begin({RegionKind::kKv, options.kv});
  add_kv(layout, model.text, options);
  return layout.finish(model, ceiling);
}

}  // namespace accelscope::boards
