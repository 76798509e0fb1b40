// A trace as lines of text without numbers of strings, so that traces that came to their rows by different
// ways can be compared: facts, clocks, tracks, slices with arguments and stages, counters, tasks, edges,
// accounting. Sources and Quality, which say where a trace came from, are not in it.
//
//   EXPECT_EQ(tests::trace_text(a), tests::trace_text(b));
//   tests::trace_text(a, {.zero = Ticks{5}, .in_nanoseconds = true})      // times from 5 on
#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

#include "trace/trace.h"

namespace accelscope::tests {

struct TraceTextOptions {
  base::Ticks zero = {};        // taken from all times of the first clock
  bool in_nanoseconds = false;  // instead of ticks
  bool functions = true;        // names of slices of category "task", and of tasks
};

class TraceText {
 public:
  TraceText(const trace::Trace& trace, TraceTextOptions options) : trace_(trace), options_(options) {}

  std::vector<std::string> lines() && {
    for (const trace::Fact& fact : trace_.facts())
      add("fact {} = {}", trace_.text(fact.key), value(fact.value));
    for (const trace::ClockDomain& clock : trace_.clocks())
      add("clock {} {}/{}", trace_.text(clock.name), clock.frequency.ticks, clock.frequency.seconds);
    for (const trace::ClockRelation& relation : trace_.clock_relations()) add_relation(relation);
    for (std::uint32_t id = 0; id < trace_.tracks().size(); ++id) add_track(trace::TrackId{id});
    add_tasks();
    for (const trace::Accounting& row : trace_.accounting())
      add("accounting {} {}: {} {} {}", trace_.text(row.producer), trace_.text(row.drop_reason), row.produced,
          row.collected, row.dropped);
    return std::move(lines_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    lines_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  std::string value(trace::Value value) const {
    if (value.holds_text()) return std::string(trace_.text(value.as_text()));
    return fmt::format("{}:{}", static_cast<int>(value.type), value.bits);
  }

  std::int64_t length(base::Ticks ticks, trace::ClockId clock) const {
    return options_.in_nanoseconds ? trace_.clock(clock).frequency.to_nanoseconds(ticks).value : ticks.value;
  }
  std::int64_t time(base::Ticks ticks, trace::ClockId clock) const {
    return length(clock == trace::ClockId{0} ? ticks - options_.zero : ticks, clock);
  }

  void add_relation(const trace::ClockRelation& relation) {
    add("relation {} {} give or take {}", trace::index(relation.from), trace::index(relation.to),
        relation.uncertainty.value);
    for (const trace::ClockSample& sample : relation.samples)
      add("relation sample {} {} {}", sample.from.value, time(sample.to, relation.to),
          sample.round_trip.value);
    for (const trace::ClockKnot& knot : relation.knots)
      add("relation knot {} {}", knot.from.value, time(knot.to, relation.to));
  }

  std::string_view name_of(trace::TrackId track) const {
    return track == trace::TrackId::kNone ? std::string_view("-") : trace_.text(trace_.track(track).name);
  }

  void add_track(trace::TrackId id) {
    const trace::Track& track = trace_.track(id);
    const std::string_view engine =
        track.resource == trace::ResourceId::kNone
            ? "-"
            : trace_.text(trace_.resources()[trace::index(track.resource)].engine);
    add("track {} of {}: level {} kind {} clock {} engine {} number {} order {} fed by {}", name_of(id),
        name_of(track.parent), static_cast<int>(track.level), static_cast<int>(track.kind),
        trace::index(track.clock), engine, track.external_id, track.order, name_of(track.controller));
    if (track.coverage_known)
      add("coverage {} {} {}", name_of(id), time(track.covered_from, track.clock),
          time(track.covered_to, track.clock));
    const trace::RowRange slices = trace_.slices_of(id);
    for (std::uint32_t row = slices.first; row < slices.end(); ++row)
      add_slice(row, slices.first, track.clock);
    const trace::RowRange counters = trace_.counters_of(id);
    for (std::uint32_t row = counters.first; row < counters.end(); ++row)
      add("counter {} {} {}", name_of(id), time(trace_.counters().time[row], track.clock),
          trace_.counters().bits[row]);
  }

  std::string task(trace::TaskId id) const {
    return id == trace::TaskId::kNone ? "-" : fmt::format("{}", trace_.tasks().external_id[trace::index(id)]);
  }

  void add_slice(std::uint32_t row, std::uint32_t first, trace::ClockId clock) {
    const trace::SliceTable& slices = trace_.slices();
    const trace::SliceId parent = slices.parent[row];
    const std::string_view category = trace_.category_name(slices.category[row]);
    std::string line =
        fmt::format("slice {} {} {} from {} for {} flags {} task {} in {}", name_of(slices.track[row]),
                    category, category == "task" && !options_.functions ? "-" : trace_.text(slices.name[row]),
                    time(slices.start[row], clock), length(slices.duration[row], clock),
                    static_cast<int>(slices.flags[row]), task(slices.task[row]),
                    parent == trace::SliceId::kNone ? "-" : fmt::format("{}", trace::index(parent) - first));
    const trace::RowRange stages = trace_.stages_of(trace::SliceId{row});
    for (std::uint32_t stage = stages.first; stage < stages.end(); ++stage)
      line += fmt::format(" {}@{}", trace_.text(trace_.stages().stage[stage]),
                          length(trace_.stages().offset[stage], clock));
    for (trace::ArgId arg = slices.first_arg[row]; arg != trace::ArgId::kNone;
         arg = trace_.args().next[trace::index(arg)])
      line += fmt::format(" {}={}", trace_.text(trace_.args().name[trace::index(arg)]),
                          value(trace_.args().value(arg)));
    lines_.push_back(std::move(line));
  }

  void add_tasks() {
    const trace::TaskTable& tasks = trace_.tasks();
    for (std::uint32_t row = 0; row < tasks.size(); ++row)
      add("task {} {} {} blocks {} parent {} flags {}", tasks.external_id[row], trace_.text(tasks.kind[row]),
          options_.functions ? trace_.text(tasks.name[row]) : "-", tasks.blocks[row], task(tasks.parent[row]),
          static_cast<int>(tasks.flags[row]));
    const trace::TaskEdgeTable& edges = trace_.task_edges();
    for (std::uint32_t row = 0; row < edges.size(); ++row)
      add("edge {} {} {}", task(edges.from[row]), task(edges.to[row]), trace_.text(edges.kind[row]));
  }

  const trace::Trace& trace_;
  TraceTextOptions options_;
  std::vector<std::string> lines_;
};

inline std::vector<std::string> trace_text(const trace::Trace& trace, TraceTextOptions options = {}) {
  return TraceText(trace, options).lines();
}

}  // namespace accelscope::tests
