#include "compat/kit_latency.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "compat/numpy_math.h"

namespace accelscope::compat {
namespace {

using base::ErrorCode;
using base::Result;

Result<KitLatencies> latency_without_runs(const KitTimeline& timeline) {
  KitLatencies latencies;
  for (const KitEvent& event : timeline.events)
    if (timeline.name_of(event) == kMethodExecute) latencies.ms.push_back(event.pandas_ms);
  if (latencies.ms.size() > 1)
    return base::fail(ErrorCode::kMalformed, "No run_index column and multiple Method::execute events found");
  latencies.run_indices.push_back(0);
  return latencies;
}

template <class Takes>
Result<std::vector<double>> totals_by_run(const KitTimeline& timeline, const Takes& takes) {
  std::map<double, double> totals;
  for (const KitEvent& event : timeline.events) {
    if (!takes(timeline.name_of(event))) continue;
    if (!event.run_is_integer)
      return base::fail(ErrorCode::kMalformed, "the run_index of an event '{}' is not an integer",
                        timeline.name_of(event));
    totals[event.run_index] += event.duration_ms;
  }
  std::vector<double> latencies;
  latencies.reserve(totals.size());
  for (const auto& [run, total] : totals) latencies.push_back(total);
  return latencies;
}

}  // namespace

Result<KitLatencies> kit_latencies(const KitTimeline& timeline) {
  const auto executes = std::find(timeline.names.begin(), timeline.names.end(), kMethodExecute);
  if (executes == timeline.names.end())
    return base::fail(ErrorCode::kMalformed, "No 'Method::execute' event found in timeline CSV");
  if (!timeline.has_run_index) return latency_without_runs(timeline);
  KitLatencies latencies;
  std::map<double, CompensatedSum> sums;
  for (const KitEvent& event : timeline.events) {
    if (!event.run_is_integer) latencies.indices_are_floats = true;
    if (timeline.name_of(event) != kMethodExecute || std::isnan(event.run_index)) continue;
    CompensatedSum& sum = sums[event.run_index];
    if (!std::isnan(event.pandas_ms)) sum.add(event.pandas_ms);
  }
  if (sums.empty())
    return base::fail(ErrorCode::kMalformed,
                      "no 'Method::execute' event of the timeline CSV has a run_index, so there are no runs");
  for (const auto& [run, sum] : sums) {
    latencies.run_indices.push_back(run);
    latencies.ms.push_back(sum.sum);
  }
  return latencies;
}

Result<std::vector<double>> kit_report_latencies(const KitTimeline& timeline) {
  ACCELSCOPE_TRY(std::vector<double> executions,
                 totals_by_run(timeline, [](std::string_view name) { return name == kMethodExecute; }));
  if (!executions.empty()) return executions;
  return totals_by_run(timeline, [](std::string_view name) { return !is_kit_overhead_in_reports(name); });
}

}  // namespace accelscope::compat
