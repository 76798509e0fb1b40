// Whatever the bytes, the reader of bench configs answers with a config or an error that says something.
#include <cstdint>
#include <string_view>

#include "experiments/config.h"
#include "experiments/schedule.h"
#include "require.h"

namespace {

namespace experiments = accelscope::experiments;

// A schedule has a step per experiment, thread count and round: more than a config of this size can mean.
constexpr std::size_t kSmallEnough = 1000;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool compat : {false, true}) {
    const auto config =
        experiments::parse_config("fuzzed-input", text, {.directory = "/nowhere", .compat = compat});
    if (!config) {
      require(!config.error().message.empty(), "an error has a message");
      continue;
    }
    if (config->experiments.size() > kSmallEnough) continue;
    for (const experiments::Step& step : experiments::make_schedule(*config, {}))
      require(step.experiment < config->experiments.size(), "a step is of an experiment");
  }
  return 0;
}
