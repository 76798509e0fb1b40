// Whatever the bytes, the reader of a saved overhead answers with costs that make sense or with an error that
// names the file.
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "jobs/overhead.h"
#include "require.h"

namespace {

namespace base = accelscope::base;

constexpr std::string_view kName = "fuzzed-input";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto overhead =
      accelscope::jobs::overhead_in(base::MappedFile::from_memory(std::string(kName), bytes));
  if (!overhead) {
    require(!overhead.error().message.empty(), "an error has a message");
    require(overhead.error().where.file == kName, "an error names the file");
    return 0;
  }
  require(!overhead->machine.empty(), "a machine has words");
  for (const auto& cost : overhead->costs) {
    require(cost.level >= 0 && cost.level <= 3, "a level is one of those there are");
    require(std::isfinite(cost.task_ns), "a time is a number");
    (void)accelscope::analysis::chip::overhead_of(*overhead, cost.level, cost.policy);
  }
  return 0;
}
