#include "formats/chip_run/core_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "formats/chip_run/pmu_join.h"
#include "formats/chip_run/times.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::Capture;
using chip_swimlane::CoreRows;
using chip_swimlane::CoreType;
using chip_swimlane::kNoTime;
using trace::SliceId;
using trace::StringId;
using trace::TaskId;
using trace::Ticks;
using trace::TrackId;

// The first vector core of a cluster runs the second kernel of a task, the other one the third.
std::vector<CoreRole> roles_of_cores(const Capture& capture) {
  std::vector<CoreRole> roles;
  bool second = false;
  for (const CoreRows& core : capture.cores) {
    const bool cube = core.type == CoreType::kCube;
    roles.push_back({cube, !cube && second});
    if (!cube) second = !second;
  }
  return roles;
}

// Rows in order of their start; the order of equal starts is that of their sequence.
std::vector<std::uint32_t> order_by_start(const CoreRows& core) {
  if (std::is_sorted(core.start.begin(), core.start.end())) return {};
  std::vector<std::uint32_t> order(core.start.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return core.start[a] < core.start[b]; });
  return order;
}

class DispatchWriter {
 public:
  DispatchWriter(const DispatchSources& sources, trace::TraceBuilder& builder)
      : sources_(sources),
        builder_(builder),
        category_(builder.category(trace::category::kTaskExecution)),
        dispatch_(builder.intern(trace::stage::kDispatch)),
        receive_(builder.intern(trace::stage::kReceive)),
        finish_(builder.intern(trace::stage::kFinish)),
        sequence_(builder.intern(trace::arg::kSequence)),
        unknown_function_(builder.intern("task")) {
    if (sources.pmu != nullptr) {
      pmu_.emplace(*sources.pmu);
      pmu_arguments_.emplace(*sources.pmu, builder);
    }
  }

  void add_core(const CoreRows& core, std::int32_t number, CoreRole role, TrackId track) {
    const std::vector<std::uint32_t> order = order_by_start(core);
    for (std::uint32_t i = 0; i < core.start.size(); ++i)
      add(core, order.empty() ? i : order[i], {number, role, track, i + 1});
  }

  void finish() {
    if (unplaceable_stages_ > 0)
      builder_.quality().add({.id = "chip_run.stage_out_of_range",
                              .severity = trace::Severity::kWarning,
                              .sentence = "Moments of dispatches that are too far from their start for 64 "
                                          "bits: they are left out.",
                              .count = unplaceable_stages_});
    if (pmu_) note_pmu(*sources_.pmu, *pmu_, without_pmu_, builder_);
  }

 private:
  struct Place {
    std::int32_t core = 0;
    CoreRole role = {};
    TrackId track = TrackId::kNone;
    std::uint32_t position = 1;  // on the track
  };

  void add(const CoreRows& core, std::uint32_t row, const Place& place) {
    const std::int64_t start = core.start[row];
    const TaskId task = sources_.tasks.index.find(core.task[row]);
    const pmu_csv::PmuRow* counters = pmu_ ? pmu_->take(place.core, core.task[row]) : nullptr;
    const StringId function = function_of(core, row, place.role, task, counters);
    const SliceId slice =
        builder_.add_slice({.track = place.track,
                            .start = Ticks{start},
                            .duration = duration_between(start, core.end[row]),
                            .name = function,
                            .category = category_,
                            .flags = flag_of_end(!core.end_unknown.empty() && core.end_unknown[row] != 0),
                            .task = task});
    name_task(task, function);
    add_stage(slice, dispatch_, core.dispatch, row, start);
    add_stage(slice, receive_, core.receive, row, start);
    add_stage(slice, finish_, core.finish, row, start);
    if (core.sequence[row] != place.position)
      builder_.add_slice_arg(slice, sequence_, trace::Value::of_uint(core.sequence[row]));
    if (counters != nullptr)
      pmu_arguments_->add(slice, *counters);
    else if (pmu_)
      ++without_pmu_;
  }

  StringId function_of(const CoreRows& core, std::uint32_t row, CoreRole role, TaskId task,
                       const pmu_csv::PmuRow* counters) {
    if (!core.function.empty() && core.function[row] >= 0) return sources_.functions.name(core.function[row]);
    if (const deps::Task* described = sources_.tasks.described(sources_.graph, task))
      if (const std::int32_t function = function_on(*described, role); function >= 0)
        return sources_.functions.name(function);
    if (counters != nullptr && counters->function >= 0) return sources_.functions.name(counters->function);
    return unknown_function_;
  }

  // A task's name is what its dispatches ran, in the order of cores; the graph's word comes later and wins.
  void name_task(TaskId task, StringId function) {
    if (task == TaskId::kNone) return;
    StringId& name = builder_.tasks().name[trace::index(task)];
    if (name == function) return;
    if (name == StringId::kEmpty) {
      name = function;
      return;
    }
    const std::string_view known = builder_.text(name);
    const std::string_view added = builder_.text(function);
    const std::string fenced = fmt::format("+{}+", known);
    if (fenced.find(fmt::format("+{}+", added)) == std::string::npos)
      name = builder_.intern(fmt::format("{}+{}", known, added));
  }

