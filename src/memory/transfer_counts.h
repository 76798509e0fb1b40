// What every model counts that brings data over a host link: reads by what they read, what came and went, how
// long the link was busy with it, and how much of that anybody waited for. One form for all of them, so that
// reports need not know the model.
//
// Plain data, used by one thread.
//
//   counts.read(boards::RegionKind::kWeight, {64});
//   counts.add_to(statistics);
#pragma once

#include <cstdint>
#include <map>

#include "base/units.h"
#include "boards/weight_manifest.h"
#include "memory/statistics.h"

namespace accelscope::memory {

struct TransferCounts {
  std::uint64_t weight_reads = 0;
  base::Bytes weight_bytes{};
  std::uint64_t kv_reads = 0;
  base::Bytes kv_bytes{};
  std::uint64_t activation_reads = 0;  // and whatever no region holds
  base::Bytes activation_bytes{};
  base::Bytes resident_bytes{};  // read from the memory without a transfer
  base::Bytes streamed_bytes{};  // over the link, past the memory
  std::uint64_t swaps = 0;       // into the memory
  base::Bytes swapped_bytes{};   // into it
  base::Bytes returned_bytes{};  // dirty, back to the host
  std::map<std::uint32_t, LayerTransfers> layers;

  void read(boards::RegionKind kind, base::Bytes bytes, std::uint64_t times = 1);
  // One transfer for a layer: how long the link had it, and how much of that somebody waited for.
  void transferred(std::uint32_t layer, base::Bytes bytes, base::Picoseconds time, base::Picoseconds exposed);
  base::Picoseconds transfer_time() const;
  base::Picoseconds exposed() const;

  // Counters in a fixed order, and the layers.
  void add_to(ModelStatistics& statistics) const;
};

}  // namespace accelscope::memory
