// The trust box: what is wrong with the data, before anything else is said about it.
//
// Pure function of a Quality table, safe from any thread; the text belongs to the caller.
//
//   fmt::print("{}", trust_box(trace.quality(), style_for(stdout)));
#pragma once

#include <string>

#include "report/style.h"
#include "trace/quality.h"

namespace accelscope::report {

// Errors first, in lines of at most `width` columns. "nothing to report" when the table is empty.
std::string trust_box(const trace::QualityTable& quality, const Style& style, std::size_t width = 100);

// "Records were lost. (12 times)"
std::string sentence_of(const trace::QualityRow& row);
// "etdump.aborted_run, first at a.etdump: byte 312"
std::string origin_of(const trace::QualityRow& row);

}  // namespace accelscope::report
