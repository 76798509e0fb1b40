// The trust box: what is wrong with the data, before anything else is said about it.
//
// Pure function of a Quality table.
//
//   fmt::print("{}", trust_box(trace.quality(), style_for(stdout)));
#pragma once

#include <string>

#include "cli/terminal.h"
#include "trace/quality.h"

namespace accelscope::cli {

// Errors first. "nothing to report" when the table is empty.
std::string trust_box(const trace::QualityTable& quality, const Style& style);

}  // namespace accelscope::cli
