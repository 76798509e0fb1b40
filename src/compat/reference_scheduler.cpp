#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "compat/python_text.h"
#include "compat/reference_labels.h"
#include "compat/reference_picture.h"
#include "trace/function_numbers.h"
#include "trace/vocabulary.h"

namespace accelscope::compat {
namespace {

using base::JsonWriter;
namespace control = trace::control;
namespace phase = trace::phase;

std::string_view colour_of(std::string_view kind) {
  struct Colour {
    std::string_view kind;
    std::string_view name;
  };
  static constexpr std::array<Colour, 11> kColours = {{{phase::kComplete, "good"},
                                                       {phase::kDispatch, "terrible"},
                                                       {phase::kAsyncPoll, "yellow"},
                                                       {phase::kRelease, "olive"},
                                                       {phase::kDummy, "grey"},
                                                       {phase::kEarlyDispatch, "rail_animation"},
                                                       {control::kGraphPrepare, "rail_animation"},
                                                       {phase::kDrain, "cq_build_running"},
                                                       {phase::kDrainPrepare, "cq_build_attempt_runnable"},
                                                       {phase::kDrainPublish, "cq_build_attempt_passed"},
                                                       {phase::kResolve, "vsync_highlight_color"}}};
  const auto* found = std::find_if(kColours.begin(), kColours.end(),
                                   [&](const Colour& colour) { return colour.kind == kind; });
  return found == kColours.end() ? std::string_view() : found->name;
}

bool is_marker(std::string_view kind) {
  return kind == control::kDummyTask || kind == control::kPredicatedSkip;
}

// A task that a control CPU retires stands in the worker view, on that CPU.
class MarkerWriter {
 public:
  MarkerWriter(ReferencePicture& picture, ReferenceEvents& events)
      : picture_(picture), events_(events), functions_(*picture.run.trace) {}

  void write(const ReferencePhase& marker, std::int64_t thread) {
    const ReferenceRun& run = picture_.run;
    const std::uint32_t task = run.find_task(marker.task);
    if (task == ReferenceRun::kNoTask) return;
    const bool dummy = marker.kind == control::kDummyTask;
    const std::uint64_t task_id = run.tasks[task].id;
    const std::string name =
        dummy ? fmt::format("dummy({})", trace::task_label(task_id)) : name_of_skipped(task);
    const double start = run.clock.us(marker.start);
    const std::uint64_t id = events_.next_bar_id();
    JsonWriter& json = events_.json();
    json.begin_object().key("args").begin_object();
    json.member("loop_iter", marker.loop).member("task_id", task_id).member("event-hint", name);
    if (dummy)
      json.member("phase", control::kDummyTask);
    else
      json.member("predicated_pass", false);
    json.end_object().member("cat", "event").member("id", id);
    events_.end_bar({.name = name,
                     .process = kWorkerView,
                     .thread = control_thread(thread),
                     .ts = start,
                     .dur = std::max(run.clock.us(marker.end) - start, kMarkerWidth)});
    picture_.control_bar_of_task[task] = static_cast<std::uint32_t>(picture_.control_bars.size());
    picture_.control_bars.push_back({task, control_thread(thread), start, marker.end, marker.start, id});
  }

 private:
  // A skipped task runs nowhere, but its function is known: the first of those that the task names.
  std::string name_of_skipped(std::uint32_t task) const {
    const ReferenceRun& run = picture_.run;
    const ReferenceTask& described = run.tasks[task];
    const trace::StringId name = run.trace->tasks().name[trace::index(described.task)];
    const std::string_view joined = run.trace->text(name);
    const std::string_view first = joined.substr(0, joined.find('+'));
    return bar_name({.name = first,
                     .function = functions_.number_of_text(first),
                     .task_id = described.id,
                     .spmd = described.spmd});
  }

