// Whatever the bytes, the reader of manifests answers with a manifest or an error that names the file; a
// manifest can be checked, and written and read again. The first two bytes are the size of the binary.
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/mapped_file.h"
#include "base/output.h"
#include "formats/tensor_dump/manifest.h"
#include "require.h"

namespace {

namespace base = accelscope::base;
namespace tensor_dump = accelscope::formats::tensor_dump;

constexpr std::string_view kName = "fuzzed-input";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::uint64_t binary = data[0] + 256U * data[1];
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  (void)tensor_dump::looks_like_manifest(text);
  const auto manifest = tensor_dump::read_manifest(base::MappedFile::from_memory(std::string(kName), text));
  if (!manifest) {
    require(!manifest.error().message.empty() && manifest.error().where.file == kName,
            "an error has a message and names the file");
    return 0;
  }
  (void)tensor_dump::check(*manifest, std::string(kName), std::nullopt);
  const accelscope::trace::QualityTable faults = tensor_dump::check(*manifest, std::string(kName), binary);
  if (faults.count("tensor_dump.outside_binary") == 0)
    for (const tensor_dump::Argument& argument : manifest->arguments)
      require(argument.bin_size == 0 ||
                  (argument.bin_offset <= binary && argument.bin_size <= binary - argument.bin_offset),
              "what has no fault lies in the binary");
  base::MemoryOutput out;
  tensor_dump::write_manifest(*manifest, out);
  const auto again = tensor_dump::read_manifest(base::MappedFile::from_memory("written", out.bytes()));
  require(again && again->arguments.size() == manifest->arguments.size(),
          "what was read can be written and read");
  require(again->counts == tensor_dump::counts_of(manifest->arguments), "a manifest counts its arguments");
  return 0;
}
