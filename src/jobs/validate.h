// The job behind `accelscope validate`: what a file is, what it holds, and what is wrong with it.
//
// Prints nothing. The outcome owns the trace that its summary points into.
//
//   ACCELSCOPE_TRY(const ValidateOutcome outcome, validate({"model.etdump"}, {}));
//   if (outcome.trace.quality().has_errors()) ...
#pragma once

#include <string>
#include <vector>

#include "analysis/chip/invariants.h"
#include "base/result.h"
#include "formats/open/open.h"
#include "trace/summary.h"

namespace accelscope::jobs {

struct ValidateOutcome {
  trace::Trace trace;
  trace::TraceSummary summary;
  std::vector<analysis::chip::Invariant> invariants;  // of a run of a chip; empty for other traces
};

base::Result<ValidateOutcome> validate(const std::vector<std::string>& inputs,
                                       const formats::open::OpenOptions& options);

}  // namespace accelscope::jobs
