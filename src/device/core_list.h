// Cores of a chip as people write them: "0-3,7".
//
// Pure functions, safe from any thread; nothing is kept.
//
//   parse_core_list("0-3,7", 36)          // 0, 1, 2, 3, 7
//   format_core_list({0, 1, 2, 3, 7})     // "0-3, 7"
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace accelscope::device {

// Of a chip with so many cores; in ascending order, each once.
base::Result<std::vector<std::uint32_t>> parse_core_list(std::string_view text, std::uint32_t cores);
// Of ascending numbers.
std::string format_core_list(std::span<const std::uint32_t> cores);

}  // namespace accelscope::device
