// What `accelscope run` says of a run, as findings. Internal to the job.
#pragma once

#include <string>

#include "jobs/run_graph.h"
#include "runtime/run.h"

namespace accelscope::jobs {

struct RunDocument {
  const runtime::Graph& graph;
  const device::Chip& chip;
  runtime::Platform platform;
  std::uint64_t dfx_flags;
  capture::RunPolicy policy;
  std::string version;
  const runtime::RunOutcome& last;  // of the rounds
  const RunGraphOutcome& outcome;
};

findings::Findings run_document(const RunDocument& run);

}  // namespace accelscope::jobs
