// A manifest's regions as units that come and go as a whole: layers, regions, or pieces of them, and which
// addresses belong to which.
//
// Plain data once it is made; lookup in O(log n).
//
//   ACCELSCOPE_TRY(const UnitTable table, make_unit_table(manifest, {.chunk = Bytes{1 << 20}}));
//   if (const UnitPiece* piece = table.at(address)) table.units[piece->unit].layer
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "boards/weight_manifest.h"

namespace accelscope::memory {

struct UnitPiece {
  std::uint64_t offset = 0;
  std::uint64_t end = 0;
  std::uint32_t unit = 0;

  base::Bytes size() const { return {static_cast<std::int64_t>(end - offset)}; }
};

struct Unit {
  std::uint32_t layer = 0;
  base::Bytes size{};
  std::vector<UnitPiece> pieces = {};
};

struct UnitTable {
  std::vector<Unit> units = {};  // by layer, then by offset
  std::vector<UnitPiece> pieces = {};

  // nullptr where no unit holds the address.
  const UnitPiece* at(std::uint64_t address) const;
};

struct UnitOptions {
  std::optional<base::Bytes> chunk = std::nullopt;  // nothing: as they are
  bool whole_layers = true;                         // without a chunk: all regions of a layer are one unit
  bool weights = true;                              // regions of weights are units, too
};

// More pieces than that are an error that says so.
inline constexpr std::uint64_t kMostUnits = std::uint64_t{1} << 22U;

base::Result<UnitTable> make_unit_table(const boards::WeightManifest& manifest, const UnitOptions& options);

}  // namespace accelscope::memory
