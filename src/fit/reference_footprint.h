// The reference's model of memory, first half: what a model's weights, keys and values and activations take.
// What is moved is reference_traffic.h.
//
// Number formats are those of the settings: HBM_M_WEIGHT_TYPE, HBM_M_KV_TYPE, HBM_V_ACT_TYPE. How its text is
// read where it leaves a choice:
//   - sizes are rounded up to bytes for a matrix of a layer, then multiplied by the layers;
//   - keys and values are those of input and output tokens in every layer, windows or not;
//   - three matrices in every feed-forward part, also where a model has two; norms are two a layer, and the
//     last one is left out; biases are left out.
// Exact integers. Pure functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const ReferenceFootprint size, reference_footprint(model.text, analytic, {}));
//   size.required, size.fits()
#pragma once

#include <cstdint>

#include "base/result.h"
#include "base/units.h"
#include "boards/model.h"
#include "boards/settings.h"

namespace accelscope::fit {

struct MemoryWorkload {
  std::uint64_t batch = 1;  // of one device
  std::uint64_t input_tokens = 2048;
  std::uint64_t output_tokens = 128;
  bool flash_attention = true;
};

// Of all layers.
struct ReferenceFootprint {
  base::Bytes embedding{};
  base::Bytes attention{};
  base::Bytes feed_forward{};
  base::Bytes router{};
  base::Bytes experts{};
  base::Bytes norms{};
  base::Bytes output_layer{};  // 0 where it is the embedding
  base::Bytes weights{};       // all of the above
  base::Bytes kv_per_layer{};
  base::Bytes kv{};
  base::Bytes activations{};
  base::Bytes required{};
  base::Bytes capacity{};  // HBM_SIZE

  bool fits() const { return required <= capacity; }
};

base::Result<ReferenceFootprint> reference_footprint(const boards::TextModel& model,
                                                     const boards::SettingsTree& tree,
                                                     const MemoryWorkload& workload);

}  // namespace accelscope::fit
