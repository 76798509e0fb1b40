#include "memory/memory_mode.h"

#include <algorithm>
#include <array>

#include "memory/regime.h"

namespace accelscope::memory {
namespace {

constexpr std::array<std::string_view, 6> kModeNames{"resident",    "kv-swap",    "weight-stream",
                                                     "host-stream", "layer-swap", "auto"};

}  // namespace

std::string_view name_of(MemoryMode mode) {
  return kModeNames[static_cast<std::size_t>(mode)];
}

std::optional<MemoryMode> memory_mode_named(std::string_view name) {
  const auto* const found = std::find(kModeNames.begin(), kModeNames.end(), name);
  if (found == kModeNames.end()) return std::nullopt;
  return static_cast<MemoryMode>(found - kModeNames.begin());
}

MemoryMode resolved(MemoryMode mode, const boards::WeightManifest& manifest, base::Bytes capacity) {
  if (mode != MemoryMode::kAuto) return mode;
  const Demand demand{boards::bytes_of_kind(manifest, boards::RegionKind::kWeight),
                      boards::total_bytes(manifest)};
  switch (choose_regime(demand, manifest.capacity.value_or(capacity))) {
    case Regime::kResident:
      return MemoryMode::kResident;
    case Regime::kKvSwap:
      return MemoryMode::kKvSwap;
    case Regime::kWeightStream:
      break;
  }
  return MemoryMode::kWeightStream;
}

}  // namespace accelscope::memory
