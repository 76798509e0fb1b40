#include "fit/footprint.h"

#include <algorithm>

#include "base/checked.h"

namespace accelscope::fit {
namespace {

using base::Bytes;
using base::Checked;
using base::Result;
using boards::AttentionKind;
using boards::Model;
using boards::NumberFormat;
using boards::TextModel;

constexpr std::string_view kTooLarge = "2^63 bytes or more, which no memory has";

Result<Bytes> bytes_of_part(const Model& model, std::string_view part, Checked elements,
                            const NumberFormat& format) {
  const auto bytes = elements.fits() ? boards::bytes_of(*elements.value(), format) : std::nullopt;
  if (!bytes)
    return base::fail(base::ErrorCode::kTooLarge, "{}: {} would need {}", model.nickname, part, kTooLarge);
  return *bytes;
}

Result<Bytes> sum_of(const Model& model, std::string_view what, Bytes a, Bytes b) {
  const auto sum = base::checked_add(a.value, b.value);
  if (!sum)
    return base::fail(base::ErrorCode::kTooLarge, "{}: {} would need {}", model.nickname, what, kTooLarge);
  return Bytes{*sum};
}

bool has_sliding_window(const TextModel& text, const boards::ModelLayer& layer) {
  return layer.attention == AttentionKind::kSliding && text.sliding_window > 0;
}

Checked kv_elements_of_token(const TextModel& text) {
  return Checked(2) * text.kv_heads * text.head_dim;
}

std::uint64_t matrices_in(const TextModel& text) {
  return text.gated ? 3 : 2;
}

// Of what lies between the matrices of a feed-forward part of this width.
Checked feed_forward_biases(const TextModel& text, std::uint64_t width, std::uint64_t parts) {
  return Checked(parts) * (Checked(text.gated ? 2 : 1) * width + text.hidden);
}

using PartElements = ByPart<Checked>;

PartElements elements_of_layer(const TextModel& text, const boards::ModelLayer& layer) {
  const Checked hidden = text.hidden;
  const Checked query = Checked(text.heads) * text.head_dim;
  const Checked key = Checked(text.kv_heads) * text.head_dim;
  PartElements elements;
  elements[Part::kQuery] = hidden * query;
  elements[Part::kKey] = elements[Part::kValue] = hidden * key;
  elements[Part::kOutputProjection] = query * hidden;
  elements[Part::kNorms] = Checked(2) * hidden;
  if (text.attention_bias) elements[Part::kBiases] += query + key + key;
  if (text.output_bias) elements[Part::kBiases] += hidden;
  if (layer.feed_forward == boards::FeedForwardKind::kDense || !text.experts) {
    elements[Part::kFeedForward] = Checked(matrices_in(text)) * hidden * text.intermediate;
    if (text.feed_forward_bias) elements[Part::kBiases] += feed_forward_biases(text, text.intermediate, 1);
    return elements;
  }
  const boards::Experts& experts = *text.experts;
  elements[Part::kRouter] = hidden * experts.count;
  elements[Part::kExperts] = Checked(matrices_in(text)) * hidden * experts.intermediate * experts.count;
  elements[Part::kSharedExperts] = Checked(matrices_in(text)) * hidden * experts.shared_intermediate;
  if (text.feed_forward_bias) {
    elements[Part::kBiases] +=
        Checked(experts.count) + feed_forward_biases(text, experts.intermediate, experts.count);
    if (experts.shared_intermediate > 0)
      elements[Part::kBiases] += feed_forward_biases(text, experts.shared_intermediate, 1);
  }
  return elements;
}

PartElements elements_of_vision_stage(const Model& model, StageKind kind) {
  const boards::VisionTower& vision = *model.vision;
  const Checked hidden = vision.hidden;
  const Checked heads = Checked(vision.heads) * vision.head_dim;
  PartElements elements;
  switch (kind) {
    case StageKind::kPatches:
      elements[Part::kVisionPatches] =
          Checked(vision.channels) * vision.patch_size * vision.patch_size * hidden + hidden +
          Checked(patches_of_image(vision)) * hidden;
      break;
    case StageKind::kVisionLayer:
      elements[Part::kVisionAttention] = Checked(4) * hidden * heads;
      elements[Part::kVisionFeedForward] = Checked(2) * hidden * vision.intermediate;
      elements[Part::kVisionNormsAndBiases] =
          Checked(4) * hidden + Checked(3) * heads + hidden + vision.intermediate + hidden;
      break;
    default:
      elements[Part::kVisionNormsAndBiases] = Checked(2) * hidden;
      elements[Part::kConnector] =
          hidden * std::max<std::uint64_t>(1, vision.tokens_merged) * model.text.hidden;
  }
  return elements;
}

PartElements elements_of_stage(const Model& model, StageKind kind, const boards::ModelLayer& layer) {
  const TextModel& text = model.text;
  PartElements elements;
  switch (kind) {
    case StageKind::kEmbedding:
      elements[Part::kEmbedding] = Checked(text.vocabulary) * text.hidden;
      return elements;
    case StageKind::kOutput:
      elements[Part::kNorms] = text.hidden;
      if (!text.tied_embeddings) elements[Part::kLmHead] = Checked(text.vocabulary) * text.hidden;
      return elements;
    case StageKind::kLayer:
      return elements_of_layer(text, layer);
    default:
      return elements_of_vision_stage(model, kind);
  }
}

Result<StageWeights> stage_of(const Model& model, StageKind kind, const boards::ModelLayer& layer,
                              const NumberFormat& format) {
  const PartElements elements = elements_of_stage(model, kind, layer);
  StageWeights stage{.kind = kind, .layer = layer};
  for (std::size_t i = 0; i < kParts; ++i) {
    const auto part = static_cast<Part>(i);
    ACCELSCOPE_TRY(stage.bytes[part], bytes_of_part(model, name_of(part), elements[part], format));
    stage.elements[part] = elements[part].value_or(0);
    ACCELSCOPE_TRY(stage.total, sum_of(model, name_of(part), stage.total, stage.bytes[part]));
  }
  return stage;
}

base::Status add_up(const Model& model, Weights& weights) {
  Checked all;
  for (std::size_t i = 0; i < kParts; ++i) {
    const auto part = static_cast<Part>(i);
    Checked bytes;
    Checked elements;
    for (const StageWeights& stage : weights.stages) {
      bytes += Checked(static_cast<std::uint64_t>(stage.bytes[part].value)) * stage.count;
      elements += Checked(stage.elements[part]) * stage.count;
    }
    all += elements;
    constexpr std::uint64_t kMost = static_cast<std::uint64_t>(Bytes::max().value);
    if (!elements.fits() || !bytes.fits() || *bytes.value() > kMost)
      return base::fail(base::ErrorCode::kTooLarge, "{}: {} of all layers would need {}", model.nickname,
                        name_of(part), kTooLarge);
    weights.elements[part] = *elements.value();
    weights.bytes[part] = {static_cast<std::int64_t>(*bytes.value())};
    ACCELSCOPE_TRY(weights.total, sum_of(model, "all weights", weights.total, weights.bytes[part]));
  }
  weights.all_elements = all.value_or(0);
  return {};
}

// Layers that are alike become one stage; models have one or two kinds of them.
base::Status add_layers(const Model& model, const NumberFormat& format, Weights& weights) {
  const std::size_t first = weights.stages.size();
  for (const boards::ModelLayer& layer : model.text.layers) {
    std::size_t at = first;
    while (at < weights.stages.size() && !(weights.stages[at].layer == layer)) ++at;
    if (at < weights.stages.size()) {
      ++weights.stages[at].count;
    } else {
      ACCELSCOPE_TRY(const StageWeights stage, stage_of(model, StageKind::kLayer, layer, format));
      weights.stages.push_back(stage);
    }
    weights.layers.push_back(static_cast<std::uint32_t>(at));
  }
  return {};
}

}  // namespace

std::string_view name_of(Part part) {
  constexpr std::array<std::string_view, kParts> kNames{"embedding",
                                                        "query projections",
                                                        "key projections",
                                                        "value projections",
                                                        "output projections",
                                                        "feed-forward",
                                                        "router",
                                                        "experts",
                                                        "shared experts",
                                                        "norms",
                                                        "biases",
                                                        "lm_head",
                                                        "vision patches",
                                                        "vision attention",
                                                        "vision feed-forward",
                                                        "vision norms and biases",
                                                        "connector"};
  return kNames[static_cast<std::size_t>(part)];
}

std::string_view name_of(StageKind kind) {
  constexpr std::array<std::string_view, 6> kNames{"patches",   "vision layer", "connector",
                                                   "embedding", "layer",        "output"};
  return kNames[static_cast<std::size_t>(kind)];
}

const StageWeights* Weights::find(StageKind kind) const {
  for (const StageWeights& stage : stages)
    if (stage.kind == kind) return &stage;
  return nullptr;
}

Result<Weights> weights_of(const Model& model, const NumberFormat& format) {
  Weights weights;
  const auto add = [&](StageKind kind, std::uint64_t count) -> base::Status {
    ACCELSCOPE_TRY(StageWeights stage, stage_of(model, kind, {}, format));
    stage.count = count;
    weights.stages.push_back(stage);
    return {};
  };
  if (model.vision) {
    ACCELSCOPE_CHECK(add(StageKind::kPatches, 1));
    ACCELSCOPE_CHECK(add(StageKind::kVisionLayer, model.vision->layers));
    ACCELSCOPE_CHECK(add(StageKind::kConnector, 1));
  }
  ACCELSCOPE_CHECK(add(StageKind::kEmbedding, 1));
  ACCELSCOPE_CHECK(add_layers(model, format, weights));
  ACCELSCOPE_CHECK(add(StageKind::kOutput, 1));
  ACCELSCOPE_CHECK(add_up(model, weights));
  return weights;
}

Result<Bytes> kv_bytes(const Model& model, const NumberFormat& format, std::uint64_t context,
                       std::uint64_t batch) {
  if (model.text.diffusion) return Bytes{0};
  const TextModel& text = model.text;
  std::uint64_t sliding = 0;
  for (const boards::ModelLayer& layer : text.layers) sliding += has_sliding_window(text, layer) ? 1 : 0;
  const Checked token = kv_elements_of_token(text) * batch;
  constexpr std::string_view kPart = "keys and values";
  ACCELSCOPE_TRY(const Bytes full, bytes_of_part(model, kPart, token * context, format));
  ACCELSCOPE_TRY(const Bytes window,
                 bytes_of_part(model, kPart, token * std::min(context, text.sliding_window), format));
  const Checked all = Checked(static_cast<std::uint64_t>(full.value)) * (text.layers.size() - sliding) +
                      Checked(static_cast<std::uint64_t>(window.value)) * sliding;
  if (!all.fits() || *all.value() > static_cast<std::uint64_t>(Bytes::max().value))
    return base::fail(base::ErrorCode::kTooLarge, "{}: {} of all layers would need {}", model.nickname, kPart,
                      kTooLarge);
  return Bytes{static_cast<std::int64_t>(*all.value())};
}

std::uint64_t live_elements(const Model& model) {
  const TextModel& text = model.text;
  const Checked attention = (Checked(text.heads) + Checked(2) * text.kv_heads) * text.head_dim;
  const std::uint64_t between = text.gated ? 2 : 1;
  Checked widest = attention;
  const auto consider = [&](Checked elements) {
    widest = std::max(widest.value_or(UINT64_MAX), elements.value_or(UINT64_MAX));
  };
  for (const boards::ModelLayer& layer : text.layers) {
    if (layer.feed_forward == boards::FeedForwardKind::kDense || !text.experts)
      consider(Checked(between) * text.intermediate);
    else
      consider(Checked(between) * (Checked(text.experts->per_token) * text.experts->intermediate +
                                   text.experts->shared_intermediate));
  }
  return (Checked(2) * text.hidden + widest).value_or(UINT64_MAX);
}

Result<Bytes> activation_bytes(const Model& model, const NumberFormat& format, std::uint64_t prompt,
                               std::uint64_t batch) {
  const TextModel& text = model.text;
  const Checked prefill = Checked(live_elements(model)) * std::max<std::uint64_t>(1, prompt) * batch;
  const Checked rows = text.diffusion ? Checked(std::max<std::uint64_t>(1, prompt)) * batch : Checked(batch);
  const Checked output = (Checked(text.hidden) + text.vocabulary) * rows;
  ACCELSCOPE_TRY(const Bytes of_layers, bytes_of_part(model, "activations", prefill, format));
  ACCELSCOPE_TRY(const Bytes of_output, bytes_of_part(model, "activations of the output", output, format));
  return std::max(of_layers, of_output);
}

std::uint64_t patches_of_image(const boards::VisionTower& vision) {
  const std::uint64_t side = vision.patch_size == 0 ? 0 : vision.image_size / vision.patch_size;
  return (Checked(side) * side).value_or(UINT64_MAX);
}

std::uint64_t tokens_of_image(const Model& model) {
  if (!model.vision) return 0;
  return patches_of_image(*model.vision) / std::max<std::uint64_t>(1, model.vision->tokens_merged);
}

Result<Footprint> footprint_of(const Model& model, const Formats& formats, const Workload& workload,
                               Bytes weights) {
  Footprint footprint{.weights = weights};
  ACCELSCOPE_TRY(footprint.kv, kv_bytes(model, formats.kv, workload.context, workload.batch));
  ACCELSCOPE_TRY(const Bytes more, kv_bytes(model, formats.kv, workload.context + 1, workload.batch));
  footprint.kv_of_next_token = more - footprint.kv;
  // A diffusion model goes through the whole sequence in every step.
  const std::uint64_t together =
      model.text.diffusion ? workload.context : std::min(workload.prompt, workload.context);
  ACCELSCOPE_TRY(footprint.activations,
                 activation_bytes(model, formats.activations, together, workload.batch));
  ACCELSCOPE_TRY(const Bytes both, sum_of(model, "weights, keys and values", weights, footprint.kv));
  ACCELSCOPE_CHECK(sum_of(model, "weights, keys, values and activations", both, footprint.activations));
  return footprint;
}

Result<Footprint> footprint_of(const Model& model, const Formats& formats, const Workload& workload) {
  ACCELSCOPE_TRY(const Weights weights, weights_of(model, formats.weights));
  return footprint_of(model, formats, workload, weights.total);
}

}  // namespace accelscope::fit
