#include "trace/summary.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "trace/self_time.h"

namespace accelscope::trace {
namespace {

std::uint64_t count_overlaps(const SliceTable& slices, RowRange rows) {
  std::uint64_t overlaps = 0;
  // Among siblings, the one that reaches furthest is the only one a later sibling can overlap first.
  std::vector<Ticks> furthest_child_end(rows.count, Ticks::min());
  Ticks furthest_root_end = Ticks::min();
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    const SliceId parent = slices.parent[row];
    Ticks& furthest =
        parent == SliceId::kNone ? furthest_root_end : furthest_child_end[index(parent) - rows.first];
    if (slices.start[row] < furthest) ++overlaps;
    furthest = std::max(furthest, slices.start[row] + slices.duration[row]);
  }
  return overlaps;
}

TrackId process_of(const Trace& trace, TrackId track) {
  while (trace.track(track).parent != TrackId::kNone) track = trace.track(track).parent;
  return track;
}

RunSummary summarise_run(const Trace& trace, RunId id) {
  const Run& run = trace.run(id);
  RunSummary summary{id, run.status, std::nullopt, base::Frequency::unknown()};
  if (run.root == SliceId::kNone) return summary;
  summary.end_to_end = trace.slices().duration[index(run.root)];
  summary.frequency = trace.clock_of(trace.slices().track[index(run.root)]).frequency;
  return summary;
}

void add_runs(const Trace& trace, TraceSummary& summary) {
  using GroupKey = std::tuple<StringId, RunKind, TrackId>;
  std::map<GroupKey, std::size_t> groups;
  for (std::uint32_t id = 0; id < trace.runs().size(); ++id) {
    const Run& run = trace.run(RunId{id});
    summary.runs_complete += run.status == RunStatus::kComplete ? 1 : 0;
    summary.runs_aborted += run.status == RunStatus::kAborted ? 1 : 0;
    summary.runs_empty += run.status == RunStatus::kEmpty ? 1 : 0;
    const TrackId process = run.root == SliceId::kNone
                                ? TrackId::kNone
                                : process_of(trace, trace.slices().track[index(run.root)]);
    const auto [group, added] =
        groups.try_emplace(GroupKey{run.method, run.kind, process}, summary.methods.size());
    if (added) {
      const std::string_view source =
          process == TrackId::kNone ? std::string_view() : trace.text(trace.track(process).name);
      summary.methods.push_back({trace.text(run.method), run.kind, source, {}});
    }
    summary.methods[group->second].runs.push_back(summarise_run(trace, RunId{id}));
  }
}

}  // namespace

TraceSummary summarise(const Trace& trace) {
  TraceSummary summary;
  summary.tracks = trace.tracks().size();
  summary.slices = trace.slices().size();
  summary.flows = trace.flows().size();
  summary.counters = trace.counters().size();
  summary.instants = trace.instants().size();
  summary.states = trace.states().size();
  summary.tasks = trace.tasks().size();
  summary.task_edges = trace.task_edges().size();
  summary.args = trace.args().size();
  summary.clocks = trace.clocks().size();
  for (std::uint32_t track = 0; track < trace.tracks().size(); ++track) {
    const RowRange rows = trace.slices_of(TrackId{track});
    summary.overlapping_slices += count_overlaps(trace.slices(), rows);
    const std::vector<Ticks> self = self_times(trace, rows);
    summary.negative_self_times += static_cast<std::uint64_t>(
        std::count_if(self.begin(), self.end(), [](Ticks time) { return time.value < 0; }));
  }
  add_runs(trace, summary);
  return summary;
}

}  // namespace accelscope::trace
