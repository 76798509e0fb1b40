// Latency of a method: one value per execution, never a sum over nested rows, never executions of two methods
// mixed.
//
// Executions that warm up (the experiment says so, or the first values say so) are told apart from the steady
// state, which every later figure is made of; nothing inside it is dropped. Pure functions; plain data.
//
//   const MethodLatency latency = latency_of(profile, 0);
//   use(latency.steady.median, latency.values.size() - latency.positions.size());
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/profile.h"
#include "stats/describe.h"

namespace accelscope::analysis {

enum class ExecutionState : std::uint8_t { kSteady, kDeclaredWarmUp, kDetectedWarmUp };

struct MethodLatency {
  std::string unit = {};
  std::vector<double> values = {};            // every complete execution
  std::vector<ExecutionState> states = {};    // one per value
  std::vector<std::uint32_t> positions = {};  // the steady ones
  std::vector<double> steady_values = {};     // the same, as values
  std::size_t declared_warm_up = 0;
  std::size_t detected_warm_up = 0;
  stats::Description steady = {};
  std::vector<std::uint32_t> outliers =
      {};  // positions in `values` of steady executions outside Tukey's fences
};

MethodLatency latency_of(const Profile& profile, std::size_t method);

// What one run of the experiment took when it executes several methods: the sum of the executions that share
// a run index in one recording. It is what the kit's metrics.json holds. Empty when every run executes one
// method.
struct RunLatency {
  std::vector<double> values = {};
  std::size_t executions_per_run = 0;  // of the run that has most
  std::string unit = {};
};
RunLatency latency_per_run(const Profile& profile);

struct ColdStart {
  std::optional<double> load = std::nullopt;  // loading the program, initialisation included
  std::optional<double> init = std::nullopt;
  std::optional<double> first_execution = std::nullopt;
  std::optional<double> time_to_steady = std::nullopt;  // load and every execution before the steady state
  std::string unit = {};
};
ColdStart cold_start_of(const Profile& profile, std::size_t method, const MethodLatency& latency);

}  // namespace accelscope::analysis
