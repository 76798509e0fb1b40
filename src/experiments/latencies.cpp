#include "experiments/latencies.h"

#include "formats/open/open.h"
#include "trace/trace.h"

namespace accelscope::experiments {

base::Result<Latencies> read_latencies(const std::string& etdump, std::int64_t warmup) {
  formats::open::OpenOptions options;
  options.find_siblings = false;
  options.read.keep_args = false;
  ACCELSCOPE_TRY(const trace::Trace trace, formats::open::open_trace(etdump, options));
  Latencies latencies;
  for (const trace::Run& run : trace.runs()) {
    if (run.kind != trace::RunKind::kExecution) continue;
    const bool is_warmup = latencies.executions++ < warmup;
    if (run.status != trace::RunStatus::kComplete || run.root == trace::SliceId::kNone) {
      ++latencies.aborted;
      continue;
    }
    const std::uint32_t row = trace::index(run.root);
    const base::Frequency frequency = trace.clock_of(trace.slices().track[row]).frequency;
    const base::Nanoseconds time = frequency.to_nanoseconds(trace.slices().duration[row]);
    (is_warmup ? latencies.warmup_ms : latencies.measured_ms)
        .push_back(static_cast<double>(time.value) / 1e6);
  }
  return latencies;
}

}  // namespace accelscope::experiments
