#include "formats/chip_run/control_lanes.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "formats/chip_run/times.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::Capture;
using chip_swimlane::PhaseRow;
using trace::SliceId;
using trace::StringId;
using trace::Ticks;
using trace::TrackId;
using trace::Value;

TrackId add_thread(TrackId group, trace::ClockId clock, const std::string& name, std::string_view engine,
                   std::size_t number, std::int32_t order, trace::TraceBuilder& builder) {
  const StringId text = builder.intern(name);
  return builder.add_track({.name = text,
                            .parent = group,
                            .clock = clock,
                            .resource = builder.add_resource({text, builder.intern(engine)}),
                            .external_id = static_cast<std::int64_t>(number),
                            .order = order},
                           trace::Nesting::kByStart);
}

// Of phases that begin together the longer is outside, of equal ones that which others can lie in.
int nesting_rank(std::string_view kind) {
  if (mark_of_phase(kind) == kDummyMarker || mark_of_phase(kind) == kSkipMarker) return 2;
  const bool inner = kind == trace::phase::kResolve || kind == trace::phase::kDrainPrepare ||
                     kind == trace::phase::kDrainPublish;
  return inner ? 1 : 0;
}

std::vector<std::uint32_t> outer_first(const std::vector<PhaseRow>& phases, const Capture& capture) {
  std::vector<int> ranks;
  for (const std::string& kind : capture.phase_kinds) ranks.push_back(nesting_rank(kind));
  std::vector<std::uint32_t> order(phases.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    const PhaseRow& a = phases[left];
    const PhaseRow& b = phases[right];
    if (a.start != b.start) return a.start < b.start;
    if (a.end != b.end) return a.end > b.end;
    return ranks[a.kind] < ranks[b.kind];
  });
  return order;
}

class PhaseWriter {
 public:
  PhaseWriter(const Capture& capture, const RunTasks& tasks, trace::TraceBuilder& builder)
      : tasks_(tasks),
        builder_(builder),
        phase_(builder.category(trace::category::kSchedulerPhase)),
        control_(builder.category(trace::category::kControlTask)),
        loop_(builder.intern(trace::arg::kLoop)),
        tasks_processed_(builder.intern(trace::arg::kTasksProcessed)),
        pop_hits_(builder.intern(trace::arg::kPopHits)),
        pop_misses_(builder.intern(trace::arg::kPopMisses)),
        queues_at_start_(builder.intern(trace::arg::kQueuesAtStart)),
        queues_at_end_(builder.intern(trace::arg::kQueuesAtEnd)) {
    for (const std::string& kind : capture.phase_kinds)
      kinds_.push_back({builder.intern(kind), mark_of_phase(kind)});
  }

  void add(const PhaseRow& row, TrackId track) {
    const Kind& kind = kinds_[row.kind];
    const bool marker = kind.mark == kDummyMarker || kind.mark == kSkipMarker;
    const SliceId slice =
        builder_.add_slice({.track = track,
                            .start = Ticks{row.start},
                            .duration = duration_between(row.start, row.end),
                            .name = kind.name,
                            .category = kind.mark != 0 ? control_ : phase_,
                            .flags = flag_of_end(row.end_unknown) |
                                     (marker ? trace::SliceFlag::kMarker : trace::SliceFlag::kNone),
                            .task = row.task ? tasks_.index.find(*row.task) : trace::TaskId::kNone});
    builder_.add_slice_arg(slice, loop_, Value::of_uint(row.loop));
    builder_.add_slice_arg(slice, tasks_processed_, Value::of_uint(row.tasks_processed));
    if (row.pop_hits) builder_.add_slice_arg(slice, pop_hits_, Value::of_uint(*row.pop_hits));
    if (row.pop_misses) builder_.add_slice_arg(slice, pop_misses_, Value::of_uint(*row.pop_misses));
    add_queues(slice, queues_at_start_, row.queues_at_start);
    add_queues(slice, queues_at_end_, row.queues_at_end);
  }

 private:
  struct Kind {
    StringId name = StringId::kEmpty;
    std::uint32_t mark = 0;
  };

  void add_queues(SliceId slice, StringId name, const std::optional<std::array<std::int64_t, 3>>& depths) {
    if (!depths) return;
    // A phase mostly finds what the one before it left.
    if (*depths != last_depths_) {
      last_depths_ = *depths;
      last_depths_text_ =
          builder_.intern(fmt::format("[{},{},{}]", last_depths_[0], last_depths_[1], last_depths_[2]));
    }
    builder_.add_slice_arg(slice, name, Value::of_json(last_depths_text_));
  }

  const RunTasks& tasks_;
  trace::TraceBuilder& builder_;
  trace::CategoryId phase_;
  trace::CategoryId control_;
  StringId loop_;
  StringId tasks_processed_;
  StringId pop_hits_;
  StringId pop_misses_;
  StringId queues_at_start_;
  StringId queues_at_end_;
  std::array<std::int64_t, 3> last_depths_ = {-1, -1, -1};  // of no queue
  StringId last_depths_text_ = StringId::kEmpty;
  std::vector<Kind> kinds_;
};

