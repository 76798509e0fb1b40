#include "analysis/latency.h"

#include <algorithm>
#include <map>
#include <utility>

#include "stats/warmup.h"

namespace accelscope::analysis {
namespace {

double in_milliseconds(const LoadPhase& phase) {
  return phase.frequency.known() ? phase.frequency.to_seconds(phase.duration) * 1e3
                                 : static_cast<double>(phase.duration.value);
}

// Every recording is a process that begins cold, so each is looked at by itself.
void find_warm_up(const MethodProfile& method, MethodLatency& latency) {
  std::size_t begin = 0;
  while (begin < method.executions.size()) {
    std::size_t end = begin;
    while (end < method.executions.size() &&
           method.executions[end].recording == method.executions[begin].recording)
      ++end;
    while (begin < end && latency.states[begin] == ExecutionState::kDeclaredWarmUp) ++begin;
    const std::size_t cold = stats::warm_up(std::span(latency.values).subspan(begin, end - begin)).runs;
    for (std::size_t i = begin; i < begin + cold; ++i) latency.states[i] = ExecutionState::kDetectedWarmUp;
    latency.detected_warm_up += cold;
    begin = end;
  }
}

}  // namespace

MethodLatency latency_of(const Profile& profile, std::size_t method_position) {
  const MethodProfile& method = profile.methods[method_position];
  MethodLatency latency;
  latency.unit = unit_of(method);
  for (const Execution& execution : method.executions) {
    latency.values.push_back(to_unit(method, execution.duration));
    latency.states.push_back(execution.warm_up ? ExecutionState::kDeclaredWarmUp : ExecutionState::kSteady);
    latency.declared_warm_up += execution.warm_up ? 1 : 0;
  }
  find_warm_up(method, latency);
  for (std::uint32_t i = 0; i < latency.values.size(); ++i) {
    if (latency.states[i] != ExecutionState::kSteady) continue;
    latency.positions.push_back(i);
    latency.steady_values.push_back(latency.values[i]);
  }
  latency.steady = stats::describe(latency.steady_values);
  for (const std::size_t position : latency.steady.outliers.positions)
    latency.outliers.push_back(latency.positions[position]);
  return latency;
}

RunLatency latency_per_run(const Profile& profile) {
  RunLatency latency;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<double, std::size_t>> runs;
  for (const MethodProfile& method : profile.methods) {
    latency.unit = unit_of(method);
    for (const Execution& execution : method.executions) {
      if (execution.warm_up) continue;
      auto& [sum, count] = runs[{execution.recording, execution.run_index}];
      sum += to_unit(method, execution.duration);
      ++count;
    }
  }
  for (const auto& [run, total] : runs)
    latency.executions_per_run = std::max(latency.executions_per_run, total.second);
  if (latency.executions_per_run < 2) return {};
  for (const auto& [run, total] : runs) latency.values.push_back(total.first);
  return latency;
}

ColdStart cold_start_of(const Profile& profile, std::size_t method_position, const MethodLatency& latency) {
  ColdStart cold{.unit = latency.unit};
  // The first recording's loading phase: the outermost slice comes before what it holds.
  for (const LoadPhase& phase : profile.loads) {
    if (phase.recording != 0) continue;
    if (!cold.load)
      cold.load = in_milliseconds(phase);
    else if (!cold.init)
      cold.init = in_milliseconds(phase);
  }
  if (latency.values.empty()) return cold;
  cold.first_execution = latency.values.front();
  if (latency.positions.empty()) return cold;
  double before_steady = cold.load.value_or(0);
  const MethodProfile& method = profile.methods[method_position];
  for (std::size_t i = 0; i < latency.positions.front() && method.executions[i].recording == 0; ++i)
    before_steady += latency.values[i];
  if (cold.load || before_steady > 0) cold.time_to_steady = before_steady;
  return cold;
}

}  // namespace accelscope::analysis
