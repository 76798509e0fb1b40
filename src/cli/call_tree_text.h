// A trace's call trees as text: one per track, with total and self times. Percentages are of
// the outermost slice.
//
// Pure function of a trace.
//
//   fmt::print("{}", call_tree_text(trace, style_for(stdout)));
#pragma once

#include <string>

#include "report/style.h"
#include "trace/trace.h"

namespace accelscope::cli {

std::string call_tree_text(const trace::Trace& trace, const report::Style& style);

}  // namespace accelscope::cli
