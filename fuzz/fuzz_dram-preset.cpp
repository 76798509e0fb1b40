// Whatever the bytes, the reader of DRAM presets answers with one that can be written, read again and
// simulated, or with an error that says something.
#include <cstdint>
#include <string_view>

#include "memory/dram.h"
#include "memory/dram_preset_file.h"
#include "require.h"

namespace {

namespace base = accelscope::base;
namespace memory = accelscope::memory;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto preset = memory::read_dram_preset(base::MappedFile::from_memory("fuzzed", text));
  if (!preset) {
    require(!preset.error().message.empty(), "an error has a message");
    return 0;
  }
  base::MemoryOutput out;
  memory::write_dram_preset(*preset, out);
  const auto again = memory::read_dram_preset(base::MappedFile::from_memory("fuzzed", out.bytes()));
  require(again && *again == *preset, "what is written is what was read");
  const auto dram = memory::make_dram(*preset, {.channels = 1});
  require(dram.has_value(), "a good preset makes a memory");
  for (std::uint64_t i = 0; i < 64; ++i)
    (*dram)->submit(
        {.address = i * i * 4096, .access = i % 3 == 0 ? memory::Access::kWrite : memory::Access::kRead});
  std::uint64_t done = 0;
  while ((*dram)->next(base::Picoseconds::max())) ++done;
  require(done == 64, "every request is answered");
  return 0;
}
