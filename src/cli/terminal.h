// Colour, for people only: escape codes when the stream is a terminal and NO_COLOR is not set, plain text
// otherwise.
//
// Pure but for asking the stream once. Not shared between threads.
//
//   const Style style = style_for(stdout);
//   fmt::print("{}warning{}\n", style.yellow, style.plain);
#pragma once

#include <cstdio>
#include <string_view>

namespace accelscope::cli {

struct Style {
  std::string_view bold = {};
  std::string_view dim = {};
  std::string_view red = {};
  std::string_view yellow = {};
  std::string_view plain = {};
};

Style style_for(std::FILE* stream);

}  // namespace accelscope::cli
