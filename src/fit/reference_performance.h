// The reference's model of time to the first token and tokens a second, number for number. It knows cycles
// of instructions and nothing else: no bandwidth, no capacity.
//
// What it leaves out or doubles is kept, because that is what its figures are: no output projection, K and V
// reduce over their own width, decoding counts twice, and the first token is a decoded one behind the prompt.
// How its text is read where it leaves a choice:
//   - decoded token i of n (from 0) sees input + i keys, so the first sees as many as the prompt has;
//   - a model with experts or sliding windows is a "GPT-OSS": two residuals a layer, the output layer once
//     behind the prompt with a row a sequence, decoding doubled as for the others; a model with `diffusion`
//     is a "LLaDA"; every other one a "LLaMA", whose head dimension is hidden / heads whatever it says;
//   - a device gets batch / devices sequences, rounded down, and times are divided by the devices again.
// Exact integers; sums over tokens are closed formulas, so a million tokens cost no more than one. Pure
// functions, safe from any thread; they own what they return.
//
//   ACCELSCOPE_TRY(const ReferencePerformance speed, reference_performance(model.text, analytic, {}));
//   speed.ttft_seconds, speed.tokens_per_second
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "boards/model.h"
#include "boards/settings.h"

namespace accelscope::fit {

enum class ReferenceScript : std::uint8_t { kLlama, kGptOss, kLlada };
// "llama", "gpt-oss", "llada".
std::string_view name_of(ReferenceScript script);
ReferenceScript script_for(const boards::TextModel& model);

enum class ReferencePartKind : std::uint8_t {
  kEmbeddings,
  kRms,
  kProjection,
  kAttention,
  kSlidingAttention,
  kResidual,
  kFeedForward,
  kExperts,
  kOutputLayer,
  kOutputSoftmax
};
// "embeddings", "rms", "projection", "attention", "sliding_attention", "residual", "ffn", "moe", "lm_head",
// "softmax".
std::string_view name_of(ReferencePartKind kind);

struct ReferencePart {
  ReferencePartKind kind = ReferencePartKind::kEmbeddings;
  std::uint64_t instances = 0;  // in one pass over all layers: 2 a layer for rms
  base::Cycles cycles{};        // of all of them, in all passes
};

struct ReferencePhase {
  std::vector<ReferencePart> parts;  // in the order of the kinds, those that the model has
  base::Cycles total{};

  // 0 for a part that the model does not have.
  base::Cycles cycles_of(ReferencePartKind kind) const;
  // Of the total, from 0 to 1.
  double share_of(ReferencePartKind kind) const;
};

struct PerformanceWorkload {
  std::uint64_t batch = 4;
  std::uint64_t input_tokens = 2048;
  std::uint64_t output_tokens = 1024;
  std::uint64_t devices = 1;
};

// Cycles are those of one device.
struct ReferencePerformance {
  ReferenceScript script = ReferenceScript::kLlama;
  std::uint64_t device_batch = 0;
  ReferencePhase prefill;
  ReferencePhase first_token;  // decoding one token, doubled
  ReferencePhase decode;       // decoding all of them, doubled
  double ttft_seconds = 0;
  double tokens_per_second = 0;
};

base::Result<ReferencePerformance> reference_performance(const boards::TextModel& model,
                                                         const boards::SettingsTree& tree,
                                                         const PerformanceWorkload& workload);

struct DiffusionWorkload {
  std::uint64_t batch = 4;
  std::uint64_t sequence = 2048;
  std::uint64_t steps = 64;
  std::uint64_t devices = 1;
};

struct ReferenceDiffusion {
  std::uint64_t device_batch = 0;
  ReferencePhase step;
  base::Cycles total{};  // of all steps
  double total_seconds = 0;
  double tokens_per_second = 0;
};

base::Result<ReferenceDiffusion> reference_diffusion(const boards::TextModel& model,
                                                     const boards::SettingsTree& tree,
                                                     const DiffusionWorkload& workload);

inline constexpr double kReferenceClockHz = 1e9;  // the reference knows no other clock

}  // namespace accelscope::fit
