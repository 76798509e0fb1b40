// A weight manifest from what a compiler left in a build directory, by the rules of the reference's generator
// (docs/manifest.md):
//   hbm_addrs.json       {name: byte offset}                needed
//   hbm_sizes.json       {name: bytes}                      first choice for sizes
//   tensor_layouts.json  {name: {"storage_shape": [..]}}    second choice, at 9/8 of a byte an element
// and where neither says anything, up to the next offset. Kinds and layers are read from names.
//
// Plain data and functions, safe from any thread; they own what they return.
//
//   ACCELSCOPE_TRY(const BuildManifest built, manifest_from_build("build/clm60m"));
//   built.manifest.regions, built.remarks
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "boards/weight_manifest.h"

namespace accelscope::boards {

// What the name of a tensor says.
RegionKind kind_of_tensor(std::string_view name);
// Without a number, 0; nothing where the number does not fit.
std::optional<std::uint32_t> layer_of_tensor(std::string_view name);

// Where sizes came from.
struct SizeSources {
  std::uint64_t sizes_file = 0;
  std::uint64_t layouts_file = 0;
  std::uint64_t next_offset = 0;

  bool operator==(const SizeSources&) const = default;
};

struct BuildRemark {
  enum class Kind : std::uint8_t {
    kBadOffset,  // no integer from 0 up: left out
    kNoSize,     // nothing says how large it is: left out
    kClamped,    // cut where the next one begins
    kBadLayer,   // the number in its name does not fit: layer 0
    kNoSizesFile,
  };

  Kind kind = Kind::kBadOffset;
  std::uint64_t count = 1;
  std::string first;  // the name of the first tensor; "" for kNoSizesFile
};

struct BuildManifest {
  WeightManifest manifest;         // without a capacity
  std::vector<std::string> names;  // one a region
  SizeSources sources;
  std::vector<BuildRemark> remarks;  // one a kind at most, in the order of the kinds
};

// The files of a build; the last two may be missing.
struct BuildFiles {
  const base::MappedFile* addresses = nullptr;
  const base::MappedFile* sizes = nullptr;
  const base::MappedFile* layouts = nullptr;
};

base::Result<BuildManifest> manifest_from_files(const BuildFiles& files);
// The files of a directory. Without hbm_addrs.json an error that says what makes it.
base::Result<BuildManifest> manifest_from_build(const std::string& directory);

}  // namespace accelscope::boards
