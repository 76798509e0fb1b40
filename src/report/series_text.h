// Series as lines of text: a sparkline for a run of measurements, bars for labelled values.
//
// Pure functions, safe from any thread; the result is plain data of its own and refers to nothing.
//
//   sparkline({1, 2, 3})  -> "▁▅█"
//   series_text(series).picture -> {"GEMM   ████  0.500 ms", "Other  █     0.125 ms"}
#pragma once

#include <string>
#include <vector>

#include "findings/findings.h"

namespace accelscope::report {

struct SeriesText {
  std::string caption = {};               // the title, and what is not drawn one to one
  std::vector<std::string> picture = {};  // lines of at most 98 columns that keep their alignment
  std::vector<std::string> notes = {};    // least and largest value, then a line for each mark
};

SeriesText series_text(const findings::Series& series);

// One character for each value, from the least (▁) to the largest (█); "·" for what is not finite.
std::string sparkline(const std::vector<double>& values);

}  // namespace accelscope::report
