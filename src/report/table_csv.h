// A table of findings as comma-separated values: the ids of its columns, then every row, with all digits.
//
// Pure function; one thread per Output.
//
//   write_csv(*find_table(section, "points"), file.output());
#pragma once

#include "base/output.h"
#include "findings/findings.h"

namespace accelscope::report {

void write_csv(const findings::Table& table, base::Output& output);

}  // namespace accelscope::report
