#include "formats/chip_run/core_lanes.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "base/beside.h"
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

template <class T>
void put_in_order(std::vector<T>& column, const std::vector<std::uint32_t>& order) {
  if (column.empty()) return;
  std::vector<T> ordered;
  ordered.reserve(column.size());
  for (const std::uint32_t row : order) ordered.push_back(column[row]);
  column = std::move(ordered);
}

// Rows in order of their start; the order of equal starts is that of their sequence.
void order_by_start(CoreRows& core) {
  if (std::is_sorted(core.start.begin(), core.start.end())) return;
  std::vector<std::uint32_t> order(core.start.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return core.start[a] < core.start[b]; });
  for (auto* times : {&core.start, &core.end, &core.receive, &core.dispatch, &core.finish})
    put_in_order(*times, order);
  put_in_order(core.task, order);
  put_in_order(core.sequence, order);
  put_in_order(core.function, order);
  put_in_order(core.end_unknown, order);
}

class DispatchWriter {
 public:
  DispatchWriter(const DispatchSources& sources, trace::TraceBuilder& builder)
      : sources_(sources),
        builder_(builder),
        category_(builder.category(trace::category::kTaskExecution)),
        sequence_(builder.intern(trace::arg::kSequence)),
        unknown_function_(builder.intern("task")) {
    if (sources.pmu != nullptr) {
      pmu_.emplace(*sources.pmu);
      pmu_arguments_.emplace(*sources.pmu, builder);
    }
  }

  // Rows in the order of their starts.
  void add_core(const CoreRows& core, std::int32_t number, CoreRole role, TrackId track) {
    if (core.start.empty()) return;
    sources_.tasks.index.find(core.task, tasks_);
    take_counters(core, number);
    name_rows(core, role);
    const SliceId first = add_slices(core, track);
    if (first == SliceId::kNone) return;  // too many rows, which finish() says
    for (std::size_t row = 0; row < tasks_.size(); ++row) name_task(tasks_[row], names_[row]);
    add_arguments(core, first);
  }

  void finish() {
    if (pmu_) note_pmu(*sources_.pmu, *pmu_, without_pmu_, builder_);
  }

 private:
  // The PMU's row of each dispatch; nothing without a PMU.
  void take_counters(const CoreRows& core, std::int32_t number) {
    counters_.clear();
    if (!pmu_) return;
    for (const std::uint64_t task : core.task) counters_.push_back(pmu_->take(number, task));
  }

  void name_rows(const CoreRows& core, CoreRole role) {
    names_.assign(core.start.size(), unknown_function_);
    if (core.function.empty() && sources_.graph == nullptr && !pmu_) return;
    for (std::uint32_t row = 0; row < names_.size(); ++row)
      names_[row] = function_of(core, row, role, counters_.empty() ? nullptr : counters_[row]);
  }

  StringId function_of(const CoreRows& core, std::uint32_t row, CoreRole role,
                       const pmu_csv::PmuRow* counters) {
    if (!core.function.empty() && core.function[row] >= 0) return sources_.functions.name(core.function[row]);
    if (const deps::Task* described = sources_.tasks.described(sources_.graph, tasks_[row]))
      if (const std::int32_t function = function_on(*described, role); function >= 0)
        return sources_.functions.name(function);
    if (counters != nullptr && counters->function >= 0) return sources_.functions.name(counters->function);
    return unknown_function_;
  }

