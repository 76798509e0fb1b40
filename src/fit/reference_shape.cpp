#include "fit/reference_shape.h"

namespace accelscope::fit {

using base::ErrorCode;

ReferenceLayers layers_of(const boards::TextModel& model) {
  ReferenceLayers layers{.all = model.layers.size()};
  for (const boards::ModelLayer& layer : model.layers) {
    if (layer.attention == boards::AttentionKind::kSliding) ++layers.sliding;
    if (layer.feed_forward == boards::FeedForwardKind::kExperts) ++layers.experts;
  }
  return layers;
}

base::Status check_needed(std::initializer_list<NeededValue> values) {
  for (const NeededValue& needed : values) {
    if (needed.value == 0)
      return base::fail(ErrorCode::kUsage, "the reference's analytic models need {}, and it is 0",
                        needed.name);
  }
  return {};
}

base::Result<ReferenceShape> reference_shape(const boards::TextModel& model) {
  const ReferenceLayers layers = layers_of(model);
  const boards::Experts experts = model.experts.value_or(boards::Experts{});
  ACCELSCOPE_CHECK(check_needed({{"hidden_size", model.hidden},
                                 {"num_attention_heads", model.heads},
                                 {"num_key_value_heads", model.kv_heads},
                                 {"num_hidden_layers", layers.all}}));
  if (model.kv_heads > model.heads)
    return base::fail(ErrorCode::kMalformed, "there are more key and value heads ({}) than heads ({})",
                      model.kv_heads, model.heads);
  if (layers.experts < layers.all)
    ACCELSCOPE_CHECK(check_needed({{"intermediate_size", model.intermediate}}));
  if (layers.sliding > 0) ACCELSCOPE_CHECK(check_needed({{"sliding_window", model.sliding_window}}));
  if (layers.experts > 0)
    ACCELSCOPE_CHECK(check_needed({{"num_local_experts", experts.count},
                                   {"experts_per_token", experts.per_token},
                                   {"the intermediate size of an expert", experts.intermediate}}));
  const std::uint64_t head_dim = model.head_dim > 0 ? model.head_dim : model.hidden / model.heads;
  ACCELSCOPE_CHECK(check_needed({{"head_dim", head_dim}}));
  return ReferenceShape{.hidden = model.hidden,
                        .intermediate = layers.experts < layers.all ? model.intermediate : 0,
                        .heads = model.heads,
                        .kv_heads = model.kv_heads,
                        .head_dim = head_dim,
                        .vocabulary = model.vocabulary,
                        .sliding_window = model.sliding_window,
                        .experts = experts.count,
                        .experts_per_token = experts.per_token,
                        .expert_intermediate = experts.intermediate};
}

base::Result<ReferenceShape> reference_shape_in_memory(const boards::TextModel& model, std::uint64_t batch,
                                                       std::uint64_t input_tokens) {
  ACCELSCOPE_CHECK(check_needed({{"a batch", batch}, {"tokens in the prompt", input_tokens}}));
  ACCELSCOPE_TRY(const ReferenceShape shape, reference_shape(model));
  ACCELSCOPE_CHECK(check_needed({{"vocab_size", shape.vocabulary}}));
  return shape;
}

}  // namespace accelscope::fit
