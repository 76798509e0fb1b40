#include "jobs/validate.h"

namespace accelscope::jobs {

base::Result<ValidateOutcome> validate(const std::vector<std::string>& inputs,
                                       const formats::open::OpenOptions& options) {
  ACCELSCOPE_TRY(trace::Trace trace, formats::open::open_traces(inputs, options));
  trace::TraceSummary summary = trace::summarise(trace);
  std::vector<analysis::chip::Invariant> invariants;
  if (trace::is_chip_run(trace)) {
    const trace::ChipRun chip = trace::chip_run(trace);
    invariants = analysis::chip::check_invariants(trace, chip, analysis::chip::task_times(trace, chip));
  }
  return ValidateOutcome{std::move(trace), std::move(summary), std::move(invariants)};
}

}  // namespace accelscope::jobs
