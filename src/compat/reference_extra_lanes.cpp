// Lanes that only some runs have. No recording at hand has them, so that only what is documented of the
// reference's output is reproduced: the places and the times.
#include <fmt/core.h>

#include <algorithm>

#include "compat/python_text.h"
#include "compat/reference_picture.h"
#include "trace/vocabulary.h"

namespace accelscope::compat {
namespace {

using base::JsonWriter;

std::string_view kind_of(const ReferenceRun& run, std::uint32_t task) {
  return run.trace->text(run.trace->tasks().kind[trace::index(run.tasks[task].task)]);
}

// A graph that was submitted as one task, from the start of its preparation to the end of its last node.
struct Envelope {
  std::uint32_t task = 0;
  Ticks start = Ticks::max();
  Ticks end = Ticks::min();
  std::uint64_t nodes = 0;
  std::uint64_t prepares = 0;
  double prepare_us = 0;
};

std::vector<Envelope> envelopes_of(const ReferenceRun& run) {
  std::vector<std::uint32_t> place(run.tasks.size(), ReferenceRun::kNoTask);
  std::vector<Envelope> envelopes;
  for (const ReferenceThread& thread : run.threads)
    for (const ReferencePhase& phase : thread.phases) {
      const std::uint32_t task = run.find_task(phase.task);
      if (phase.kind != trace::control::kGraphPrepare || task == ReferenceRun::kNoTask) continue;
      if (place[task] == ReferenceRun::kNoTask) {
        place[task] = static_cast<std::uint32_t>(envelopes.size());
        envelopes.push_back({.task = task});
      }
      Envelope& envelope = envelopes[place[task]];
      envelope.start = std::min(envelope.start, phase.start);
      envelope.end = std::max(envelope.end, phase.end);
      envelope.nodes += phase.tasks_processed;
      ++envelope.prepares;
      envelope.prepare_us += run.clock.us(phase.end) - run.clock.us(phase.start);
    }
  for (const ReferenceRow& row : run.rows) {
    const trace::TaskId parent = run.trace->tasks().parent[trace::index(run.tasks[row.task].task)];
    const std::uint32_t task = run.find_task(parent);
    if (task == ReferenceRun::kNoTask || place[task] == ReferenceRun::kNoTask) continue;
    envelopes[place[task]].end = std::max(envelopes[place[task]].end, row.end);
  }
  std::stable_sort(envelopes.begin(), envelopes.end(),
                   [](const Envelope& a, const Envelope& b) { return a.start < b.start; });
  return envelopes;
}

void write_envelope(const ReferenceRun& run, const Envelope& envelope, std::size_t lane,
                    ReferenceEvents& events) {
  const double start = run.clock.us(envelope.start);
  const std::uint64_t task_id = run.tasks[envelope.task].id;
  JsonWriter& json = events.json();
  json.begin_object().key("args").begin_object().member("task_id", task_id);
  json.member("node_count", envelope.nodes).member("prepare_count", envelope.prepares);
  python_member(json, "prepare-duration-us", envelope.prepare_us);
  json.end_object().member("cat", "graph");
  events.end_bar({.name = fmt::format("graph({})", trace::task_label(task_id)),
                  .process = kGraphProcess,
                  .thread = kGraphThread + static_cast<std::int64_t>(lane),
                  .ts = start,
                  .dur = run.clock.us(envelope.end) - start});
}

}  // namespace

void write_graphs(const ReferencePicture& picture, ReferenceEvents& events) {
  const ReferenceRun& run = picture.run;
  const std::vector<Envelope> envelopes = envelopes_of(run);
  if (envelopes.empty()) return;
  events.name_process(kGraphProcess, "Graph Execution");
  events.sort_process(kGraphProcess, 1);
  std::vector<Ticks> free_at;
  for (const Envelope& envelope : envelopes) {
    auto lane =
        std::find_if(free_at.begin(), free_at.end(), [&](Ticks time) { return time <= envelope.start; });
    const auto number = static_cast<std::size_t>(lane - free_at.begin());
    if (lane == free_at.end()) {
      free_at.push_back(envelope.end);
      events.name_thread(kGraphProcess, kGraphThread + static_cast<std::int64_t>(number),
                         fmt::format("Graph_{}", number));
    } else {
      *lane = envelope.end;
    }
    write_envelope(run, envelope, number, events);
  }
}

void write_allocations(ReferencePicture& picture, ReferenceEvents& events) {
  const ReferenceRun& run = picture.run;
  const std::int64_t thread = control_thread(control_cpus(run) - 1);
  for (const std::vector<ReferenceSubmit>& submits : run.orchestrators)
    for (const ReferenceSubmit& submit : submits) {
      const std::uint32_t task = run.find_task(submit.task);
      if (task == ReferenceRun::kNoTask || kind_of(run, task) != trace::task_kind::kAllocation) continue;
      const double start = run.submit_us(submit.start);
      const std::string name = fmt::format("alloc({})", trace::task_label(submit.task_id));
      const std::uint64_t id = events.next_bar_id();
      JsonWriter& json = events.json();
      json.begin_object().key("args").begin_object().member("submit_idx", submit.index);
      json.member("task_id", submit.task_id).member("event-hint", name).member("phase", "alloc").end_object();
      json.member("cat", "event").member("id", id);
      events.end_bar({.name = name,
                      .process = kWorkerView,
                      .thread = thread,
                      .ts = start,
                      .dur = std::max(run.submit_us(submit.end) - start, kMarkerWidth)});
      picture.control_bar_of_task[task] = static_cast<std::uint32_t>(picture.control_bars.size());
      picture.control_bars.push_back({task, thread, start, submit.end, submit.start, id});
    }
}

}  // namespace accelscope::compat
