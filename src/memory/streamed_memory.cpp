#include "memory/streamed_memory.h"

#include <algorithm>
#include <map>

namespace accelscope::memory {

base::Status check_streaming(base::Bytes capacity, base::BytesPerSecond bandwidth) {
  if (capacity.value <= 0)
    return base::fail(base::ErrorCode::kUsage, "a capacity of {} bytes: expected at least 1", capacity.value);
  if (bandwidth.value <= 0)
    return base::fail(base::ErrorCode::kUsage, "a host link of {} bytes a second: expected at least 1",
                      bandwidth.value);
  return {};
}

std::vector<LayerSize> layer_sizes(const boards::WeightManifest& manifest) {
  std::map<std::uint32_t, base::Bytes> sizes;
  for (const boards::ManifestRegion& region : manifest.regions) sizes[region.layer] += region.size;
  std::vector<LayerSize> result;
  result.reserve(sizes.size());
  for (const auto& [layer, size] : sizes) result.push_back({layer, size});
  return result;
}

base::Bytes extent_of(const boards::WeightManifest& manifest) {
  if (manifest.regions.empty()) return {};
  const std::uint64_t end = manifest.regions.back().end();
  return {static_cast<std::int64_t>(
      std::min<std::uint64_t>(end, static_cast<std::uint64_t>(base::Bytes::max().value)))};
}

std::optional<std::uint64_t> next_offset(const boards::WeightManifest& manifest, std::uint64_t address) {
  const auto behind = std::upper_bound(
      manifest.regions.begin(), manifest.regions.end(), address,
      [](std::uint64_t at, const boards::ManifestRegion& region) { return at < region.offset; });
  if (behind == manifest.regions.end()) return std::nullopt;
  return behind->offset;
}

std::vector<ModelStatistics> outside_in(std::vector<ModelStatistics> own, const Timing& inner) {
  for (ModelStatistics& of_inner : inner.statistics()) own.push_back(std::move(of_inner));
  return own;
}

}  // namespace accelscope::memory