  SliceId add_slices(const CoreRows& core, TrackId track) {
    const std::size_t count = core.start.size();
    starts_.resize(count);
    durations_.resize(count);
    for (std::size_t row = 0; row < count; ++row) {
      starts_[row] = Ticks{core.start[row]};
      durations_[row] = duration_between(core.start[row], core.end[row]);
    }
    flags_.assign(count, trace::SliceFlag::kNone);
    for (std::size_t row = 0; row < core.end_unknown.size(); ++row)
      flags_[row] = flag_of_end(core.end_unknown[row] != 0);
    return builder_.add_slices({.track = track,
                                .category = category_,
                                .start = starts_,
                                .duration = durations_,
                                .name = names_,
                                .task = tasks_,
                                .flags = flags_});
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

  void add_arguments(const CoreRows& core, SliceId first) {
    for (std::uint32_t row = 0; row < core.start.size(); ++row) {
      const SliceId slice{trace::index(first) + row};
      if (core.sequence[row] != row + 1)
        builder_.add_slice_arg(slice, sequence_, trace::Value::of_uint(core.sequence[row]));
      if (counters_.empty()) continue;
      if (counters_[row] != nullptr)
        pmu_arguments_->add(slice, *counters_[row]);
      else
        ++without_pmu_;
    }
  }

  const DispatchSources& sources_;
  trace::TraceBuilder& builder_;
  trace::CategoryId category_;
  StringId sequence_;
  StringId unknown_function_;
  std::optional<PmuJoin> pmu_;
  std::optional<PmuArguments> pmu_arguments_;
  // Of the core that is being added, by row.
  std::vector<TaskId> tasks_;
  std::vector<const pmu_csv::PmuRow*> counters_;
  std::vector<StringId> names_;
  std::vector<Ticks> starts_;
  std::vector<Ticks> durations_;
  std::vector<trace::SliceFlag> flags_;
  std::uint64_t without_pmu_ = 0;
};

struct Stages {
  trace::StageTable table;
  std::uint64_t unplaceable = 0;
};

struct StageNames {
  StringId dispatch;
  StringId receive;
  StringId finish;
};

void make_room(trace::StageTable& table) {
  table.slice.ensure_room();
  table.stage.ensure_room();
  table.offset.ensure_room();
}

// The moments of a core's dispatches, those of one dispatch together.
void add_stages(const CoreRows& core, std::uint32_t first_slice, const StageNames& names, Stages& stages) {
  const std::pair<StringId, const std::vector<std::int64_t>*> kinds[] = {
      {names.dispatch, &core.dispatch}, {names.receive, &core.receive}, {names.finish, &core.finish}};
  for (std::uint32_t row = 0; row < core.start.size(); ++row)
    for (const auto& [name, times] : kinds) {
      if (times->empty() || (*times)[row] == kNoTime) continue;
      std::int64_t offset = 0;
      if (__builtin_sub_overflow((*times)[row], core.start[row], &offset)) [[unlikely]] {
        ++stages.unplaceable;
        continue;
      }
      // One look for room is enough: the columns grow together.
      if (stages.table.slice.is_full()) make_room(stages.table);
      stages.table.slice.put(SliceId{first_slice + row});
      stages.table.stage.put(name);
      stages.table.offset.put(Ticks{offset});
    }
}

// Of all cores, whose slices follow each other from `first_slice` on. Gives up the rows as it goes.
Stages make_stages(std::vector<CoreRows>& cores, std::uint32_t first_slice, const StageNames& names) {
  Stages stages;
  for (CoreRows& core : cores) {
    add_stages(core, first_slice, names, stages);
    first_slice += static_cast<std::uint32_t>(core.start.size());
    for (auto* times : {&core.dispatch, &core.receive, &core.finish}) *times = {};
  }
  return stages;
}

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

bool is_worth_a_thread(const Capture& capture) {
  constexpr std::uint64_t kManyRows = 8192;
  return capture.counts.core_rows >= kManyRows;
}

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
  std::vector<CoreRows> all = std::exchange(capture.cores, std::vector<CoreRows>(cores.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (cores[i] == TrackId::kNone) all[i] = {};
    order_by_start(all[i]);
  }
  const StageNames names{builder.intern(trace::stage::kDispatch), builder.intern(trace::stage::kReceive),
                         builder.intern(trace::stage::kFinish)};
  // Another thread takes the columns of the stages, this one all others; both read the starts.
  base::Beside<Stages> stages(
      [&all, names, first_slice = builder.slice_count()] { return make_stages(all, first_slice, names); },
      is_worth_a_thread(capture));
  DispatchWriter writer(sources, builder);
  for (std::size_t i = 0; i < all.size(); ++i) {
    writer.add_core(all[i], static_cast<std::int32_t>(i), roles[i], cores[i]);
    all[i].end = {};
    all[i].task = {};
    all[i].sequence = {};
    all[i].function = {};
  }
  writer.finish();
  Stages made = stages.get();
  builder.add_stages(std::move(made.table));
  if (made.unplaceable > 0)
    builder.quality().add({.id = "chip_run.stage_out_of_range",
                           .severity = trace::Severity::kWarning,
                           .sentence = "Moments of dispatches that are too far from their start for 64 "
                                       "bits: they are left out.",
                           .count = made.unplaceable});
}

}  // namespace accelscope::formats::chip_run
