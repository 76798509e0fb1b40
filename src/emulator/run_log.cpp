#include "emulator/run_log.h"

#include <algorithm>
#include <array>

namespace accelscope::emulator {
namespace {

constexpr std::array<std::string_view, 4> kNames{"none", "sections", "units", "instructions"};

}  // namespace

std::string_view name_of(LogDetail detail) {
  return kNames[static_cast<std::size_t>(detail)];
}

std::optional<LogDetail> log_detail_named(std::string_view name) {
  const auto* found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<LogDetail>(found - kNames.begin());
}

std::span<const std::string_view> log_detail_names() {
  return kNames;
}

}  // namespace accelscope::emulator