  void add_stage(SliceId slice, StringId stage, const std::vector<std::int64_t>& times, std::uint32_t row,
                 std::int64_t start) {
    if (times.empty() || times[row] == kNoTime) return;
    std::int64_t offset = 0;
    if (__builtin_sub_overflow(times[row], start, &offset)) {
      ++unplaceable_stages_;
      return;
    }
    builder_.add_stage(slice, stage, Ticks{offset});
  }

  const DispatchSources& sources_;
  trace::TraceBuilder& builder_;
  trace::CategoryId category_;
  StringId dispatch_;
  StringId receive_;
  StringId finish_;
  StringId sequence_;
  StringId unknown_function_;
  std::optional<PmuJoin> pmu_;
  std::optional<PmuArguments> pmu_arguments_;
  std::uint64_t without_pmu_ = 0;
  std::uint64_t unplaceable_stages_ = 0;
};

constexpr DeviceSpan kNothing{std::numeric_limits<std::int64_t>::max(), kNoTime};

// Two comparisons a time, which the compiler does for several times at once: kNoTime is below all others.
void widen(DeviceSpan& span, std::span<const std::int64_t> times) {
  DeviceSpan wide = span;
  for (const std::int64_t time : times) {
    wide.first = std::min(wide.first, time == kNoTime ? kNothing.first : time);
    wide.last = std::max(wide.last, time);
  }
  span = wide;
}

}  // namespace

std::optional<DeviceSpan> device_span(const Capture& capture) {
  DeviceSpan span = kNothing;
  for (const CoreRows& core : capture.cores)
    for (const auto* times : {&core.start, &core.end, &core.receive, &core.dispatch, &core.finish})
      widen(span, *times);
  for (const auto& thread : capture.scheduler_threads)
    for (const chip_swimlane::PhaseRow& phase : thread) widen(span, std::array{phase.start, phase.end});
  for (const auto& stream : capture.orchestrators)
    for (const chip_swimlane::SubmitRow& submit : stream) widen(span, std::array{submit.start, submit.end});
  if (span.last < span.first) return std::nullopt;
  return span;
}

std::vector<TrackId> add_core_tracks(const Capture& capture, trace::ClockId clock,
                                     const std::vector<TrackId>& schedulers,
                                     const std::optional<DeviceSpan>& span, trace::TraceBuilder& builder) {
  const std::vector<std::int32_t> controllers = controllers_of_cores(capture, builder.quality());
  const TrackId group = builder.add_track({.name = builder.intern("cores"),
                                           .level = trace::TrackLevel::kProcess,
                                           .kind = trace::TrackKind::kGroup,
                                           .clock = clock});
  std::vector<TrackId> tracks;
  std::uint64_t unknown_types = 0;
  for (std::size_t i = 0; i < capture.cores.size(); ++i) {
    if (!capture.cores[i].exists) {
      tracks.push_back(TrackId::kNone);
      continue;
    }
    const bool cube = capture.cores[i].type == CoreType::kCube;
    if (capture.cores[i].type == CoreType::kUnknown) ++unknown_types;
    const std::string_view engine = cube ? trace::engine::kCube : trace::engine::kVector;
    const StringId name = builder.intern(fmt::format("{} {}", engine, i));
    const std::int32_t thread = controllers[i];
    const bool known = thread >= 0 && static_cast<std::size_t>(thread) < schedulers.size();
    tracks.push_back(builder.add_track(
        {.name = name,
         .parent = group,
         .level = trace::TrackLevel::kCore,
         .clock = clock,
         .resource = builder.add_resource({name, builder.intern(engine)}),
         .controller = known ? schedulers[static_cast<std::size_t>(thread)] : TrackId::kNone,
         .external_id = static_cast<std::int64_t>(i),
         .order = static_cast<std::int32_t>(i),
         .coverage_known = span.has_value(),
         .covered_from = Ticks{span ? span->first : 0},
         .covered_to = Ticks{span ? span->last : 0}}));
  }
  if (unknown_types > 0)
    builder.quality().add({.id = "chip_run.core_type_unknown",
                           .severity = trace::Severity::kWarning,
                           .sentence = "The file does not say what kind these cores are: they are shown as "
                                       "vector cores.",
                           .count = unknown_types});
  return tracks;
}

void add_dispatches(Capture& capture, const std::vector<TrackId>& cores, const DispatchSources& sources,
                    trace::TraceBuilder& builder) {
  const std::vector<CoreRole> roles = roles_of_cores(capture);
  DispatchWriter writer(sources, builder);
  for (std::size_t i = 0; i < capture.cores.size(); ++i) {
    const CoreRows rows = std::exchange(capture.cores[i], {});
    if (cores[i] == TrackId::kNone) continue;
    writer.add_core(rows, static_cast<std::int32_t>(i), roles[i], cores[i]);
  }
  writer.finish();
}

}  // namespace accelscope::formats::chip_run
