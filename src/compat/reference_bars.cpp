#include <fmt/core.h>

#include <algorithm>

#include "compat/python_text.h"
#include "compat/reference_labels.h"
#include "compat/reference_picture.h"
#include "trace/vocabulary.h"

namespace accelscope::compat {
namespace {

using base::JsonWriter;

// "2: [t0, r1t7]"
std::string hint(const ReferenceRun& run, std::span<const std::uint32_t> tasks) {
  std::string text = fmt::format("{}: [", tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (i > 0) text += ", ";
    text += trace::task_label(run.tasks[tasks[i]].id);
  }
  return text + "]";
}

std::string event_hint(const ReferenceRun& run, const ReferenceRow& row) {
  return fmt::format("Task:{}, FuncId:{}, CoreId:{}", trace::task_label(run.tasks[row.task].id), row.function,
                     row.core);
}

std::string core_name(const trace::ChipCore& core) {
  return fmt::format("{}_{}", core.engine, core.number);
}

void write_worker_bar(const ReferencePicture& picture, const ReferenceRow& row, ReferenceEvents& events) {
  const ReferenceRun& run = picture.run;
  const double receive = run.clock.us(row.receive);
  const double start = run.clock.us(row.start);
  const double end = run.clock.us(row.end);
  JsonWriter& json = events.json();
  json.begin_object().key("args").begin_object();
  json.member("event-hint", event_hint(run, row));
  json.member("fanout-hint", hint(run, run.consumers_of(row.task)));
  json.member("fanin-hint", hint(run, run.producers_of(row.task)));
  python_member(json, "duration-us", end - receive);
  python_member(json, "kernel-duration-us", end - start);
  python_member(json, "local_setup_us", start - receive);
  json.member("taskId", run.tasks[row.task].id).end_object();
  json.member("cat", "event").member("id", events.next_bar_id());
  events.end_bar({.name = picture.label_of(row),
                  .process = kWorkerView,
                  .thread = core_thread(row.core),
                  .ts = receive,
                  .dur = end - receive});
}

void write_scheduler_view_bar(const ReferencePicture& picture, std::uint32_t index, ReferenceEvents& events) {
  const ReferenceRun& run = picture.run;
  const ReferenceRow& row = run.rows[index];
  const double dispatch = run.clock.us(row.dispatch);
  const double finish = run.clock.us(row.finish);
  JsonWriter& json = events.json();
  json.begin_object().key("args").begin_object();
  json.member("event-hint", event_hint(run, row));
  python_member(json, "dispatch-time-us", dispatch);
  python_member(json, "finish-time-us", finish);
  python_member(json, "aicpu-duration-us", finish - dispatch);
  json.member("taskId", run.tasks[row.task].id).end_object();
  json.member("cat", "event").member("id", events.next_bar_id());
  events.end_bar({.name = picture.label_of(row),
                  .process = kSchedulerView,
                  .thread = core_thread(row.core, picture.lanes[index]),
                  .ts = dispatch,
                  .dur = finish - dispatch});
}

std::vector<bool> cores_with_rows(const ReferenceRun& run) {
  std::vector<bool> used(run.chip.cores.size(), false);
  for (const ReferenceRow& row : run.rows) {
    const auto core =
        std::partition_point(run.chip.cores.begin(), run.chip.cores.end(),
                             [&](const trace::ChipCore& other) { return other.number < row.core; });
    used[static_cast<std::size_t>(core - run.chip.cores.begin())] = true;
  }
  return used;
}

void write_worker_view(const ReferencePicture& picture, ReferenceEvents& events) {
  const ReferenceRun& run = picture.run;
  const std::vector<bool> used = cores_with_rows(run);
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i])
      events.name_thread(kWorkerView, core_thread(run.chip.cores[i].number), core_name(run.chip.cores[i]));
  if (!run.threads.empty())
    for (std::int64_t cpu = 0; cpu < control_cpus(run); ++cpu)
      events.name_thread(kWorkerView, control_thread(cpu), fmt::format("AICPU_{}", cpu));
  for (const ReferenceRow& row : run.rows) write_worker_bar(picture, row, events);
}

