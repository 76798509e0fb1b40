// Everything a Trace holds, as plain data: what a file of a whole trace is read into, and the one list of the
// tables for who walks them all.
//
// Parts come from outside and are not trusted: trace_from() checks every id, enumeration and time, so that a
// Trace made of them keeps the promises of trace.h. Parts own their rows; one thread fills them.
//
//   TraceParts parts;
//   for_each_table([&](std::string_view name, auto trace_rows, auto part) { fill(name, parts.*part); });
//   ACCELSCOPE_TRY(const Trace trace, trace_from(std::move(parts)));
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::trace {

struct TraceParts {
  base::StringInterner strings = {};
  std::vector<StringId> categories = {StringId::kEmpty};  // the empty one stands in front, as in a Trace
  std::vector<SourceFile> sources = {};
  std::vector<Accounting> accounting = {};
  std::vector<Fact> facts = {};
  std::vector<ClockDomain> clocks = {};
  std::vector<ClockRelation> clock_relations = {};
  std::vector<Resource> resources = {};
  std::vector<Track> tracks = {};
  std::vector<Run> runs = {};
  TaskTable tasks = {};
  TaskEdgeTable task_edges = {};
  ArgTable args = {};
  SliceTable slices = {};
  StageTable stages = {};
  FlowTable flows = {};
  FlowEndTable flow_ends = {};
  InstantTable instants = {};
  CounterTable counters = {};
  StateTable states = {};
  QualityTable quality = {};
};

// Calls visit(name, &Trace::rows, &TraceParts::rows) for every table of the schema but the samples and knots
// of clock relations, which are listed with their relation. A row names rows of its own table and of tables
// before it; only a run's root is in a later one.
template <class Visit>
void for_each_table(Visit&& visit) {
  visit("sources", &Trace::sources, &TraceParts::sources);
  visit("accounting", &Trace::accounting, &TraceParts::accounting);
  visit("facts", &Trace::facts, &TraceParts::facts);
  visit("clocks", &Trace::clocks, &TraceParts::clocks);
  visit("clock_relations", &Trace::clock_relations, &TraceParts::clock_relations);
  visit("resources", &Trace::resources, &TraceParts::resources);
  visit("tracks", &Trace::tracks, &TraceParts::tracks);
  visit("runs", &Trace::runs, &TraceParts::runs);
  visit("tasks", &Trace::tasks, &TraceParts::tasks);
  visit("task_edges", &Trace::task_edges, &TraceParts::task_edges);
  visit("args", &Trace::args, &TraceParts::args);
  visit("slices", &Trace::slices, &TraceParts::slices);
  visit("stages", &Trace::stages, &TraceParts::stages);
  visit("flows", &Trace::flows, &TraceParts::flows);
  visit("flow_ends", &Trace::flow_ends, &TraceParts::flow_ends);
  visit("instants", &Trace::instants, &TraceParts::instants);
  visit("counters", &Trace::counters, &TraceParts::counters);
  visit("states", &Trace::states, &TraceParts::states);
}

// Sets to "none" whatever names a row that is not there: what is left of a trace that was cut stands by
// itself.
void forget_missing_rows(TraceParts& parts);

// A kMalformed error says what the parts contradict.
base::Result<Trace> trace_from(TraceParts parts);

}  // namespace accelscope::trace
