// Runs the experiments of a config and writes a run directory: logs, ETDumps, manifest.json and metrics.json.
//
// A failed experiment is written down and the rest go on. The manifest is replaced after every step, so that
// the directory is valid at every moment, also after a kill; a later call with IfExists::kResume does what is
// left. One thread runs one directory; the interruption flag may be set from a signal handler.
//
//   ACCELSCOPE_TRY(const Config config, load_config("toy.json", {}));
//   const std::unique_ptr<Target> target = make_local_target();
//   ACCELSCOPE_TRY(const BenchResult result, run_bench(config, *target, {.tool_version = "0.1.0"}));
//   if (result.count(StepStatus::kOk) < result.state.steps.size()) ...
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "experiments/bench_state.h"
#include "experiments/target.h"

namespace accelscope::experiments {

// What happens when the directory holds a manifest already.
enum class IfExists : std::uint8_t { kRefuse, kResume, kReplace };

struct BenchProgress {
  std::size_t step = 0;  // of those that this call runs, from 1
  std::size_t steps = 0;
  std::string_view label = {};                      // "toy_on_t1_r2"
  std::optional<base::Nanoseconds> time_left = {};  // nothing before the first step has ended
  const StepRecord* finished = nullptr;             // nullptr when the step begins
};

struct BenchOptions {
  ScheduleOptions schedule = {};
  std::vector<std::string> only = {};  // names of experiments; empty is all
  IfExists if_exists = IfExists::kRefuse;
  bool analysis_only = false;  // run nothing: write the manifest anew from the files that are there
  std::string tool_version = {};
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const BenchProgress&)> progress = {};
};

struct BenchResult {
  BenchState state;
  std::size_t skipped = 0;   // ok from an earlier session
  bool interrupted = false;  // the rest is pending

  std::size_t count(StepStatus status) const;
};

// An error only when nothing can be run at all: no model, no device, a directory of another config.
base::Result<BenchResult> run_bench(const Config& config, Target& target, const BenchOptions& options);

}  // namespace accelscope::experiments
