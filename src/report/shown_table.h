// Tables as renderers show them: every cell is text, numbers are known as such, the rows that nobody wants to
// see are counted.
//
// Pure functions, safe from any thread; the result is plain data of its own and refers to nothing.
//
//   for (const std::vector<std::string>& row : shown_table(table).rows) ...
#pragma once

#include <string>
#include <vector>

#include "findings/findings.h"

namespace accelscope::report {

struct ShownColumn {
  std::string title = {};
  bool is_number = false;  // to the right, and never cut
};

struct ShownTable {
  std::vector<ShownColumn> columns = {};
  std::vector<std::vector<std::string>> rows = {};  // as wide as columns; each cell one line of plain text
  std::size_t rows_left_out = 0;
};

ShownTable shown_table(const findings::Table& table);
// "… 35 more rows in the JSON form"; "" when none is left out.
std::string left_out_text(const ShownTable& table);
// Metric | Value | 95 % interval | n | How; the last three only where a metric has something for them.
ShownTable shown_metrics(const std::vector<findings::Metric>& metrics);

}  // namespace accelscope::report
