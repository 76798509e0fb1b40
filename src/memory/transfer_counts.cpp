#include "memory/transfer_counts.h"

#include <algorithm>

namespace accelscope::memory {

using base::Bytes;
using base::Picoseconds;

void TransferCounts::read(boards::RegionKind kind, Bytes bytes, std::uint64_t times) {
  const auto add = [&](std::uint64_t& reads, Bytes& sum) {
    reads += times;
    sum += bytes * static_cast<std::int64_t>(times);
  };
  switch (kind) {
    case boards::RegionKind::kWeight:
      return add(weight_reads, weight_bytes);
    case boards::RegionKind::kKv:
      return add(kv_reads, kv_bytes);
    case boards::RegionKind::kActivation:
      return add(activation_reads, activation_bytes);
  }
}

void TransferCounts::transferred(std::uint32_t layer, Bytes bytes, Picoseconds time, Picoseconds exposed) {
  LayerTransfers& of_layer = layers[layer];
  of_layer.layer = layer;
  ++of_layer.transfers;
  of_layer.bytes += bytes;
  of_layer.time += time;
  of_layer.exposed += std::clamp(exposed, Picoseconds{}, time);
}

Picoseconds TransferCounts::transfer_time() const {
  Picoseconds sum{};
  for (const auto& [layer, of_layer] : layers) sum += of_layer.time;
  return sum;
}

Picoseconds TransferCounts::exposed() const {
  Picoseconds sum{};
  for (const auto& [layer, of_layer] : layers) sum += of_layer.exposed;
  return sum;
}

void TransferCounts::add_to(ModelStatistics& statistics) const {
  const auto count = [&](const char* id, std::uint64_t value) {
    statistics.counters.push_back({id, "", static_cast<std::int64_t>(value)});
  };
  const auto bytes = [&](const char* id, Bytes value) {
    statistics.counters.push_back({id, "bytes", value.value});
  };
  const auto time = [&](const char* id, Picoseconds value) {
    statistics.counters.push_back({id, "ps", value.value});
  };
  count("weight_reads", weight_reads);
  bytes("weight_bytes", weight_bytes);
  count("kv_reads", kv_reads);
  bytes("kv_bytes", kv_bytes);
  count("activation_reads", activation_reads);
  bytes("activation_bytes", activation_bytes);
  bytes("resident_bytes", resident_bytes);
  bytes("streamed_bytes", streamed_bytes);
  count("swaps", swaps);
  bytes("swapped_bytes", swapped_bytes);
  bytes("returned_bytes", returned_bytes);
  time("transfer_time", transfer_time());
  time("exposed_time", exposed());
  time("hidden_time", transfer_time() - exposed());
  for (const auto& [layer, of_layer] : layers) statistics.layers.push_back(of_layer);
}

}  // namespace accelscope::memory
