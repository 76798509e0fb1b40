// A table for the terminal, never wider than asked for: columns of text are shortened with an ellipsis,
// numbers never; what does not fit beside each other comes below, with the first column again.
//
// Pure function, safe from any thread; the text belongs to the caller.
//
//   text_table({{{"Operator"}, {"Median (ms)", true}}, {{"GEMM", "0.500"}}}, {}, 100)
//     ->   Operator  Median (ms)
//          ────────  ───────────
//          GEMM            0.500
#pragma once

#include <string>

#include "report/shown_table.h"
#include "report/style.h"

namespace accelscope::report {

// Lines indented by two columns, each ended by a line feed; "" for a table without columns.
std::string text_table(const ShownTable& table, const Style& style, std::size_t width);

}  // namespace accelscope::report
