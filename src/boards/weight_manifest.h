// A weight manifest: which bytes of external memory hold weights, keys and values, or activations, and of
// which layer. Streaming and swapping models of memory are driven by it. The file is JSON (docs/manifest.md).
//
// Regions are sorted by offset and do not overlap; files in which they do are refused with the region's
// number. Plain data and functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const WeightManifest manifest, load_manifest("weight_manifest.json"));
//   bytes_of_kind(manifest, RegionKind::kWeight)
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/output.h"
#include "base/result.h"
#include "base/units.h"

namespace accelscope::boards {

enum class RegionKind : std::uint8_t { kWeight, kKv, kActivation };
// "weight", "kv", "activation".
std::string_view name_of(RegionKind kind);

struct ManifestRegion {
  std::uint32_t layer = 0;
  std::uint64_t offset = 0;
  base::Bytes size{};
  RegionKind kind = RegionKind::kWeight;

  std::uint64_t end() const { return offset + static_cast<std::uint64_t>(size.value); }
  bool operator==(const ManifestRegion&) const = default;
};

struct WeightManifest {
  // Addresses below are never weights for the reference's host-stream model.
  std::uint64_t activation_ceiling = 0;
  std::vector<ManifestRegion> regions = {};
  std::optional<base::Bytes> capacity = std::nullopt;

  bool operator==(const WeightManifest&) const = default;
};

base::Result<WeightManifest> read_manifest(const base::MappedFile& file);
base::Result<WeightManifest> load_manifest(const std::string& path);
void write_manifest(const WeightManifest& manifest, base::Output& out);

base::Bytes bytes_of_kind(const WeightManifest& manifest, RegionKind kind);
base::Bytes total_bytes(const WeightManifest& manifest);
// The region that holds an address, in O(log n); nullptr where none does.
const ManifestRegion* region_at(const WeightManifest& manifest, std::uint64_t address);

// Sizes and offsets are at most this, so that they are whole numbers for everything that reads JSON.
inline constexpr auto kLargestManifestNumber =
    static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

}  // namespace accelscope::boards
