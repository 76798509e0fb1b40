#include "fit/pass_work.h"

#include <algorithm>

namespace accelscope::fit {
namespace {

using base::Bytes;
using base::Checked;
using base::divide_up;
using base::Result;
using boards::Model;
using boards::TextModel;

// Keys of one layer and head that each block of queries meets, as tiles of MLEN; the last tile of a block is
// charged whole, as the array works.
Checked tiles_of_prefill(std::uint64_t tokens, std::uint64_t side, std::uint64_t window, bool causal) {
  const std::uint64_t blocks = divide_up(tokens, side);
  if (!causal) return Checked(blocks) * blocks;
  const std::uint64_t most = window == 0 ? blocks : divide_up(window, side) + 1;
  const std::uint64_t rising = std::min(blocks, most);
  // 1 + 2 + ... + rising, halved where it is even.
  const Checked triangle =
      rising % 2 == 0 ? Checked(rising / 2) * (rising + 1) : Checked(rising) * ((rising + 1) / 2);
  return triangle + Checked(blocks - rising) * most;
}

// Tokens whose keys and values are read, when `held` tokens of a sequence at a time look at all before them.
Checked tokens_read(std::uint64_t tokens, std::uint64_t held, std::uint64_t window, bool causal) {
  const std::uint64_t block = std::max<std::uint64_t>(1, std::min(tokens, held));
  const std::uint64_t blocks = divide_up(tokens, block);
  if (!causal) return Checked(blocks) * tokens;
  const std::uint64_t reach =
      window == 0 ? tokens : std::min(tokens, (Checked(window) + block).value_or(UINT64_MAX));
  const std::uint64_t rising = std::min(blocks, reach / block);
  const Checked triangle =
      rising % 2 == 0 ? Checked(rising / 2) * (rising + 1) : Checked(rising) * ((rising + 1) / 2);
  return triangle * block + Checked(blocks - rising) * reach;
}

class Worker {
 public:
  Worker(const Model& model, const Weights& weights, const Machine& machine, const Pass& pass)
      : model_(model), weights_(weights), machine_(machine), pass_(pass), kernels_(machine) {
    const auto live = boards::bytes_of(live_elements(model), machine.vector_format);
    const std::int64_t of_token = live && live->value > 0 ? live->value : Bytes::max().value;
    held_ = std::max(machine.blen, static_cast<std::uint64_t>(machine.vector_sram.value / of_token));
  }

  Result<PassWork> work() {
    const Checked tokens = Checked(pass_.tokens) * pass_.batch;
    if (!tokens.fits()) return too_large("all sequences");
    tokens_ = *tokens.value();
    PassWork work;
    work.tokens_held = held_;
    std::uint32_t first_layer = 0;
    for (const StageWeights& stage : weights_.stages) {
      const bool is_vision = stage.kind == StageKind::kPatches || stage.kind == StageKind::kVisionLayer ||
                             stage.kind == StageKind::kConnector;
      if (is_vision && pass_.images == 0) continue;
      ACCELSCOPE_TRY(const StageWork done, work_of_stage(stage));
      const auto at = static_cast<std::uint32_t>(work.stages.size());
      work.stages.push_back(done);
      if (stage.kind != StageKind::kLayer) {
        if (stage.kind == StageKind::kOutput) add_layers(work, first_layer);
        work.order.insert(work.order.end(), stage.count, at);
      }
      if (stage.kind == StageKind::kEmbedding) first_layer = at + 1;
    }
    return work;
  }

 private:
  tl::unexpected<base::Error> too_large(std::string_view what) const {
    return base::fail(base::ErrorCode::kTooLarge, "{}: the work of {} does not fit 64 bits", model_.nickname,
                      what);
  }

  // Distinct layers stand behind the embedding, in the order in which the weights have them.
  void add_layers(PassWork& work, std::uint32_t first_layer) const {
    const auto embedding = static_cast<std::uint32_t>(
        std::find_if(weights_.stages.begin(), weights_.stages.end(),
                     [](const StageWeights& stage) { return stage.kind == StageKind::kEmbedding; }) -
        weights_.stages.begin());
    for (const std::uint32_t layer : weights_.layers)
      work.order.push_back(first_layer + layer - embedding - 1);
  }

  Result<Bytes> bytes(Checked elements, const boards::NumberFormat& format, std::string_view what) const {
    const auto size = elements.fits() ? boards::bytes_of(*elements.value(), format) : std::nullopt;
    if (!size) return too_large(what);
    return *size;
  }

  Result<StageWork> work_of_stage(const StageWeights& weights) {
    StageWork work{
        .kind = weights.kind, .layer = weights.layer, .stored = weights.total, .needed = weights.total};
    work.rounds = std::max<std::uint64_t>(1, divide_up(tokens_, held_));
    base::Status done;
    switch (weights.kind) {
      case StageKind::kEmbedding:
        done = embedding(work);
        break;
      case StageKind::kLayer:
        done = layer(weights, work);
        break;
      case StageKind::kOutput:
        done = output(work);
        break;
      default:
        vision(work);
    }
    if (!done) return tl::unexpected(done.error());
    if (!work.cycles.total().fits() || !work.cycles.macs.fits()) return too_large(name_of(weights.kind));
    return work;
  }

