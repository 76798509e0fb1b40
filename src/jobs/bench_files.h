// What a bench writes beside its recordings: the CSV files, analysis_summary.json and the pipeline summary.
// Part of the bench job; nothing is kept.
#pragma once

#include <vector>

#include "base/result.h"
#include "experiments/bench_state.h"
#include "jobs/written_file.h"

namespace accelscope::jobs {

// `compat` adds the kit's robust statistics and operator tables of every recording.
base::Result<std::vector<WrittenFile>> write_bench_files(const experiments::BenchState& state, bool compat);

}  // namespace accelscope::jobs
