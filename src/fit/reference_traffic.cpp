#include "fit/reference_traffic.h"

#include <algorithm>

#include "fit/reference_shape.h"
#include "fit/reference_sizes.h"

namespace accelscope::fit {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::uint64_t kTrafficClockHz = 1'000'000'000;

struct Moved {
  Count read;
  Count written;

  friend Moved operator+(const Moved& a, const Moved& b) { return {a.read + b.read, a.written + b.written}; }
};

// One pass: a prompt, or one decoded token of every sequence.
struct TrafficPass {
  bool prompt = true;
  std::uint64_t batch = 1;
  std::uint64_t tokens = 1;  // of each sequence
  std::uint64_t kv = 1;      // keys that they see
  bool on_chip = false;      // activations stay there
  bool flash = true;

  Count all() const { return Count(batch) * tokens; }
};

// What the parts of one layer move.
class LayerTraffic {
 public:
  LayerTraffic(const ReferenceShape& shape, const boards::SettingsPrecision& formats, SizeBook& book)
      : shape_(shape), formats_(formats), book_(book) {}

  Moved embedding(const TrafficPass& pass) const {
    if (!pass.prompt) return {};
    const Count rows = activations("the embedding", pass.all() * shape_.hidden);
    return {rows, rows};
  }

  Moved qkv(const TrafficPass& pass) const {
    const Count matrices =
        weights("q, k and v", Count(shape_.hidden) * query() + Count(2) * shape_.hidden * key());
    const Count stored = keys_and_values(pass.all());
    if (!pass.prompt) return {matrices, stored};
    const Count rows = activations("q, k and v", pass.all() * shape_.hidden);
    return {rows + matrices, rows + stored};
  }

  Moved attention(const TrafficPass& pass, bool sliding) const {
    const Count seen = sliding ? smaller(pass.kv, shape_.sliding_window) : Count(pass.kv);
    const Count rows = activations("attention", pass.all() * query());
    Moved moved{keys_and_values(seen * pass.batch), rows};
    if (pass.prompt || !pass.on_chip) moved.read += rows;
    if (pass.flash) return moved;
    const Count scores = Count(2) * activations("the scores", pass.all() * shape_.heads * seen);
    return moved + Moved{scores, scores};
  }

  Moved output_projection(const TrafficPass& pass) const {
    const Count matrix = weights("the output projection", query() * shape_.hidden);
    if (!pass.prompt && pass.on_chip) return {matrix, 0};
    return {matrix + activations("the output projection", pass.all() * query()),
            activations("the output projection", pass.all() * shape_.hidden)};
  }

  Moved feed_forward(const TrafficPass& pass) const {
    return Moved{weights("the feed-forward part", Count(3) * shape_.hidden * shape_.intermediate), 0} +
           between(pass, shape_.intermediate);
  }

  Moved experts(const TrafficPass& pass) const {
    const Count used = shape_.experts_per_token;
    const Count router = weights("the router", Count(shape_.hidden) * shape_.experts);
    const Count matrices = weights("an expert", Count(3) * shape_.hidden * shape_.expert_intermediate);
    const Moved once = between(pass, shape_.expert_intermediate);
    return {router + used * (matrices + once.read), used * once.written};
  }

  Moved output_layer() const {
    return {weights("the output layer", Count(shape_.hidden) * shape_.vocabulary), 0};
  }

 private:
  Count query() const { return Count(shape_.heads) * shape_.head_dim; }
  Count key() const { return Count(shape_.kv_heads) * shape_.head_dim; }
  Count weights(std::string_view what, Count elements) const {
    return book_.of(what, elements, formats_.matrix_weights);
  }
  Count activations(std::string_view what, Count elements) const {
    return book_.of(what, elements, formats_.vector_activations);
  }
  Count keys_and_values(Count tokens) const {
    return book_.of("keys and values", tokens * 2 * key(), formats_.matrix_kv);
  }
  // Activations of a feed-forward part: in twice, gate and up out, their product in, and out.
  Moved between(const TrafficPass& pass, std::uint64_t intermediate) const {
    if (!pass.prompt && pass.on_chip) return {};
    const Count rows = activations("the feed-forward part", pass.all() * shape_.hidden);
    const Count inner = activations("the feed-forward part", pass.all() * intermediate);
    return {Count(2) * rows + inner, Count(2) * inner + rows};
  }

  const ReferenceShape& shape_;
  const boards::SettingsPrecision& formats_;
  SizeBook& book_;
};

bool stays_on_chip(const ReferenceShape& shape, const boards::SettingsTree& tree, std::uint64_t batch,
                   SizeBook& book) {
  const Count memory = book.of("the vector memory", Count(tree.config.vector_sram_rows) * tree.config.vlen,
                               tree.precision.vector_sram);
  const Count token = book.of("a token's activations", Count(shape.heads) * shape.head_dim + shape.hidden,
                              tree.precision.vector_activations);
  const std::optional<std::int64_t> room = (memory / token).as_int64();
  return room && batch < static_cast<std::uint64_t>(*room);
}

// Gathers the parts of both passes.
class TrafficBuilder {
 public:
  explicit TrafficBuilder(SizeBook& book) : book_(book) {}

