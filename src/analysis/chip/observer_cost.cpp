#include "analysis/chip/observer_cost.h"

#include <algorithm>

#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using base::Nanoseconds;
using trace::Trace;

constexpr std::string_view kBasis =
    "measured by the makers of the recorder: about 0.8 us per switch between tasks on a core; at level 4, "
    "6.5 "
    "to 9.6 % of the orchestration";

std::uint64_t parts_on(const Trace& trace, trace::TrackId core, trace::CategoryId execution) {
  const trace::RowRange rows = trace.slices_of(core);
  std::uint64_t parts = 0;
  for (std::uint32_t row = rows.first; row < rows.end(); ++row)
    if (trace.slices().category[row] == execution) ++parts;
  return parts;
}

std::optional<ObserverCost::Orchestrator> orchestration(const Trace& trace, const trace::ChipRun& chip) {
  const trace::CategoryId submit = trace.find_category(trace::category::kSubmit);
  if (submit == trace::CategoryId::kNone) return std::nullopt;
  const trace::SliceTable& slices = trace.slices();
  std::optional<ObserverCost::Orchestrator> longest;
  for (const trace::TrackId orchestrator : chip.orchestrators) {
    const trace::RowRange rows = trace.slices_of(orchestrator);
    Ticks from = trace::kUnknownTime;
    Ticks to = trace::kUnknownTime;
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      if (slices.category[row] != submit) continue;
      if (!trace::is_known(from)) from = slices.start[row];
      to = std::max(to, slices.start[row] + slices.duration[row]);
    }
    if (!trace::is_known(from)) continue;
    const Nanoseconds window = trace.clock_of(orchestrator).frequency.to_nanoseconds(to - from);
    if (!longest || window > longest->window) longest = ObserverCost::Orchestrator{.window = window};
  }
  // The recorded window holds the cost: it is s / (1 + s) of it.
  const auto cost = [](Nanoseconds window, double share) {
    return Nanoseconds{static_cast<std::int64_t>(static_cast<double>(window.value) * share / (1 + share))};
  };
  if (longest) {
    longest->cost_low = cost(longest->window, kObserverSubmitShareLow);
    longest->cost_high = cost(longest->window, kObserverSubmitShareHigh);
  }
  return longest;
}

}  // namespace

ObserverCost observer_cost(const Trace& trace, const trace::ChipRun& chip, const TaskTimes& times) {
  ObserverCost result;
  result.level = chip.level;
  result.basis = kBasis;
  result.orchestrator = orchestration(trace, chip);
  if (chip.cores.empty()) return result;
  const trace::CategoryId execution = trace.find_category(trace::category::kTaskExecution);
  std::uint64_t most = 0;
  for (const trace::ChipCore& core : chip.cores) {
    const std::uint64_t parts = parts_on(trace, core.track, execution);
    result.parts += parts;
    most = std::max(most, parts);
  }
  const base::Frequency frequency = trace.clock(chip.clock).frequency;
  const auto cost_of = [&](std::uint64_t parts) {
    return frequency.from_nanoseconds(kObserverCostPerPart * static_cast<std::int64_t>(parts));
  };
  result.core_time = cost_of(result.parts);
  const auto window = static_cast<double>(times.window.length().value);
  if (window <= 0) return result;
  result.core_share =
      static_cast<double>(result.core_time.value) / (window * static_cast<double>(chip.cores.size()));
  result.worst_core_share = static_cast<double>(cost_of(most).value) / window;
  return result;
}

}  // namespace accelscope::analysis::chip
