// Numbers as Python's repr() prints them, so that our CSV files can be compared byte by byte with those of
// Python tools.
//
// The shortest digits that read back to the same double; an exponent below 1e-04 and from 1e+16 on; always a
// point or an exponent. Pure; safe from any thread.
//
//   python_float(0.1)      -> "0.1"        python_float(10)    -> "10.0"
//   python_float(0.00001)  -> "1e-05"      python_float(1e16)  -> "1e+16"
#pragma once

#include <string>

namespace accelscope::formats::timeline_csv {

std::string python_float(double value);

}  // namespace accelscope::formats::timeline_csv
