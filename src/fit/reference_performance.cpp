#include "fit/reference_performance.h"

#include <algorithm>
#include <array>

#include "fit/reference_parts.h"

namespace accelscope::fit {
namespace {

using base::ErrorCode;
using base::Result;
using Kind = ReferencePartKind;

constexpr std::uint64_t kDoubled = 2;  // what the reference multiplies decoding by

Result<std::uint64_t> device_batch(std::uint64_t batch, std::uint64_t devices) {
  ACCELSCOPE_CHECK(check_needed({{"a batch", batch}, {"devices", devices}}));
  if (devices > batch)
    return base::fail(ErrorCode::kUsage,
                      "the reference gives every device batch / devices sequences, and {} / {} is none",
                      batch, devices);
  return batch / devices;
}

// Gathers the parts of a phase, and remembers the first that does not fit.
class PhaseBuilder {
 public:
  explicit PhaseBuilder(std::string_view name) : name_(name) {}

  // `each`: of one instance; `passes`: how often all instances are gone through.
  void add(Kind kind, std::uint64_t instances, Count each, Count passes = 1) {
    if (instances == 0) return;
    const Count cycles = each * instances * passes;
    const std::optional<std::int64_t> exact = cycles.as_int64();
    if (!exact && !too_large_) too_large_ = kind;
    phase_.parts.push_back({kind, instances, base::Cycles{exact.value_or(0)}});
    total_ += cycles;
  }

  Result<ReferencePhase> finish() {
    if (too_large_)
      return base::fail(ErrorCode::kTooLarge, "{}: the cycles of {} do not fit 63 bits", name_,
                        fit::name_of(*too_large_));
    const std::optional<std::int64_t> total = total_.as_int64();
    if (!total)
      return base::fail(ErrorCode::kTooLarge, "{}: the cycles of all parts together do not fit 63 bits",
                        name_);
    phase_.total = base::Cycles{*total};
    return std::move(phase_);
  }

 private:
  std::string_view name_;
  ReferencePhase phase_;
  Count total_;
  std::optional<Kind> too_large_;
};

// Everything that the phases of a model share.
struct Subject {
  ReferenceMachine machine;
  ReferenceShape shape;
  ReferenceLayers layers;
  ReferenceScript script = ReferenceScript::kLlama;

  std::uint64_t residuals() const { return script == ReferenceScript::kGptOss ? layers.all * 2 : layers.all; }
};

Result<Subject> subject_of(const boards::TextModel& model, const boards::SettingsTree& tree,
                           ReferenceScript script) {
  Subject subject{.machine = {}, .shape = {}, .layers = layers_of(model), .script = script};
  ACCELSCOPE_TRY(subject.machine, reference_machine(tree));
  ACCELSCOPE_TRY(subject.shape, reference_shape(model));
  // The reference's script for LLaMA does not look at a head dimension that a model gives.
  if (script != ReferenceScript::kGptOss) subject.shape.head_dim = model.hidden / model.heads;
  ACCELSCOPE_CHECK(check_needed({{"hidden_size / num_attention_heads", subject.shape.head_dim}}));
  if (script != ReferenceScript::kLlama)
    ACCELSCOPE_CHECK(check_needed({{"vocab_size", subject.shape.vocabulary}}));
  return subject;
}

void add_prompt(const Subject& of, const ReferenceTokens& prompt, PhaseBuilder& phase) {
  const std::uint64_t layers = of.layers.all;
  phase.add(Kind::kEmbeddings, 1, embeddings(of.machine, of.shape, prompt));
  phase.add(Kind::kRms, layers * 2, rms_norm(of.machine, of.shape, prompt));
  phase.add(Kind::kProjection, layers, projection(of.machine, of.shape, prompt));
  phase.add(Kind::kAttention, layers - of.layers.sliding, attention_prefill(of.machine, of.shape, prompt));
  phase.add(Kind::kSlidingAttention, of.layers.sliding, sliding_prefill(of.machine, of.shape, prompt));
  phase.add(Kind::kResidual, of.residuals(), residual(of.machine, of.shape, prompt));
  phase.add(Kind::kFeedForward, layers - of.layers.experts, feed_forward(of.machine, of.shape, prompt));
  phase.add(Kind::kExperts, of.layers.experts, experts_prefill(of.machine, of.shape, prompt));
}

Result<ReferencePhase> prefill_phase(const Subject& of, const ReferenceTokens& prompt) {
  PhaseBuilder phase("prefill");
  add_prompt(of, prompt, phase);
  if (of.script == ReferenceScript::kGptOss)
    phase.add(Kind::kOutputLayer, 1, output_layer(of.machine, of.shape, prompt.batch));
  return phase.finish();
}

Result<ReferencePhase> decode_phase(const Subject& of, std::uint64_t batch, std::uint64_t first_kv,
                                    std::uint64_t decoded) {
  const ReferenceTokens token{.batch = batch, .tokens = 1, .prompt = false};
  const std::uint64_t layers = of.layers.all;
  const Count passes = Count(kDoubled) * decoded;
  PhaseBuilder phase("decoding");
  phase.add(Kind::kRms, layers * 2, rms_norm(of.machine, of.shape, token), passes);
  phase.add(Kind::kProjection, layers, projection(of.machine, of.shape, token), passes);
  // These two are sums over the tokens already.
  phase.add(Kind::kAttention, layers - of.layers.sliding,
            attention_decode(of.machine, of.shape, batch, first_kv, decoded), kDoubled);
  phase.add(Kind::kSlidingAttention, of.layers.sliding,
            sliding_decode(of.machine, of.shape, batch, first_kv, decoded), kDoubled);
  phase.add(Kind::kResidual, of.residuals(), residual(of.machine, of.shape, token), passes);
  phase.add(Kind::kFeedForward, layers - of.layers.experts, feed_forward(of.machine, of.shape, token),
            passes);
  phase.add(Kind::kExperts, of.layers.experts, experts_decode(of.machine, of.shape, batch), passes);
  return phase.finish();
}

double seconds(base::Cycles cycles) {
  return static_cast<double>(cycles.value) / kReferenceClockHz;
}

double product(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(a) * static_cast<double>(b);
}

}  // namespace

std::string_view name_of(ReferenceScript script) {
  constexpr std::array<std::string_view, 3> kNames{"llama", "gpt-oss", "llada"};
  return kNames[static_cast<std::size_t>(script)];
}

std::string_view name_of(ReferencePartKind kind) {
  constexpr std::array<std::string_view, 10> kNames{
      "embeddings", "rms", "projection", "attention", "sliding_attention",
      "residual",   "ffn", "moe",        "lm_head",   "softmax"};
  return kNames[static_cast<std::size_t>(kind)];
}

ReferenceScript script_for(const boards::TextModel& model) {
  if (model.diffusion) return ReferenceScript::kLlada;
  const ReferenceLayers layers = layers_of(model);
  return layers.experts > 0 || layers.sliding > 0 ? ReferenceScript::kGptOss : ReferenceScript::kLlama;
}

base::Cycles ReferencePhase::cycles_of(ReferencePartKind kind) const {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const ReferencePart& part) { return part.kind == kind; });
  return found == parts.end() ? base::Cycles{} : found->cycles;
}

