// The job behind `accelscope compare`: two recordings (traces, run directories' files, saved findings), what
// changed between them, and whether a gate lets it pass.
//
// The order of the arguments is the role: baseline first. Prints nothing; writes the JUnit file when asked.
// Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const CompareOutcome outcome,
//                  compare({.baseline = "off.etdump", .candidate = "on.etdump", .gate = 0.03}));
//   if (outcome.gate_failed) return 2;
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "findings/findings.h"
#include "jobs/report_input.h"
#include "jobs/written_file.h"
#include "report/junit.h"

namespace accelscope::jobs {

struct CompareJobOptions {
  std::string baseline = {};
  std::string candidate = {};
  ReportInputOptions input = {};  // everything but the inputs
  bool allow_thread_mismatch = false;
  std::optional<double> gate = std::nullopt;  // the slowdown that is too much, as a fraction
  bool strict = false;                        // what cannot be decided fails the gate, too
  std::string junit = {};                     // a file
  std::string version = {};
};

struct CompareOutcome {
  findings::Findings findings = {};
  std::vector<report::GateCase> gate = {};  // one per method; empty without a gate
  bool gate_failed = false;
  bool compared = false;  // false: nothing could be, and the trust box says why
};

base::Result<CompareOutcome> compare(const CompareJobOptions& options);

}  // namespace accelscope::jobs
