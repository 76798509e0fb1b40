// Which scheduler thread feeds which core.
#include <algorithm>

#include "formats/chip_run/core_lanes.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::Capture;

struct ActiveSpan {
  std::int64_t start = 0;
  std::int64_t end = 0;
};

// The dispatch phases of every thread, in order of start.
std::vector<std::vector<ActiveSpan>> dispatch_phases(const Capture& capture) {
  std::vector<std::vector<ActiveSpan>> threads(capture.scheduler_threads.size());
  for (std::size_t thread = 0; thread < threads.size(); ++thread) {
    for (const chip_swimlane::PhaseRow& phase : capture.scheduler_threads[thread]) {
      const std::string_view kind = capture.phase_kinds[phase.kind];
      if (kind == trace::phase::kDispatch || kind == trace::phase::kEarlyDispatch)
        threads[thread].push_back({phase.start, phase.end});
    }
    std::sort(threads[thread].begin(), threads[thread].end(),
              [](const ActiveSpan& a, const ActiveSpan& b) { return a.start < b.start; });
  }
  return threads;
}

bool falls_into(const std::vector<ActiveSpan>& phases, std::int64_t time) {
  const auto after =
      std::upper_bound(phases.begin(), phases.end(), time,
                       [](std::int64_t value, const ActiveSpan& span) { return value < span.start; });
  return after != phases.begin() && time <= (after - 1)->end;
}

// The thread with the most votes; -1 when none has one, the first of equals.
std::int32_t elect(const chip_swimlane::CoreRows& core, const std::vector<std::vector<ActiveSpan>>& threads) {
  std::vector<std::uint64_t> votes(threads.size(), 0);
  for (const std::int64_t time : core.dispatch)
    for (std::size_t thread = 0; thread < threads.size(); ++thread)
      if (time != chip_swimlane::kNoTime && falls_into(threads[thread], time)) ++votes[thread];
  const auto best = std::max_element(votes.begin(), votes.end());
  return best == votes.end() || *best == 0 ? -1 : static_cast<std::int32_t>(best - votes.begin());
}

}  // namespace

std::vector<std::int32_t> controllers_of_cores(const Capture& capture, trace::QualityTable& quality) {
  std::vector<std::int32_t> controllers = capture.core_to_thread;
  controllers.resize(capture.cores.size(), -1);
  if (!capture.core_to_thread.empty() || capture.scheduler_threads.empty()) return controllers;
  const std::vector<std::vector<ActiveSpan>> threads = dispatch_phases(capture);
  std::uint64_t elected = 0;
  for (std::size_t core = 0; core < controllers.size(); ++core) {
    controllers[core] = elect(capture.cores[core], threads);
    if (controllers[core] >= 0) ++elected;
  }
  if (elected > 0)
    quality.add({.id = "chip_run.controllers_inferred",
                 .severity = trace::Severity::kInfo,
                 .sentence = "The file does not say which scheduler thread feeds which core: it is inferred "
                             "from the dispatch phases that the dispatches fall into.",
                 .count = elected});
  return controllers;
}

}  // namespace accelscope::formats::chip_run
