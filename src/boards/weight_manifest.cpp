#include "boards/weight_manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/closest_name.h"
#include "base/json_cursor.h"
#include "base/json_writer.h"

namespace accelscope::boards {
namespace {

using base::ErrorCode;
using base::JsonCursor;

constexpr std::array<std::string_view, 3> kKindNames{"weight", "kv", "activation"};

void refuse(JsonCursor& json, std::string message) {
  json.fail_here(ErrorCode::kMalformed, std::move(message));
}

std::optional<RegionKind> kind_named(std::string_view name) {
  const auto found = std::find(kKindNames.begin(), kKindNames.end(), name);
  if (found == kKindNames.end()) return std::nullopt;
  return static_cast<RegionKind>(found - kKindNames.begin());
}

// Which of the members that a region must have were there.
struct Seen {
  bool layer = false;
  bool offset = false;
  bool size = false;
};

void read_size(JsonCursor& json, std::size_t number, ManifestRegion& region) {
  const std::uint64_t size = json.unsigned_integer();
  if (!json.ok()) return;
  if (size == 0) refuse(json, fmt::format("region {} has a size of 0; a region holds something", number));
  if (size > kLargestManifestNumber)
    refuse(json, fmt::format("region {} has a size of {} bytes, more than {}", number, size,
                             kLargestManifestNumber));
  region.size = base::Bytes{static_cast<std::int64_t>(std::min(size, kLargestManifestNumber))};
}

void read_kind(JsonCursor& json, std::size_t number, ManifestRegion& region) {
  const std::string_view name = json.string();
  if (!json.ok()) return;
  if (const std::optional<RegionKind> kind = kind_named(name))
    region.kind = *kind;
  else
    refuse(json, fmt::format("region {} is of the kind '{}'; expected {}{}", number, name,
                             fmt::join(kKindNames, ", "), base::suggestion(name, kKindNames)));
}

void read_layer(JsonCursor& json, std::size_t number, ManifestRegion& region) {
  const std::uint64_t layer = json.unsigned_integer();
  if (json.ok() && layer > std::numeric_limits<std::uint32_t>::max())
    refuse(json, fmt::format("region {} has the layer_id {}, more than 32 bits hold", number, layer));
  region.layer = static_cast<std::uint32_t>(layer);
}

void check_members(JsonCursor& json, std::size_t number, const Seen& seen) {
  for (const auto& [there, name] :
       {std::pair{seen.layer, "layer_id"}, std::pair{seen.offset, "offset"}, std::pair{seen.size, "size"}}) {
    if (!there) refuse(json, fmt::format("region {} has no \"{}\"", number, name));
  }
}

ManifestRegion read_region(JsonCursor& json, std::size_t number) {
  ManifestRegion region;
  Seen seen;
  json.begin_object();
  while (json.next_key()) {
    if (json.key() == "layer_id") {
      seen.layer = true;
      read_layer(json, number, region);
    } else if (json.key() == "offset") {
      seen.offset = true;
      region.offset = json.unsigned_integer();
    } else if (json.key() == "size") {
      seen.size = true;
      read_size(json, number, region);
    } else if (json.key() == "kind") {
      read_kind(json, number, region);
    } else {
      json.skip_value();
    }
  }
  check_members(json, number, seen);
  return region;
}

// What is wrong with a region behind those that were read; "" where nothing is.
std::string fault_of(const ManifestRegion& region, std::span<const ManifestRegion> before) {
  const std::size_t number = before.size();
  const auto size = static_cast<std::uint64_t>(region.size.value);
  if (region.offset > std::numeric_limits<std::uint64_t>::max() - size)
    return fmt::format("region {} at offset {} of {} bytes ends beyond 64 bits", number, region.offset, size);
  if (before.empty()) return "";
  const ManifestRegion& last = before.back();
  if (region.offset < last.offset)
    return fmt::format(
        "region {} at offset {} comes behind region {} at offset {}; regions are sorted by offset", number,
        region.offset, number - 1, last.offset);
  if (region.offset < last.end())
    return fmt::format(
        "region {} at offset {} begins before region {} ends, which is at {} (offset {}, {} bytes)", number,
        region.offset, number - 1, last.end(), last.offset, last.size.value);
  return "";
}

void read_regions(JsonCursor& json, WeightManifest& manifest) {
  std::uint64_t total = 0;
  json.begin_array();
  while (json.next_element()) {
    const std::size_t number = manifest.regions.size();
    const ManifestRegion region = read_region(json, number);
    if (!json.ok()) return;
    if (std::string fault = fault_of(region, manifest.regions); !fault.empty())
      return refuse(json, std::move(fault));
    total += static_cast<std::uint64_t>(region.size.value);
    if (total > kLargestManifestNumber)
      return refuse(json, fmt::format("regions 0 to {} hold more than {} bytes together", number,
                                      kLargestManifestNumber));
    manifest.regions.push_back(region);
  }
}

void read_capacity(JsonCursor& json, WeightManifest& manifest) {
  if (json.take_null()) return;
  const std::uint64_t capacity = json.unsigned_integer();
  if (!json.ok()) return;
  if (capacity == 0 || capacity > kLargestManifestNumber)
    return refuse(json, fmt::format("ddr_capacity_bytes is {}; expected 1 to {}, or null", capacity,
                                    kLargestManifestNumber));
  manifest.capacity = base::Bytes{static_cast<std::int64_t>(capacity)};
}

}  // namespace

std::string_view name_of(RegionKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

base::Result<WeightManifest> read_manifest(const base::MappedFile& file) {
  WeightManifest manifest;
  bool has_ceiling = false;
  bool has_regions = false;
  JsonCursor json(file.text(), file.path());
  json.begin_object();
  while (json.next_key()) {
    if (json.key() == "activation_ceiling") {
      has_ceiling = true;
      manifest.activation_ceiling = json.unsigned_integer();
    } else if (json.key() == "regions") {
      if (has_regions) refuse(json, "a second \"regions\"");
      has_regions = true;
      read_regions(json, manifest);
    } else if (json.key() == "ddr_capacity_bytes") {
      read_capacity(json, manifest);
    } else {
      json.skip_value();
    }
  }
  json.expect_end();
  ACCELSCOPE_CHECK(json.status());
  if (!has_regions || !has_ceiling)
    return base::fail_at(
        base::Location::of_file(file.path()), ErrorCode::kMalformed,
        "a weight manifest has \"activation_ceiling\" and \"regions\", and \"{}\" is missing",
        has_regions ? "activation_ceiling" : "regions");
  return manifest;
}

base::Result<WeightManifest> load_manifest(const std::string& path) {
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(path));
  return read_manifest(file);
}

void write_manifest(const WeightManifest& manifest, base::Output& out) {
  base::JsonWriter json(out, base::JsonWriter::Style::kIndented);
  json.begin_object();
  json.member("activation_ceiling", manifest.activation_ceiling);
  json.key("regions").begin_array();
  for (const ManifestRegion& region : manifest.regions) {
    json.begin_object().member("layer_id", region.layer).member("offset", region.offset);
    json.member("size", region.size.value).member("kind", name_of(region.kind)).end_object();
  }
  json.end_array();
  if (manifest.capacity) json.member("ddr_capacity_bytes", manifest.capacity->value);
  json.end_object();
  out.append('\n');
}

base::Bytes bytes_of_kind(const WeightManifest& manifest, RegionKind kind) {
  base::Bytes sum{};
  for (const ManifestRegion& region : manifest.regions)
    if (region.kind == kind) sum += region.size;
  return sum;
}

base::Bytes total_bytes(const WeightManifest& manifest) {
  base::Bytes sum{};
  for (const ManifestRegion& region : manifest.regions) sum += region.size;
  return sum;
}

const ManifestRegion* region_at(const WeightManifest& manifest, std::uint64_t address) {
  const auto behind =
      std::upper_bound(manifest.regions.begin(), manifest.regions.end(), address,
                       [](std::uint64_t at, const ManifestRegion& region) { return at < region.offset; });
  if (behind == manifest.regions.begin()) return nullptr;
  const ManifestRegion& region = *(behind - 1);
  return address < region.end() ? &region : nullptr;
}

}  // namespace accelscope::boards