  void add(std::string_view name, const Moved& prefill, const Moved& decode, std::uint64_t layers = 1) {
    if (layers == 0) return;
    const Moved in_all{prefill.read * layers, prefill.written * layers};
    const Moved of_token{decode.read * layers, decode.written * layers};
    result_.parts.push_back({name, exact(name, in_all), exact(name, of_token)});
    prefill_ = prefill_ + in_all;
    decode_ = decode_ + of_token;
  }

  Result<ReferenceTraffic> finish() {
    result_.prefill = exact("a prompt", prefill_);
    result_.decode = exact("a token", decode_);
    // Sums of both directions are asked for, too.
    book_.exact("a prompt", prefill_.read + prefill_.written);
    book_.exact("a token", decode_.read + decode_.written);
    ACCELSCOPE_CHECK(book_.status());
    return std::move(result_);
  }

 private:
  Traffic exact(std::string_view name, const Moved& moved) {
    return {book_.exact(name, moved.read), book_.exact(name, moved.written)};
  }

  SizeBook& book_;
  ReferenceTraffic result_;
  Moved prefill_;
  Moved decode_;
};

}  // namespace

Result<ReferenceTraffic> reference_traffic(const boards::TextModel& model, const boards::SettingsTree& tree,
                                           const MemoryWorkload& workload) {
  ACCELSCOPE_TRY(const ReferenceShape shape,
                 reference_shape_in_memory(model, workload.batch, workload.input_tokens));
  const ReferenceLayers layers = layers_of(model);
  SizeBook book;
  const LayerTraffic layer(shape, tree.precision, book);
  const TrafficPass prompt{.prompt = true,
                           .batch = workload.batch,
                           .tokens = workload.input_tokens,
                           .kv = workload.input_tokens,
                           .flash = workload.flash_attention};
  const TrafficPass token{.prompt = false,
                          .batch = workload.batch,
                          .tokens = 1,
                          .kv = workload.input_tokens,
                          .on_chip = stays_on_chip(shape, tree, workload.batch, book),
                          .flash = workload.flash_attention};
  TrafficBuilder traffic(book);
  traffic.add("embedding", layer.embedding(prompt), layer.embedding(token));
  traffic.add("qkv", layer.qkv(prompt), layer.qkv(token), layers.all);
  traffic.add("attention", layer.attention(prompt, false), layer.attention(token, false),
              layers.all - layers.sliding);
  traffic.add("sliding_attention", layer.attention(prompt, true), layer.attention(token, true),
              layers.sliding);
  traffic.add("output_projection", layer.output_projection(prompt), layer.output_projection(token),
              layers.all);
  traffic.add("ffn", layer.feed_forward(prompt), layer.feed_forward(token), layers.all - layers.experts);
  traffic.add("moe", layer.experts(prompt), layer.experts(token), layers.experts);
  traffic.add("lm_head", layer.output_layer(), layer.output_layer());
  return traffic.finish();
}

Result<base::BytesPerSecond> reference_peak_bandwidth(const boards::SettingsTree& tree) {
  ACCELSCOPE_CHECK(check_needed({{"HBM_WIDTH", tree.config.hbm_width_bits}}));
  const std::optional<std::int64_t> peak =
      (Count(tree.config.hbm_width_bits) * kTrafficClockHz / 8).as_int64();
  if (!peak)
    return base::fail(ErrorCode::kTooLarge, "HBM_WIDTH {}: the bytes a second do not fit 63 bits",
                      tree.config.hbm_width_bits);
  return base::BytesPerSecond{*peak};
}

std::optional<double> bandwidth_utilisation(base::Bytes moved, double seconds, base::BytesPerSecond peak) {
  if (!(seconds > 0) || peak.value <= 0) return std::nullopt;
  return static_cast<double>(moved.value) / seconds / static_cast<double>(peak.value);
}

Result<ReferenceRoofline> reference_roofline(const boards::TextModel& model, const boards::SettingsTree& tree,
                                             std::uint64_t input_tokens, base::Bytes moved, double seconds) {
  ACCELSCOPE_TRY(const ReferenceShape shape, reference_shape(model));
  ACCELSCOPE_TRY(const base::BytesPerSecond peak, reference_peak_bandwidth(tree));
  ACCELSCOPE_CHECK(check_needed({{"MLEN", tree.config.mlen}, {"tokens in the prompt", input_tokens}}));
  if (moved.value <= 0 || !(seconds > 0))
    return base::fail(ErrorCode::kUsage, "a roofline needs bytes and seconds above zero");
  const auto tokens = static_cast<double>(input_tokens);
  const auto hidden = static_cast<double>(shape.hidden);
  const auto inner =
      static_cast<double>(shape.intermediate > 0 ? shape.intermediate : shape.expert_intermediate);
  ReferenceRoofline result;
  result.flops = 8 * tokens * hidden * hidden + 4 * tokens * tokens * hidden + 6 * tokens * hidden * inner +
                 4 * tokens * hidden;
  result.peak_flops = 2 * static_cast<double>(tree.config.mlen) * static_cast<double>(kTrafficClockHz);
  result.peak_bytes = static_cast<double>(peak.value);
  result.ridge = result.peak_flops / result.peak_bytes;
  result.intensity = result.flops / static_cast<double>(moved.value);
  result.ceiling = std::min(result.peak_flops, result.intensity * result.peak_bytes);
  result.efficiency = result.flops / seconds / result.ceiling;
  return result;
}

}  // namespace accelscope::fit