struct QueueSample {
  std::int64_t time = 0;
  std::array<std::int64_t, 3> depths = {};
};

// Only these phases look at the queues; the others carry zeros that mean nothing.
bool samples_queues(const Capture& capture, const PhaseRow& phase) {
  const std::string& kind = capture.phase_kinds[phase.kind];
  return kind == trace::phase::kComplete || kind == trace::phase::kDispatch;
}

std::vector<QueueSample> queue_samples(const Capture& capture) {
  std::vector<QueueSample> samples;
  for (const auto& thread : capture.scheduler_threads)
    for (const PhaseRow& phase : thread) {
      if (!samples_queues(capture, phase)) continue;
      if (phase.queues_at_start) samples.push_back({phase.start, *phase.queues_at_start});
      if (phase.queues_at_end) samples.push_back({phase.end, *phase.queues_at_end});
    }
  std::stable_sort(samples.begin(), samples.end(),
                   [](const QueueSample& a, const QueueSample& b) { return a.time < b.time; });
  return samples;
}

}  // namespace

TrackId add_orchestrator_track(TrackId group, trace::ClockId clock, std::size_t number, std::size_t of,
                               trace::TraceBuilder& builder) {
  // Above the scheduler threads: it is where work begins.
  return add_thread(group, clock, of > 1 ? fmt::format("orchestrator {}", number) : "orchestrator",
                    trace::engine::kOrchestrator, number, static_cast<std::int32_t>(number) - 1000, builder);
}

ControlTracks add_control_tracks(const Capture& capture, trace::ClockId clock, trace::TraceBuilder& builder) {
  const auto has_rows = [](const auto& rows) { return !rows.empty(); };
  ControlTracks tracks;
  tracks.schedulers.assign(capture.scheduler_threads.size(), TrackId::kNone);
  tracks.orchestrators.assign(capture.orchestrators.size(), TrackId::kNone);
  if (std::none_of(capture.scheduler_threads.begin(), capture.scheduler_threads.end(), has_rows) &&
      std::none_of(capture.orchestrators.begin(), capture.orchestrators.end(), has_rows))
    return tracks;
  const TrackId group = builder.add_track({.name = builder.intern("control CPUs"),
                                           .level = trace::TrackLevel::kProcess,
                                           .kind = trace::TrackKind::kGroup,
                                           .clock = clock});
  for (std::size_t i = 0; i < tracks.schedulers.size(); ++i)
    if (!capture.scheduler_threads[i].empty())
      tracks.schedulers[i] = add_thread(group, clock, fmt::format("scheduler {}", i),
                                        trace::engine::kScheduler, i, static_cast<std::int32_t>(i), builder);
  for (std::size_t i = 0; i < tracks.orchestrators.size(); ++i)
    if (!capture.orchestrators[i].empty())
      tracks.orchestrators[i] = add_orchestrator_track(group, clock, i, tracks.orchestrators.size(), builder);
  return tracks;
}

void add_scheduler_phases(const Capture& capture, const ControlTracks& tracks, const RunTasks& tasks,
                          trace::TraceBuilder& builder) {
  PhaseWriter writer(capture, tasks, builder);
  for (std::size_t i = 0; i < capture.scheduler_threads.size(); ++i) {
    const std::vector<PhaseRow>& phases = capture.scheduler_threads[i];
    for (const std::uint32_t row : outer_first(phases, capture))
      writer.add(phases[row], tracks.schedulers[i]);
  }
}

void add_ready_queues(const Capture& capture, trace::ClockId clock, trace::TraceBuilder& builder) {
  const std::vector<QueueSample> samples = queue_samples(capture);
  if (samples.empty()) return;
  const TrackId group = builder.add_track({.name = builder.intern(trace::track_group::kReadyQueues),
                                           .level = trace::TrackLevel::kProcess,
                                           .kind = trace::TrackKind::kGroup,
                                           .clock = clock});
  const std::array<std::string_view, 3> names = {trace::engine::kCube, trace::engine::kVector,
                                                 trace::task_kind::kMix};
  for (std::size_t queue = 0; queue < names.size(); ++queue) {
    const TrackId track = builder.add_track({.name = builder.intern(names[queue]),
                                             .parent = group,
                                             .level = trace::TrackLevel::kLane,
                                             .kind = trace::TrackKind::kCounter,
                                             .clock = clock,
                                             .order = static_cast<std::int32_t>(queue),
                                             .counter_unit = builder.intern("tasks")});
    for (const QueueSample& sample : samples)
      builder.add_counter(track, Ticks{sample.time}, sample.depths[queue]);
  }
}

}  // namespace accelscope::formats::chip_run
