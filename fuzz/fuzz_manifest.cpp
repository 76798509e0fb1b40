// Whatever the bytes, the reader of weight manifests answers with one whose regions are sorted and that comes
// back equal from the writer, or with an error that says something; and as the files of a build, the same
// bytes give a manifest that the reader takes.
#include <cstdint>
#include <string_view>

#include "base/output.h"
#include "boards/manifest_from_build.h"
#include "boards/weight_manifest.h"
#include "require.h"

namespace {

namespace base = accelscope::base;
namespace boards = accelscope::boards;

void require_round_trip(const boards::WeightManifest& manifest) {
  base::MemoryOutput out;
  boards::write_manifest(manifest, out);
  const auto back = boards::read_manifest(base::MappedFile::from_memory("written", out.bytes()));
  require(back.has_value(), "what was written can be read");
  require(*back == manifest, "what was written reads back equal");
  for (const boards::ManifestRegion& region : manifest.regions) {
    require(boards::region_at(manifest, region.offset) == &region, "a region has its first byte");
    require(boards::region_at(manifest, region.end() - 1) == &region, "a region has its last byte");
  }
  (void)boards::total_bytes(manifest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const base::MappedFile file =
      base::MappedFile::from_memory("fuzzed-input", {reinterpret_cast<const char*>(data), size});
  const auto manifest = boards::read_manifest(file);
  if (manifest)
    require_round_trip(*manifest);
  else
    require(!manifest.error().message.empty(), "an error has a message");
  for (const boards::BuildFiles& files :
       {boards::BuildFiles{.addresses = &file}, boards::BuildFiles{.addresses = &file, .sizes = &file},
        boards::BuildFiles{.addresses = &file, .layouts = &file}}) {
    const auto built = boards::manifest_from_files(files);
    if (!built)
      require(!built.error().message.empty(), "an error has a message");
    else
      require_round_trip(built->manifest);
  }
  return 0;
}