void write_scheduler_view(const ReferencePicture& picture, ReferenceEvents& events) {
  const ReferenceRun& run = picture.run;
  for (std::size_t i = 0; i < run.chip.cores.size(); ++i)
    for (std::uint32_t lane = 0; lane < picture.lane_counts[i]; ++lane)
      events.name_thread(kSchedulerView, core_thread(run.chip.cores[i].number, lane),
                         core_name(run.chip.cores[i]));
  for (std::uint32_t row = 0; row < run.rows.size(); ++row) write_scheduler_view_bar(picture, row, events);
}

std::string orchestrator_name(const ReferenceRun& run) {
  if (run.chip.orchestrated_on_host) return "Host Orchestrator";
  for (const trace::Fact& fact : run.trace->facts())
    if (run.trace->text(fact.key) == trace::fact::kOrchestratorName && fact.value.holds_text())
      return fmt::format("AICPU {}", run.trace->text(fact.value.as_text()));
  return "AICPU Orchestrator";
}

void write_uploads(const ReferenceRun& run, ReferenceEvents& events) {
  if (run.uploads.empty()) return;
  events.name_process(kOrchestratorProcess, "Host Prepare");
  events.name_thread(kOrchestratorProcess, kUploadThread, "H2D");
  for (const ReferenceUpload& upload : run.uploads) {
    const double start = run.clock.host_us(upload.start);
    JsonWriter& json = events.json();
    json.begin_object().key("args").begin_object().member("bytes", upload.bytes).end_object();
    json.member("cat", "host_h2d").member("cname", "thread_state_iowait");
    events.end_bar({.name = upload.name,
                    .process = kOrchestratorProcess,
                    .thread = kUploadThread,
                    .ts = start,
                    .dur = run.clock.host_us(upload.end) - start});
  }
}

}  // namespace

void write_orchestrators(const ReferencePicture& picture, ReferenceEvents& events) {
  const ReferenceRun& run = picture.run;
  write_uploads(run, events);
  if (run.orchestrators.empty()) return;
  events.name_process(kOrchestratorProcess, orchestrator_name(run));
  events.sort_process(kOrchestratorProcess, 1);
  for (std::size_t i = 0; i < run.orchestrators.size(); ++i) {
    const std::int64_t thread = kOrchestratorThread + static_cast<std::int64_t>(i);
    const std::string_view prefix = run.chip.orchestrated_on_host ? "Host" : "Orch";
    events.name_thread(kOrchestratorProcess, thread, fmt::format("{}_{}", prefix, i));
    for (const ReferenceSubmit& submit : run.orchestrators[i]) {
      const double start = run.submit_us(submit.start);
      const double end = run.submit_us(submit.end);
      JsonWriter& json = events.json();
      json.begin_object().key("args").begin_object().member("phase", "orch_submit");
      json.member("submit_idx", submit.index).member("task_id", submit.task_id).end_object();
      json.member("cat", "orchestrator").member("cname", "rail_animation");
      events.end_bar({.name = fmt::format("submit({})", trace::task_label(submit.task_id)),
                      .process = kOrchestratorProcess,
                      .thread = thread,
                      .ts = start,
                      .dur = end - start});
    }
  }
}

void write_bars(ReferencePicture& picture, ReferenceEvents& events) {
  const ReferenceRun& run = picture.run;
  events.name_process(kWorkerView, "Worker View");
  events.sort_process(kWorkerView, 4);
  if (run.has_dispatch_times) {
    events.name_process(kSchedulerView, "Scheduler View");
    events.sort_process(kSchedulerView, 3);
  }
  write_worker_view(picture, events);
  if (run.has_dispatch_times) write_scheduler_view(picture, events);
  if (!run.threads.empty()) write_scheduler(picture, events);
  write_orchestrators(picture, events);
  write_allocations(picture, events);
  write_graphs(picture, events);
}

}  // namespace accelscope::compat
