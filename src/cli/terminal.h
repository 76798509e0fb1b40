// Colour, for people only: escape codes when the stream is a terminal and NO_COLOR is not set, plain text
// otherwise.
//
// Pure but for asking the stream once. Not shared between threads.
//
//   const report::Style style = style_for(stdout);
//   fmt::print("{}warning{}\n", style.yellow, style.plain);
#pragma once

#include <cstdio>

#include "report/style.h"

namespace accelscope::cli {

report::Style style_for(std::FILE* stream);

}  // namespace accelscope::cli
