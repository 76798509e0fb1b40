// One Trace from all files of a run (docs/trace-model.md, "A run of a chip").
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/beside.h"
#include "formats/chip_run/chip_run_files.h"
#include "formats/chip_run/clock_alignment.h"
#include "formats/chip_run/control_lanes.h"
#include "formats/chip_run/core_lanes.h"
#include "formats/chip_run/host_lanes.h"
#include "formats/chip_run/pipe_lanes.h"
#include "formats/chip_run/run_facts.h"
#include "formats/chip_run/scope_counters.h"
#include "formats/chip_run/task_graph.h"
#include "formats/chip_run/times.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using base::Result;
using chip_swimlane::Capture;
using trace::ClockId;
using trace::SliceId;
using trace::StringId;
using trace::Ticks;
using trace::TraceBuilder;
using trace::TrackId;

class ChipTrace {
 public:
  ChipTrace(Capture capture, const Siblings& siblings)
      : capture_(std::move(capture)), siblings_(siblings), functions_(builder_, siblings.names) {}

  Result<trace::Trace> make(const trace::SourceFile& source) {
    add_sources(source);
    device_ = builder_.add_clock({builder_.intern("device counter"), capture_.frequency});
    add_run_facts(capture_, siblings_.recorder.has_value(), builder_);
    base::Beside<std::optional<DeviceSpan>> span([this] { return device_span(capture_); },
                                                 is_worth_a_thread(capture_));
    collect();
    span_ = span.get();
    // Tracks in the order in which their slices follow, so that nothing needs sorting.
    const ControlTracks control = add_control_tracks(capture_, device_, builder_);
    const std::vector<TrackId> cores =
        add_core_tracks(capture_, device_, control.schedulers, span_, builder_);
    add_scheduler_phases(capture_, control, tasks_, builder_);
    for (std::size_t i = 0; i < control.orchestrators.size(); ++i)
      if (control.orchestrators[i] != TrackId::kNone)
        add_submits(capture_, capture_.orchestrators[i], control.orchestrators[i], tasks_, builder_);
    base::Beside<Fanout> fanout([this] { return resolve_fanout(capture_.fanout, tasks_); },
                                graph_ == nullptr && is_worth_a_thread(capture_));
    const std::vector<trace::RowRange> dispatches = rows_of_dispatches(capture_, builder_.slice_count());
    add_dispatches(capture_, cores, {tasks_, graph_, siblings_.pmu ? &*siblings_.pmu : nullptr, functions_},
                   builder_);
    if (siblings_.pipes) add_pipe_lanes(*siblings_.pipes, cores, dispatches, builder_);
    add_ready_queues(capture_, device_, builder_);
    add_host();
    add_scopes();
    if (graph_ != nullptr)
      add_edges(*graph_, tasks_, builder_);
    else if (!capture_.fanout.empty())
      add_edges(fanout.get(), builder_);
    if (graph_ != nullptr || !capture_.fanout.empty())
      builder_.add_fact(trace::fact::kDependenciesRecorded, trace::Value::of_bool(true));
    finish_tasks(capture_, graph_, functions_, tasks_, builder_);
    if (siblings_.recorder)
      add_recorder_account(*siblings_.recorder, {cores, control.schedulers, control.orchestrators}, device_,
                           builder_);
    return std::move(builder_).finish();
  }

 private:
  void add_sources(const trace::SourceFile& source) {
    builder_.add_source(source);
    for (const trace::SourceFile& sibling : siblings_.sources) builder_.add_source(sibling);
    builder_.quality().append(capture_.quality);
    builder_.quality().append(siblings_.quality);
    if (siblings_.deps) builder_.quality().append(siblings_.deps->quality);
    if (siblings_.pmu) builder_.quality().append(siblings_.pmu->quality);
    if (siblings_.scope_stats) builder_.quality().append(siblings_.scope_stats->quality);
    if (siblings_.host_phases) builder_.quality().append(siblings_.host_phases->quality);
    if (siblings_.log) builder_.quality().append(siblings_.log->quality);
    if (siblings_.pipes) builder_.quality().append(siblings_.pipes->quality);
  }

  void collect() {
    graph_ = siblings_.deps ? &*siblings_.deps : nullptr;
    tasks_ = collect_tasks(capture_, graph_, builder_);
    if (graph_ == nullptr) return;
    if (belongs_to_run(*graph_, tasks_, builder_.quality()))
      add_dependency_tasks(*graph_, builder_, tasks_);
    else
      graph_ = nullptr;
  }

  bool orchestrated_by_host() const {
    return std::any_of(capture_.host_orchestrators.begin(), capture_.host_orchestrators.end(),
                       [](const auto& rows) { return !rows.empty(); });
  }

  // Times of the swimlane's own host records, which the host's files list again.
  Drawn drawn_by_swimlane() const {
    Drawn drawn;
    for (const auto& stream : capture_.host_orchestrators)
      for (const chip_swimlane::SubmitRow& submit : stream) drawn.emplace_back(submit.start, submit.end);
    for (const chip_swimlane::UploadRow& upload : capture_.uploads)
      drawn.emplace_back(upload.start_ns, upload.end_ns);
    std::sort(drawn.begin(), drawn.end());
    return drawn;
  }

  // The host's own records name the call that a submit of the swimlane was.
  void mark_allocations(const Drawn& drawn) {
    for (const host_phases::HostPass& pass : siblings_.host_phases->passes)
      for (const host_phases::HostPhase& phase : pass.records)
        if (phase.phase == "alloc_tensors" &&
            std::binary_search(drawn.begin(), drawn.end(), std::pair(phase.start_ns, phase.end_ns)))
          if (const trace::TaskId task = tasks_.index.find(phase.detail); task != trace::TaskId::kNone)
            tasks_.marks[trace::index(task)] |= static_cast<std::uint8_t>(kAllocated);
  }

