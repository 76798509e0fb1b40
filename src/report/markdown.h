// Findings as a Markdown report: title, trust box, then the sections in their order. docs/report.md describes
// the layout.
//
// Renders and computes nothing: what the document lacks, the report lacks. Same document, same bytes. Text of
// the document is escaped, so that no name of a file becomes markup. Pure function; one thread per Output.
//
//   write_markdown(findings, file.output());
#pragma once

#include "base/output.h"
#include "findings/findings.h"

namespace accelscope::report {

void write_markdown(const findings::Findings& findings, base::Output& output);

}  // namespace accelscope::report