  ReferencePicture& picture_;
  ReferenceEvents& events_;
  trace::FunctionNumbers functions_;
};

void write_phase(const ReferenceRun& run, const ReferencePhase& item, std::int64_t thread,
                 std::uint32_t rows_finished, ReferenceEvents& events) {
  JsonWriter& json = events.json();
  json.begin_object().key("args").begin_object();
  json.member("phase", item.kind)
      .member("loop_iter", item.loop)
      .member("tasks_processed", item.tasks_processed);
  if (!item.queues_at_start.empty()) json.key("shared_at_start (aic,aiv,mix)").raw(item.queues_at_start);
  if (!item.queues_at_end.empty()) json.key("shared_at_end (aic,aiv,mix)").raw(item.queues_at_end);
  if (item.kind == phase::kComplete)
    json.member("finishes_processed", item.tasks_processed).member("finish_rows_attributed", rows_finished);
  json.end_object().member("cat", "scheduler");
  if (const std::string_view colour = colour_of(item.kind); !colour.empty()) json.member("cname", colour);
  const double start = run.clock.us(item.start);
  const std::int64_t lane = item.kind == phase::kResolve ? 1 : 0;
  events.end_bar({.name = fmt::format("{}({})", item.kind, item.tasks_processed),
                  .process = kSchedulerProcess,
                  .thread = scheduler_thread(thread) + lane,
                  .ts = start,
                  .dur = run.clock.us(item.end) - start});
}

// "[1,2,3]" as the series of one counter.
void write_queue_counter(std::string_view depths, double ts, ReferenceEvents& events) {
  static constexpr std::array<std::string_view, 3> kSeries = {"AIC", "AIV", "MIX"};
  JsonWriter& json = events.json();
  json.begin_object().key("args").begin_object();
  if (depths.size() > 2) depths = depths.substr(1, depths.size() - 2);
  for (const std::string_view series : kSeries) {
    const std::size_t comma = depths.find(',');
    if (!depths.empty()) json.key(series).raw(depths.substr(0, comma));
    depths = comma == std::string_view::npos ? std::string_view() : depths.substr(comma + 1);
  }
  json.end_object().member("cat", "queue").member("name", "shared_ready_queue").member("ph", "C");
  json.member("pid", kSchedulerProcess).member("tid", kReadyQueueThread);
  python_member(json, "ts", ts);
  json.end_object();
}

std::uint32_t rows_finished_in(const ReferencePicture& picture, const ReferencePhase& item,
                               std::int64_t thread) {
  const auto found =
      std::partition_point(picture.completes.begin(), picture.completes.end(), [&](const CompleteBar& bar) {
        return bar.thread < thread || (bar.thread == thread && bar.start < item.start);
      });
  if (found == picture.completes.end() || found->thread != thread || found->start != item.start) return 0;
  return picture.rows_of_complete[static_cast<std::size_t>(found - picture.completes.begin())];
}

}  // namespace

void write_scheduler(ReferencePicture& picture, ReferenceEvents& events) {
  const ReferenceRun& run = picture.run;
  events.name_process(kSchedulerProcess, "AICPU Scheduler");
  events.sort_process(kSchedulerProcess, 2);
  MarkerWriter markers(picture, events);
  auto thread = run.threads.begin();
  for (std::int64_t number = 0; number < scheduler_lanes(run); ++number) {
    const std::string name = fmt::format("Sched_{}", number);
    events.name_thread(kSchedulerProcess, scheduler_thread(number), name);
    if (thread == run.threads.end() || thread->number != number) continue;
    if (std::any_of(thread->phases.begin(), thread->phases.end(),
                    [](const ReferencePhase& item) { return item.kind == phase::kResolve; }))
      events.name_thread(kSchedulerProcess, scheduler_thread(number) + 1, name);
    for (const ReferencePhase& item : thread->phases) {
      if (is_marker(item.kind)) {
        markers.write(item, number);
        continue;
      }
      write_phase(run, item, number, rows_finished_in(picture, item, number), events);
      const bool sampled = item.kind == phase::kComplete || item.kind == phase::kDispatch;
      if (sampled && !item.queues_at_end.empty())
        write_queue_counter(item.queues_at_end, run.clock.us(item.end), events);
    }
    ++thread;
  }
  events.name_thread(kSchedulerProcess, kReadyQueueThread, "shared_ready_queue (global)");
  events.sort_thread(kSchedulerProcess, kReadyQueueThread, 100);
}

}  // namespace accelscope::compat
