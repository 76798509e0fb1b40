// A memory that data comes to over a host link, as its makers hand it out (reference_streaming.h for
// published figures, streaming_memory.h for what is right), and the checks that both share.
//
// Whoever holds one owns it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "boards/weight_manifest.h"
#include "memory/memory_mode.h"
#include "memory/timing.h"

namespace accelscope::memory {

struct StreamedMemory {
  std::unique_ptr<Timing> timing;
  MemoryMode mode = MemoryMode::kResident;  // never kAuto
  std::vector<std::string> warnings = {};   // what a reader of the results must know, a sentence each
};

// An error where a capacity or a bandwidth is zero or below.
base::Status check_streaming(base::Bytes capacity, base::BytesPerSecond bandwidth);

struct LayerSize {
  std::uint32_t layer = 0;
  base::Bytes size{};
};
// All regions of a layer together, by layer.
std::vector<LayerSize> layer_sizes(const boards::WeightManifest& manifest);

// The end of the last region: what a memory that holds everything would need.
base::Bytes extent_of(const boards::WeightManifest& manifest);

// Where the next region begins behind an address that is in none; nothing where none does.
std::optional<std::uint64_t> next_offset(const boards::WeightManifest& manifest, std::uint64_t address);

// Those of a wrapper, and behind them those of what it wraps.
std::vector<ModelStatistics> outside_in(std::vector<ModelStatistics> own, const Timing& inner);

}  // namespace accelscope::memory