double ReferencePhase::share_of(ReferencePartKind kind) const {
  if (total.value == 0) return 0;
  return static_cast<double>(cycles_of(kind).value) / static_cast<double>(total.value);
}

Result<ReferencePerformance> reference_performance(const boards::TextModel& model,
                                                   const boards::SettingsTree& tree,
                                                   const PerformanceWorkload& workload) {
  ACCELSCOPE_CHECK(check_needed(
      {{"tokens in the prompt", workload.input_tokens}, {"tokens to decode", workload.output_tokens}}));
  ReferencePerformance result;
  const ReferenceScript script = script_for(model);
  result.script = script == ReferenceScript::kLlada ? ReferenceScript::kLlama : script;
  ACCELSCOPE_TRY(const Subject subject, subject_of(model, tree, result.script));
  ACCELSCOPE_TRY(result.device_batch, device_batch(workload.batch, workload.devices));
  const std::uint64_t batch = result.device_batch;
  ACCELSCOPE_TRY(result.prefill, prefill_phase(subject, {batch, workload.input_tokens, true}));
  ACCELSCOPE_TRY(result.first_token, decode_phase(subject, batch, workload.input_tokens, 1));
  ACCELSCOPE_TRY(result.decode, decode_phase(subject, batch, workload.input_tokens, workload.output_tokens));
  const auto first = base::checked_add(result.prefill.total.value, result.first_token.total.value);
  if (!first) return base::fail(ErrorCode::kTooLarge, "the cycles to the first token do not fit 63 bits");
  result.ttft_seconds = seconds(base::Cycles{*first}) / static_cast<double>(workload.devices);
  result.tokens_per_second = product(workload.batch, workload.output_tokens) / seconds(result.decode.total);
  return result;
}

Result<ReferenceDiffusion> reference_diffusion(const boards::TextModel& model,
                                               const boards::SettingsTree& tree,
                                               const DiffusionWorkload& workload) {
  ACCELSCOPE_CHECK(
      check_needed({{"tokens in the sequence", workload.sequence}, {"diffusion steps", workload.steps}}));
  ReferenceDiffusion result;
  ACCELSCOPE_TRY(const Subject subject, subject_of(model, tree, ReferenceScript::kLlada));
  ACCELSCOPE_TRY(result.device_batch, device_batch(workload.batch, workload.devices));
  const ReferenceTokens tokens{result.device_batch, workload.sequence, true};
  PhaseBuilder step("a diffusion step");
  add_prompt(subject, tokens, step);
  step.add(Kind::kOutputLayer, 1, output_layer(subject.machine, subject.shape, tokens.all()));
  step.add(Kind::kOutputSoftmax, 1, output_softmax(subject.machine, subject.shape, tokens));
  ACCELSCOPE_TRY(result.step, step.finish());
  const std::optional<std::int64_t> total =
      (Count(static_cast<std::uint64_t>(result.step.total.value)) * workload.steps).as_int64();
  if (!total)
    return base::fail(ErrorCode::kTooLarge, "the cycles of {} diffusion steps do not fit 63 bits",
                      workload.steps);
  result.total = base::Cycles{*total};
  result.total_seconds = seconds(result.total) / static_cast<double>(workload.devices);
  result.tokens_per_second = product(workload.batch, workload.sequence) / result.total_seconds;
  return result;
}

}  // namespace accelscope::fit
