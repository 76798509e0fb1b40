// The two platforms, and what people call them. Plain data; pure functions.
//
//   if (const std::optional<Platform> platform = platform_named("threads")) ...
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace accelscope::runtime {

enum class Platform : std::uint8_t {
  kVirtual,  // deterministic time: what the costs say
  kThreads,  // every core and control CPU is a thread, and the clock is on the wall
};

inline constexpr std::array<std::string_view, 2> kPlatformNames{"virtual", "threads"};

constexpr std::string_view name_of(Platform platform) {
  return kPlatformNames[static_cast<std::size_t>(platform)];
}

constexpr std::optional<Platform> platform_named(std::string_view name) {
  for (const Platform platform : {Platform::kVirtual, Platform::kThreads})
    if (name == name_of(platform)) return platform;
  return std::nullopt;
}

}  // namespace accelscope::runtime
