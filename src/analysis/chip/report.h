// The explanation of a chip's run: where each core's time went, who the bottleneck is, what the critical path
// is made of, what would change if something were faster, and what to do next; as one findings document.
//
// A pure function of a read-only trace, which two threads share while it works; the document owns its texts.
// docs/report.md lists sections and ids.
//
//   const findings::Findings report = explain(trace, {.title = "mixed", .input =
//   "chip_swimlane_records.json"});
#pragma once

#include <optional>
#include <string>

#include "analysis/chip/measured_overhead.h"
#include "analysis/chip/what_if.h"
#include "findings/findings.h"
#include "trace/trace.h"

namespace accelscope::analysis::chip {

struct ExplainOptions {
  std::string title = {};
  std::string input = {};  // path of the recording, for evidence
  std::string notes = {};  // the author's own findings, Markdown
  WhatIfOptions what_if = {};
  std::optional<MeasuredOverhead> overhead = std::nullopt;  // quoted in the trust box
};

// The trace must be a run of a chip (trace::is_chip_run).
findings::Findings explain(const trace::Trace& trace, const ExplainOptions& options);

}  // namespace accelscope::analysis::chip
