// Whatever the bytes, the readers of chips and of costs answer with one that can be written and read again,
// or with an error that says something.
#include <cstdint>
#include <string_view>

#include "device/chip_file.h"
#include "device/cost_file.h"
#include "require.h"

namespace {

namespace base = accelscope::base;
namespace device = accelscope::device;

template <class Read, class Write>
void check(std::string_view text, Read&& read, Write&& write) {
  const auto settings = read(base::MappedFile::from_memory("fuzzed-input", text));
  if (!settings) {
    require(!settings.error().message.empty(), "an error has a message");
    return;
  }
  base::MemoryOutput out;
  write(*settings, out);
  const auto again = read(base::MappedFile::from_memory("written", out.bytes()));
  require(again && *again == *settings, "what is written is what was read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text, device::read_chip, device::write_chip);
  check(text, device::read_costs, device::write_costs);
  return 0;
}