  base::Status embedding(StageWork& work) {
    work.rounds = 1;
    if (model_.text.tied_embeddings) work.stored = {};  // lies with the output
    ACCELSCOPE_TRY(work.needed, bytes(Checked(model_.text.vocabulary == 0 ? 0 : tokens_) * model_.text.hidden,
                                      machine_.formats.weights, "the embedding"));
    return {};
  }

  base::Status output(StageWork& work) {
    const TextModel& text = model_.text;
    const std::uint64_t rows = pass_.all_logits ? tokens_ : pass_.batch;
    work.rounds = std::max<std::uint64_t>(1, divide_up(rows, held_));
    work.cycles = kernels_.rms_norm(rows, text.hidden) + kernels_.product(rows, text.hidden, text.vocabulary);
    if (text.tied_embeddings) {
      const StageWeights* const table = weights_.find(StageKind::kEmbedding);
      work.stored = work.needed = work.stored + (table == nullptr ? Bytes{} : table->total);
    }
    return {};
  }

  base::Status layer(const StageWeights& weights, StageWork& work) {
    const TextModel& text = model_.text;
    const std::uint64_t query = text.heads * text.head_dim;
    const std::uint64_t key = text.kv_heads * text.head_dim;
    UnitCycles& cycles = work.cycles;
    cycles += kernels_.rms_norm(tokens_, text.hidden) * 2;
    cycles += kernels_.product(tokens_, text.hidden, query) + kernels_.product(tokens_, text.hidden, key) * 2;
    cycles += kernels_.rotation(tokens_, query + key);
    if (text.attention_bias) cycles += kernels_.addition(tokens_, query + 2 * key);
    cycles += attention(weights.layer);
    cycles += kernels_.product(tokens_, query, text.hidden);
    if (text.output_bias) cycles += kernels_.addition(tokens_, text.hidden);
    cycles += kernels_.addition(tokens_, text.hidden) * 2;  // the residuals
    if (weights.layer.feed_forward == boards::FeedForwardKind::kDense || !text.experts) {
      cycles += feed_forward(tokens_, text.intermediate);
    } else {
      ACCELSCOPE_CHECK(experts(weights, work));
    }
    return traffic(weights.layer, work);
  }

  UnitCycles feed_forward(std::uint64_t tokens, std::uint64_t width) const {
    const TextModel& text = model_.text;
    UnitCycles cycles = kernels_.product(tokens, text.hidden, width) * (text.gated ? 2 : 1);
    cycles += kernels_.product(tokens, width, text.hidden);
    cycles += kernels_.silu(tokens, width, text.gated);
    if (text.feed_forward_bias)
      cycles +=
          kernels_.addition(tokens, width) * (text.gated ? 2 : 1) + kernels_.addition(tokens, text.hidden);
    return cycles;
  }

  // As many different experts as there can be: nobody knows which ones before the model runs.
  base::Status experts(const StageWeights& weights, StageWork& work) const {
    const TextModel& text = model_.text;
    const boards::Experts& experts = *text.experts;
    const Checked asked = Checked(tokens_) * experts.per_token;
    if (!asked.fits()) return too_large("the experts");
    const std::uint64_t met = std::max<std::uint64_t>(1, std::min(experts.count, *asked.value()));
    work.cycles += kernels_.product(tokens_, text.hidden, experts.count);
    work.cycles += kernels_.routing(tokens_, experts.count, experts.per_token, text.hidden);
    work.cycles += feed_forward(divide_up(*asked.value(), met), experts.intermediate) * met;
    if (experts.shared_intermediate > 0) work.cycles += feed_forward(tokens_, experts.shared_intermediate);
    const std::uint64_t of_expert =
        weights.elements[Part::kExperts] / std::max<std::uint64_t>(1, experts.count);
    ACCELSCOPE_TRY(const Bytes of_met,
                   bytes(Checked(of_expert) * met, machine_.formats.weights, "the experts"));
    work.needed = work.stored - weights.bytes[Part::kExperts] + of_met;
    return {};
  }

  std::uint64_t window_of(const boards::ModelLayer& layer) const {
    return layer.attention == boards::AttentionKind::kSliding ? model_.text.sliding_window : 0;
  }

  UnitCycles attention(const boards::ModelLayer& layer) const {
    const TextModel& text = model_.text;
    const std::uint64_t group = text.kv_heads == 0 ? 0 : text.heads / text.kv_heads;
    const std::uint64_t window = window_of(layer);
    const std::uint64_t mlen = machine_.mlen;
    const Checked heads = Checked(text.kv_heads) * pass_.batch;
    if (pass_.tokens > 1) {
      const std::uint64_t side = std::min(mlen, pass_.tokens);
      const Checked tiles = tiles_of_prefill(pass_.tokens, side, window, pass_.causal);
      return kernels_.attention_tile(group * side, side, text.head_dim) * (tiles * heads) +
             kernels_.attention_end(group, text.head_dim) * (heads * pass_.tokens);
    }
    const std::uint64_t seen = window == 0 ? pass_.context : std::min(window, pass_.context);
    UnitCycles cycles = kernels_.attention_tile(group, mlen, text.head_dim) * (seen / mlen);
    if (seen % mlen != 0) cycles += kernels_.attention_tile(group, seen % mlen, text.head_dim);
    cycles += kernels_.attention_end(group, text.head_dim);
    return cycles * heads;
  }

