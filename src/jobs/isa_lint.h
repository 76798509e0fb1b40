// The job behind `accelscope isa lint`: what is wrong with programs, without running them.
//
// Prints nothing and writes nothing. Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const IsaLintOutcome outcome, lint_programs({.files = {"a.asm"}}));
//   if (outcome.errors > 0) ...
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "findings/findings.h"
#include "isa/diagnostics.h"
#include "isa/encoder.h"
#include "jobs/isa_machines.h"

namespace accelscope::jobs {

struct IsaLintOptions {
  std::vector<std::string> files = {};
  IsaMachineOptions machine = {};  // one board at most
  isa::Dialect dialect = isa::Dialect::kStrict;
  std::string version = {};  // of the program, for provenance
};

struct IsaLintOutcome {
  findings::Findings findings = {};
  std::vector<isa::Diagnostics> diagnostics = {};  // by file, for whoever prints them as compilers do
  std::uint64_t errors = 0;
  std::uint64_t warnings = 0;
  std::uint64_t notes = 0;
};

base::Result<IsaLintOutcome> lint_programs(const IsaLintOptions& options);

}  // namespace accelscope::jobs
