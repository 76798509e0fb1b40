// How a memory that is too small for a model is used, and what each way is called on the command line.
//
// Pure functions, safe from any thread.
//
//   memory_mode_named("layer-swap")             // MemoryMode::kLayerSwap
//   resolved(MemoryMode::kAuto, manifest, capacity)
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/units.h"
#include "boards/weight_manifest.h"

namespace accelscope::memory {

enum class MemoryMode : std::uint8_t {
  kResident,      // everything lies in the memory
  kKvSwap,        // weights lie there; keys, values and activations come and go
  kWeightStream,  // weights come over the host link whenever they are read; the rest lies there
  kHostStream,    // the same, for every address that the manifest lists as weights
  kLayerSwap,     // layers come and go
  kAuto,          // one of the first three, by manifest and capacity
};
std::string_view name_of(MemoryMode mode);
std::optional<MemoryMode> memory_mode_named(std::string_view name);

// kAuto by the documented rule; any other as it is. A capacity of the manifest's own comes first.
MemoryMode resolved(MemoryMode mode, const boards::WeightManifest& manifest, base::Bytes capacity);

}  // namespace accelscope::memory
