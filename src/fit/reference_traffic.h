// The reference's model of memory, second half: what a prompt and a decoded token move, how much of the peak
// bandwidth that is, and its roofline.
//
// How its text is read where it leaves a choice:
//   - keys and values that are moved are limited to the window;
//   - a decoded token's activations stay on the chip if the batch is below vector memory (VECTOR_SRAM_SIZE x
//     VLEN elements of VECTOR_SRAM_TYPE) / ((heads x head dimension + hidden) activations): the text gives
//     that rule for the output projection, and attention and the feed-forward part follow it here;
//   - without flash attention, scores are written, read and written by the softmax, and read again;
//   - of experts, those of one token are moved, once a step, whatever the batch; their activations that many
//     times;
//   - a decoded token sees as many keys as the prompt has; the embedding's row is not counted.
// Exact integers. Pure functions, safe from any thread; they own what they return.
//
//   ACCELSCOPE_TRY(const ReferenceTraffic moved, reference_traffic(model.text, analytic, {}));
//   moved.decode.total()      // bytes a token
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "boards/model.h"
#include "boards/settings.h"
#include "fit/reference_footprint.h"

namespace accelscope::fit {

struct Traffic {
  base::Bytes read{};
  base::Bytes written{};

  base::Bytes total() const { return read + written; }
  bool operator==(const Traffic&) const = default;
};

struct TrafficPart {
  std::string_view name;  // "embedding", "qkv", "attention"
  Traffic prefill;
  Traffic decode;  // of one token
};

struct ReferenceTraffic {
  // Of all layers, those that the model has: embedding, qkv, attention, sliding_attention, output_projection,
  // ffn, moe, lm_head.
  std::vector<TrafficPart> parts;
  Traffic prefill;
  Traffic decode;
};

base::Result<ReferenceTraffic> reference_traffic(const boards::TextModel& model,
                                                 const boards::SettingsTree& tree,
                                                 const MemoryWorkload& workload);

// HBM_WIDTH at the reference's 1 GHz; an error where the width is 0 or absurd.
base::Result<base::BytesPerSecond> reference_peak_bandwidth(const boards::SettingsTree& tree);

// What of the peak is used when so many bytes move in so many seconds; nothing without time or bandwidth.
std::optional<double> bandwidth_utilisation(base::Bytes moved, double seconds, base::BytesPerSecond peak);
// Above this share the reference calls a phase bound by bandwidth.
inline constexpr double kReferenceBandwidthBound = 0.7;

// One layer of a prompt.
struct ReferenceRoofline {
  double flops = 0;       // 8 L H^2 + 4 L^2 H + 6 L H I + 4 L H
  double peak_flops = 0;  // a second: 2 x MLEN at 1 GHz, which understates the array
  double peak_bytes = 0;  // a second
  double ridge = 0;       // FLOP a byte from which the array is the limit
  double intensity = 0;   // FLOP a byte
  double ceiling = 0;     // FLOP a second
  double efficiency = 0;  // of the ceiling
};

// `moved` and `seconds` of one layer, which must be above zero.
base::Result<ReferenceRoofline> reference_roofline(const boards::TextModel& model,
                                                   const boards::SettingsTree& tree,
                                                   std::uint64_t input_tokens, base::Bytes moved,
                                                   double seconds);

}  // namespace accelscope::fit
