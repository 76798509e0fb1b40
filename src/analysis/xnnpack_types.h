// Every operator type that XNNPACK names, in today's spelling and in older ones, and the names of its graph's
// nodes. A type is the part of a name before the parenthesis: "Fully Connected" of
// "Fully Connected (NC, F32) GEMM #1".
//
// A constant table; safe from any thread, nothing is owned.
//
//   const NameRow* row = find_xnnpack_type("resize bilinear");   // Category::kResize
#pragma once

#include "analysis/name_table.h"

namespace accelscope::analysis {

// The type in lower case; nullptr for one that is not known.
const NameRow* find_xnnpack_type(std::string_view lower_type);

}  // namespace accelscope::analysis