  base::Status traffic(const boards::ModelLayer& layer, StageWork& work) const {
    const TextModel& text = model_.text;
    const std::uint64_t window = window_of(layer);
    const Checked of_token = Checked(2) * text.kv_heads * text.head_dim * pass_.batch;
    const Checked read = pass_.tokens > 1 ? tokens_read(pass_.tokens, held_, window, pass_.causal)
                         : window == 0    ? Checked(pass_.context)
                                          : Checked(std::min(window, pass_.context));
    constexpr std::string_view kWhat = "keys and values";
    ACCELSCOPE_TRY(work.kv_read, bytes(of_token * read, machine_.formats.kv, kWhat));
    ACCELSCOPE_TRY(work.kv_written, bytes(of_token * pass_.tokens, machine_.formats.kv, kWhat));
    if (work.rounds == 1) return {};
    ACCELSCOPE_TRY(work.activations,
                   bytes(Checked(2) * tokens_ * text.hidden, machine_.formats.activations, "activations"));
    return {};
  }

  void vision(StageWork& work) const {
    const boards::VisionTower& tower = *model_.vision;
    const std::uint64_t patches = patches_of_image(tower);
    const Checked images = Checked(pass_.images) * pass_.batch;
    const std::uint64_t inner = tower.heads * tower.head_dim;
    UnitCycles cycles;  // of one image
    if (work.kind == StageKind::kPatches) {
      cycles = kernels_.product(patches, tower.channels * tower.patch_size * tower.patch_size, tower.hidden) +
               kernels_.addition(patches, tower.hidden) * 2;
    } else if (work.kind == StageKind::kVisionLayer) {
      const std::uint64_t side = std::min(machine_.mlen, std::max<std::uint64_t>(1, patches));
      const Checked tiles = tiles_of_prefill(patches, side, 0, false);
      cycles = kernels_.layer_norm(patches, tower.hidden) * 2 +
               kernels_.product(patches, tower.hidden, inner) * 3 + kernels_.addition(patches, inner) * 3 +
               kernels_.attention_tile(side, side, tower.head_dim) * (tiles * tower.heads) +
               kernels_.attention_end(patches, tower.head_dim) * tower.heads +
               kernels_.product(patches, inner, tower.hidden) + kernels_.addition(patches, tower.hidden) * 4 +
               kernels_.product(patches, tower.hidden, tower.intermediate) +
               kernels_.addition(patches, tower.intermediate) + kernels_.gelu(patches, tower.intermediate) +
               kernels_.product(patches, tower.intermediate, tower.hidden);
    } else {
      const std::uint64_t merged = std::max<std::uint64_t>(1, tower.tokens_merged);
      cycles = kernels_.layer_norm(patches, tower.hidden) +
               kernels_.product(patches / merged, tower.hidden * merged, model_.text.hidden);
    }
    work.cycles = cycles * images;
    // The tower's rows are as wide as the text model's at most; whole images go through one behind the other.
    work.rounds = std::max<std::uint64_t>(
        1, divide_up((images * patches).value_or(UINT64_MAX), std::max(held_, std::uint64_t{1})));
  }

  const Model& model_;
  const Weights& weights_;
  const Machine& machine_;
  const Pass& pass_;
  KernelCycles kernels_;
  std::uint64_t tokens_ = 0;
  std::uint64_t held_ = 1;
};

}  // namespace

Pass prefill_pass(const Model& model, const Workload& workload) {
  const std::uint64_t tokens =
      model.text.diffusion ? workload.context : std::max<std::uint64_t>(1, workload.prompt);
  return {.tokens = tokens,
          .context = tokens,
          .batch = workload.batch,
          .images = workload.images,
          .causal = !model.text.diffusion,
          .all_logits = model.text.diffusion};
}

Pass decode_pass(const Model& model, const Workload& workload) {
  if (model.text.diffusion) {
    Pass pass = prefill_pass(model, workload);
    pass.images = 0;
    return pass;
  }
  return {.tokens = 1, .context = std::max<std::uint64_t>(1, workload.context), .batch = workload.batch};
}

std::uint64_t PassWork::count(StageKind kind) const {
  return static_cast<std::uint64_t>(std::count_if(
      order.begin(), order.end(), [&](std::uint32_t stage) { return stages[stage].kind == kind; }));
}

Result<PassWork> work_of(const Model& model, const Weights& weights, const Machine& machine,
                         const Pass& pass) {
  return Worker(model, weights, machine, pass).work();
}

}  // namespace accelscope::fit
