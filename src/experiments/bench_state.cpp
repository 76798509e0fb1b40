#include "experiments/bench_state.h"

#include <fmt/core.h>

#include <array>
#include <chrono>

#include "base/date.h"

namespace accelscope::experiments {
namespace {

// In the order of StepStatus.
constexpr std::array<std::string_view, 6> kStatusNames = {"pending", "ok",      "failed",
                                                          "timeout", "crashed", "interrupted"};

std::string in_folder(const Config& config, const Step& step, std::string_view ending) {
  return fmt::format("{}/{}{}", config.experiments[step.experiment].name, file_prefix(config, step), ending);
}

}  // namespace

std::string_view status_name(StepStatus status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}

StepStatus status_called(std::string_view name) {
  for (std::size_t i = 0; i < kStatusNames.size(); ++i)
    if (kStatusNames[i] == name) return static_cast<StepStatus>(i);
  return StepStatus::kPending;
}

std::string etdump_name(const Config& config, const Step& step) {
  return in_folder(config, step, ".etdump");
}

std::string log_name(const Config& config, const Step& step) {
  return in_folder(config, step, step.mode == Mode::kTiming ? "_latency.log" : "_xnntrace.log");
}

std::string utc_now() {
  return base::iso_date(std::chrono::system_clock::now());
}

}  // namespace accelscope::experiments
