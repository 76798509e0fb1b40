// What a bench has done so far: the config, the schedule with what became of each step, and what is known
// about the machine, the model and the runners. manifest.h writes it down; run.h fills it.
//
// Plain data, filled by one thread.
//
//   for (const StepRecord& record : state.steps)
//     if (record.status != StepStatus::kOk) fmt::print("{}: {}\n", file_prefix(state.config, record.step),
//     record.reason);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/config.h"
#include "experiments/device_facts.h"
#include "experiments/executorch_checkout.h"
#include "experiments/fingerprint.h"
#include "experiments/latencies.h"
#include "experiments/runner_log.h"
#include "experiments/schedule.h"

namespace accelscope::experiments {

enum class StepStatus : std::uint8_t { kPending, kOk, kFailed, kTimeout, kCrashed, kInterrupted };
// "pending", "ok", "failed", "timeout", "crashed", "interrupted".
std::string_view status_name(StepStatus status);
// kPending for a word that is none of these.
StepStatus status_called(std::string_view name);

struct StepRecord {
  Step step;
  StepStatus status = StepStatus::kPending;
  std::string reason = {};                // why it is not ok
  std::vector<std::string> remarks = {};  // what is odd about it all the same
  std::vector<std::string> warmup_command = {};
  std::vector<std::string> command = {};  // the words that were executed on this machine
  std::optional<int> exit_status = {};
  int signal = 0;
  std::string started_at = {};
  double wall_seconds = 0;
  bool has_etdump = false;
  bool has_log = false;
  RunnerLog runner = {};
  Latencies latencies = {};
  DeviceFacts state_before = {};
  // What an earlier session wrote about it, when this one did not run it again.
  std::optional<JsonNode> kept = {};
};

struct BenchState {
  Config config;
  ScheduleOptions schedule = {};
  std::string tool_version = {};
  std::string device = {};
  ExecutorchCheckout checkout = {};
  Fingerprint model = {};
  std::vector<Fingerprint> runners = {};  // one per experiment; unknown where the file cannot be read
  DeviceFacts before = {};
  std::optional<DeviceFacts> after = {};
  // What an earlier session wrote about the machine, when this one runs nothing.
  std::optional<JsonNode> kept_device_facts = {};
  std::vector<StepRecord> steps = {};
};

// Where a step's files are, relative to output_root: "<experiment>/<prefix>.etdump" and so on.
std::string etdump_name(const Config& config, const Step& step);
std::string log_name(const Config& config, const Step& step);

// "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace accelscope::experiments
