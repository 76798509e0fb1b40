#include "experiments/latencies.h"

#include "base/mapped_file.h"
#include "formats/etdump/etdump_reader.h"
#include "trace/trace.h"

namespace accelscope::experiments {

base::Result<Latencies> read_latencies(const std::string& etdump, std::int64_t warmup) {
  ACCELSCOPE_TRY(const base::MappedFile file, base::MappedFile::open(etdump));
  if (!formats::etdump::looks_like_etdump(file.text())) {
    const base::Location where = base::Location::of_file(etdump);
    if (file.text().empty()) return base::fail_at(where, base::ErrorCode::kTruncated, "is empty (0 bytes)");
    return base::fail_at(where, base::ErrorCode::kUnknownFormat, "is not an ETDump");
  }
  ACCELSCOPE_TRY(const trace::Trace trace, formats::etdump::read(file));
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
