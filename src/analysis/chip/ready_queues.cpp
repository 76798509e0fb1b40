#include "analysis/chip/ready_queues.h"

#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using trace::Trace;

trace::RowRange samples_of(const Trace& trace, trace::TrackId queue) {
  return queue == trace::TrackId::kNone ? trace::RowRange() : trace.counters_of(queue);
}

}  // namespace

std::vector<QueueStep> recorded_depth(const Trace& trace, const trace::ChipRun& chip,
                                      std::string_view engine) {
  const trace::CounterTable& counters = trace.counters();
  const trace::RowRange own = samples_of(trace, chip.ready_queues[engine == trace::engine::kCube ? 0 : 1]);
  const trace::RowRange mix = samples_of(trace, chip.ready_queues[2]);
  const auto depth_at = [&](std::uint32_t row) { return static_cast<std::int64_t>(counters.bits[row]); };
  std::vector<QueueStep> steps;
  std::int64_t own_depth = 0;
  std::int64_t mix_depth = 0;
  for (std::uint32_t i = own.first, j = mix.first; i < own.end() || j < mix.end();) {
    const bool take_own = i < own.end() && (j == mix.end() || counters.time[i] <= counters.time[j]);
    const Ticks time = counters.time[take_own ? i : j];
    if (take_own)
      own_depth = depth_at(i++);
    else
      mix_depth = depth_at(j++);
    if (steps.empty() || steps.back().time != time) steps.push_back({time, 0});
    steps.back().depth = own_depth + mix_depth;
  }
  return steps;
}

}  // namespace accelscope::analysis::chip
