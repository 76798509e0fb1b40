#include "fit/reference_footprint.h"

#include "fit/reference_shape.h"
#include "fit/reference_sizes.h"

namespace accelscope::fit {
namespace {

constexpr std::uint64_t kActivationCopies = 4;

}  // namespace

base::Result<ReferenceFootprint> reference_footprint(const boards::TextModel& model,
                                                     const boards::SettingsTree& tree,
                                                     const MemoryWorkload& workload) {
  ACCELSCOPE_TRY(const ReferenceShape shape,
                 reference_shape_in_memory(model, workload.batch, workload.input_tokens));
  const ReferenceLayers layers = layers_of(model);
  const boards::SettingsPrecision& formats = tree.precision;
  const Count hidden = shape.hidden;
  const Count query = Count(shape.heads) * shape.head_dim;
  const Count key = Count(shape.kv_heads) * shape.head_dim;
  SizeBook book;
  const auto weights = [&](std::string_view what, Count elements, std::uint64_t times) {
    return book.exact(what, book.of(what, elements, formats.matrix_weights) * times);
  };
  ReferenceFootprint result;
  result.embedding = weights("the embedding", Count(shape.vocabulary) * hidden, 1);
  result.attention =
      weights("attention", hidden * query + Count(2) * hidden * key + query * hidden, layers.all);
  result.feed_forward =
      weights("the feed-forward parts", Count(3) * hidden * shape.intermediate, layers.all - layers.experts);
  result.router = weights("the routers", hidden * shape.experts, layers.experts);
  result.experts =
      weights("the experts", Count(3) * hidden * shape.expert_intermediate * shape.experts, layers.experts);
  result.norms = weights("the norms", Count(2) * hidden, layers.all);
  result.output_layer = weights("the output layer", hidden * shape.vocabulary, model.tied_embeddings ? 0 : 1);
  const Count tokens = Count(workload.input_tokens) + workload.output_tokens;
  const Count kv = book.of("keys and values", Count(2) * key * tokens * workload.batch, formats.matrix_kv);
  result.kv_per_layer = book.exact("keys and values", kv);
  result.kv = book.exact("keys and values", kv * layers.all);
  result.activations = book.exact(
      "the activations", book.of("the activations", Count(workload.batch) * workload.input_tokens * hidden,
                                 formats.vector_activations) *
                             kActivationCopies);
  Count all = 0;
  for (const base::Bytes part : {result.embedding, result.attention, result.feed_forward, result.router,
                                 result.experts, result.norms, result.output_layer})
    all += static_cast<std::uint64_t>(part.value);
  result.weights = book.exact("all weights", all);
  all += static_cast<std::uint64_t>(result.kv.value);
  all += static_cast<std::uint64_t>(result.activations.value);
  result.required = book.exact("everything together", all);
  result.capacity = tree.config.hbm_size;
  ACCELSCOPE_CHECK(book.status());
  return result;
}

}  // namespace accelscope::fit