  void add_host() {
    HostLanes lanes(builder_);
    const Drawn drawn = drawn_by_swimlane();
    if (siblings_.host_phases) {
      mark_allocations(drawn);
      lanes.add(*siblings_.host_phases, drawn, &tasks_.index);
    }
    if (siblings_.log) lanes.add(*siblings_.log);
    if (drawn.empty() && lanes.empty()) return;
    host_ = builder_.add_clock({builder_.intern("host"), base::Frequency::nanoseconds()});
    relate_clocks(drawn, lanes);
    if (!drawn.empty()) add_orchestration();
    lanes.write(host_);
  }

  void relate_clocks(const Drawn& drawn, const HostLanes& lanes) {
    std::int64_t begin = lanes.device_run_begin().value_or(lanes.last_time());
    if (!drawn.empty()) {
      begin = drawn.front().second;
      for (const auto& [start, end] : drawn) begin = std::max(begin, end);
    }
    const ClockAlignment alignment = align_clocks(capture_, span_, begin, {host_, device_});
    builder_.add_clock_relation(alignment.relation);
    if (alignment.measured()) return;
    const bool matters = !drawn.empty();
    builder_.quality().add(
        {.id = "chip_run.clocks_not_aligned",
         .severity = matters ? trace::Severity::kWarning : trace::Severity::kInfo,
         .sentence =
             fmt::format("The clocks of host and device are not aligned: {}. The device is drawn {}, and no "
                         "latency is taken from one to the other.",
                         alignment.reason,
                         matters ? "directly after the last host time" : "where the host waits for it")});
  }

  void add_orchestration() {
    const TrackId group = builder_.add_track({.name = builder_.intern("host"),
                                              .level = trace::TrackLevel::kProcess,
                                              .kind = trace::TrackKind::kGroup,
                                              .clock = host_});
    const std::size_t count = capture_.host_orchestrators.size();
    for (std::size_t i = 0; i < count; ++i)
      if (!capture_.host_orchestrators[i].empty())
        add_submits(capture_, capture_.host_orchestrators[i],
                    add_orchestrator_track(group, host_, i, count, builder_), tasks_, builder_);
    add_uploads(group);
  }

  void add_uploads(TrackId group) {
    if (capture_.uploads.empty()) return;
    const StringId name = builder_.intern("uploads");
    const TrackId track = builder_.add_track(
        {.name = name,
         .parent = group,
         .clock = host_,
         .resource = builder_.add_resource({name, builder_.intern(trace::engine::kHost)})});
    std::stable_sort(capture_.uploads.begin(), capture_.uploads.end(),
                     [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
    for (const chip_swimlane::UploadRow& upload : capture_.uploads) {
      const SliceId slice = builder_.add_slice({.track = track,
                                                .start = Ticks{upload.start_ns},
                                                .duration = duration_between(upload.start_ns, upload.end_ns),
                                                .name = builder_.intern(upload.phase),
                                                .category = builder_.category(trace::category::kUpload)});
      builder_.add_slice_arg(slice, trace::arg::kBytes, trace::Value::of_uint(upload.bytes));
    }
  }

  void add_scopes() {
    if (!siblings_.scope_stats) return;
    add_scope_facts(*siblings_.scope_stats, builder_);
    const ClockId clock = orchestrated_by_host() && capture_.orchestrators.empty() ? host_ : device_;
    add_scope_counters(*siblings_.scope_stats, submit_times(capture_), clock, builder_);
  }

  Capture capture_;
  const Siblings& siblings_;
  TraceBuilder builder_;
  Functions functions_;
  RunTasks tasks_;
  const deps::Dependencies* graph_ = nullptr;
  std::optional<DeviceSpan> span_;
  ClockId device_ = ClockId::kNone;
  ClockId host_ = ClockId::kNone;
};

trace::SourceFile source_of(const base::MappedFile& file) {
  return {file.path(), "chip-swimlane", "", file.size()};
}

bool has_files(const SiblingSearch& search) {
  const auto has_any = [](const SiblingPaths& paths) {
    return std::any_of(paths.begin(), paths.end(), [](const std::string& path) { return !path.empty(); });
  };
  return has_any(search.given) || has_any(search.found);
}

}  // namespace

Result<trace::Trace> make_chip_trace(Capture capture, const Siblings& siblings,
                                     const trace::SourceFile& source) {
  return ChipTrace(std::move(capture), siblings).make(source);
}

Result<trace::Trace> read_run(const base::MappedFile& file, const Siblings& siblings) {
  ACCELSCOPE_TRY(Capture capture, chip_swimlane::read_capture(file));
  return make_chip_trace(std::move(capture), siblings, source_of(file));
}

Result<trace::Trace> read_run_and_siblings(const base::MappedFile& file, const SiblingSearch& search) {
  // Dependencies are often larger than the swimlane. Where no thread can be had, they are read behind it.
  base::Beside<Result<Siblings>> reading([&] { return read_siblings(search); }, has_files(search));
  Result<Capture> capture = chip_swimlane::read_capture(file);
  ACCELSCOPE_TRY(const Siblings siblings, reading.get());
  if (!capture) return tl::unexpected(capture.error());
  return make_chip_trace(std::move(*capture), siblings, source_of(file));
}

}  // namespace accelscope::formats::chip_run
