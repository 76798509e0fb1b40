// Escape codes for colour and weight, or nothing at all: whoever knows the stream decides.
//
// Plain data that points at constants; safe from any thread, owns nothing.
//
//   const Style style = is_terminal ? kColored : Style{};
//   fmt::print("{}warning{}\n", style.yellow, style.plain);
#pragma once

#include <string_view>

namespace accelscope::report {

struct Style {
  std::string_view bold = {};
  std::string_view dim = {};
  std::string_view red = {};
  std::string_view yellow = {};
  std::string_view plain = {};
};

inline constexpr Style kColored{"\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m", "\x1b[0m"};

}  // namespace accelscope::report
