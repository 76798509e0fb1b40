// Findings for the terminal: the same parts in the same order as the Markdown report, in lines that fit.
//
// Renders and computes nothing. No line is wider than asked for, with colour or without; control characters
// of names are written out. Pure function; one thread per Output.
//
//   write_text(findings, {.style = style_for(stdout)}, output);
#pragma once

#include "base/output.h"
#include "findings/findings.h"
#include "report/style.h"

namespace accelscope::report {

struct TextOptions {
  Style style = {};
  std::size_t width = 100;  // columns; no less than 60
};

void write_text(const findings::Findings& findings, const TextOptions& options, base::Output& output);

}  // namespace accelscope::report
