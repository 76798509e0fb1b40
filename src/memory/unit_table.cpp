#include "memory/unit_table.h"

#include <algorithm>
#include <map>

namespace accelscope::memory {
namespace {

using base::Bytes;
using boards::ManifestRegion;

// Layers by number, and in each its regions by offset: the order in which a model is gone through.
std::vector<const ManifestRegion*> in_order(const boards::WeightManifest& manifest, bool weights) {
  std::vector<const ManifestRegion*> regions;
  for (const ManifestRegion& region : manifest.regions)
    if (weights || region.kind != boards::RegionKind::kWeight) regions.push_back(&region);
  std::stable_sort(regions.begin(), regions.end(),
                   [](const ManifestRegion* a, const ManifestRegion* b) { return a->layer < b->layer; });
  return regions;
}

}  // namespace

const UnitPiece* UnitTable::at(std::uint64_t address) const {
  const auto behind =
      std::upper_bound(pieces.begin(), pieces.end(), address,
                       [](std::uint64_t at, const UnitPiece& piece) { return at < piece.offset; });
  if (behind == pieces.begin()) return nullptr;
  const UnitPiece& piece = *(behind - 1);
  return address < piece.end ? &piece : nullptr;
}

base::Result<UnitTable> make_unit_table(const boards::WeightManifest& manifest, const UnitOptions& options) {
  if (options.chunk && options.chunk->value <= 0)
    return base::fail(base::ErrorCode::kUsage, "pieces of {} bytes: expected at least 1",
                      options.chunk->value);
  base::Int128 pieces = 0;
  for (const ManifestRegion& region : manifest.regions) {
    const std::int64_t step = options.chunk.value_or(region.size).value;
    pieces += region.size.value / step + 1;
  }
  if (pieces > kMostUnits)
    return base::fail(base::ErrorCode::kTooLarge,
                      "the manifest's {} bytes would be cut into more than {} pieces; {}",
                      boards::total_bytes(manifest).value, kMostUnits,
                      options.chunk ? "use larger ones" : "it has too many regions");
  UnitTable table;
  for (const ManifestRegion* region : in_order(manifest, options.weights)) {
    const Bytes step = options.chunk.value_or(region->size);
    for (std::uint64_t offset = region->offset; offset < region->end();) {
      const std::uint64_t end =
          offset + std::min(region->end() - offset, static_cast<std::uint64_t>(step.value));
      const bool joins = !options.chunk && options.whole_layers && !table.units.empty() &&
                         table.units.back().layer == region->layer;
      if (!joins) table.units.push_back({.layer = region->layer});
      const UnitPiece piece{offset, end, static_cast<std::uint32_t>(table.units.size() - 1)};
      table.units.back().size += piece.size();
      table.units.back().pieces.push_back(piece);
      table.pieces.push_back(piece);
      offset = end;
    }
  }
  std::sort(table.pieces.begin(), table.pieces.end(),
            [](const UnitPiece& a, const UnitPiece& b) { return a.offset < b.offset; });
  return table;
}

}  // namespace accelscope::memory
