#include "formats/chip_run/pipe_lanes.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "formats/chip_run/dispatch_windows.h"
#include "trace/core_pipes.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using trace::CoreData;
using trace::PipeGap;
using trace::RowRange;
using trace::Severity;
using trace::SliceFlag;
using trace::SliceId;
using trace::StringId;
using trace::TaskId;
using trace::Ticks;
using trace::TrackId;

static_assert(perfmon::kPipeNames == trace::kPipeNames, "the trace's pipes are the decoder's");

// Slices of one track on their way into the columns of a trace, which take many at once far faster than one.
class SliceBatch {
 public:
  SliceBatch(trace::TraceBuilder& builder, TrackId track, StringId name, trace::CategoryId category)
      : builder_(builder), track_(track), category_(category) {
    name_.fill(name);
  }

  void add(const BusyTime& busy, const Window& owner) {
    start_[count_] = busy.begin;
    duration_[count_] = busy.end - busy.begin;
    flags_[count_] = (busy.begin_unknown ? SliceFlag::kBeginUnknown : SliceFlag::kNone) |
                     (busy.end_unknown ? SliceFlag::kEndUnknown : SliceFlag::kNone);
    owner_[count_] = owner.slice;
    task_[count_] = owner.task;
    if (++count_ == kRows) hand_over();
  }

  void hand_over() {
    builder_.add_slices({.track = track_,
                         .category = category_,
                         .start = std::span(start_).first(count_),
                         .duration = std::span(duration_).first(count_),
                         .name = std::span(name_).first(count_),
                         .task = std::span(task_).first(count_),
                         .flags = std::span(flags_).first(count_),
                         .owner = std::span(owner_).first(count_)});
    count_ = 0;
  }

 private:
  static constexpr std::size_t kRows = 1024;  // which stay in the nearest cache

  trace::TraceBuilder& builder_;
  TrackId track_;
  trace::CategoryId category_;
  std::size_t count_ = 0;
  std::array<Ticks, kRows> start_;
  std::array<Ticks, kRows> duration_;
  std::array<StringId, kRows> name_;
  std::array<TaskId, kRows> task_;
  std::array<SliceId, kRows> owner_;
  std::array<SliceFlag, kRows> flags_;
};

class PipeLaneWriter {
 public:
  explicit PipeLaneWriter(trace::TraceBuilder& builder)
      : builder_(builder),
        busy_(builder.category(trace::category::kPipeBusy)),
        mark_(builder.category(trace::category::kMark)),
        mark_id_(builder.intern(trace::arg::kMarkId)),
        mark_pipe_(builder.intern(trace::arg::kPipe)),
        mark_task_(builder.intern(trace::arg::kTask)) {}

  void add_core(const CorePipes& core, TrackId track, RowRange dispatches) {
    const DispatchWindows windows(builder_.slices(), dispatches);
    if (!windows.all_there()) return;  // finish() says so
    for (std::size_t pipe = 0; pipe < perfmon::kPipes; ++pipe)
      if (!core.busy[pipe].empty() || !core.marks[pipe].empty())
        add_pipe(pipe, core, add_track(pipe, track), windows);
    add_gaps(core, track, windows);
  }

  void finish(std::uint64_t silent_cores) {
    const auto note = [&](std::string_view id, Severity severity, std::uint64_t count, std::string sentence) {
      if (count > 0)
        builder_.quality().add(
            {.id = std::string(id), .severity = severity, .sentence = std::move(sentence), .count = count});
    };
    note("perfmon.silent_core", Severity::kWarning, silent_cores,
         "Cores ran tasks, and their performance monitor wrote nothing.");
    const StringId not_asked = builder_.intern(text_of(GapCause::kNotAsked));
    for (const Causes* causes : {&partial_, &without_})
      for (const auto& [cause, count] : *causes)
        note(causes == &partial_ ? "perfmon.task_partial" : "perfmon.task_without",
             cause == not_asked ? Severity::kInfo : Severity::kWarning, count,
             fmt::format("{} is known what the pipes did in these parts of tasks: {}.",
                         causes == &partial_ ? "Only in part" : "Nothing", builder_.text(cause)));
    note("perfmon.straddler", Severity::kInfo, straddlers_,
         "Intervals in which a pipe was busy reach beyond the task that they belong to.");
    note("perfmon.outside_tasks", Severity::kInfo, outside_,
         "Intervals in which a pipe was busy belong to no task: they are shown, and count nowhere.");
  }

 private:
  using Causes = std::vector<std::pair<StringId, std::uint64_t>>;

  TrackId add_track(std::size_t pipe, TrackId core) {
    const StringId name = builder_.intern(trace::kPipeNames[pipe]);
    const trace::Track parent = builder_.track(core);
    return builder_.add_track(
        {.name = name,
         .parent = core,
         .level = trace::TrackLevel::kLane,
         .clock = parent.clock,
         .resource = builder_.add_resource({name, builder_.intern(trace::engine::kPipe)}),
         .external_id = static_cast<std::int64_t>(pipe),
         .order = static_cast<std::int32_t>(pipe)});
  }

  void add_pipe(std::size_t pipe, const CorePipes& core, TrackId track, const DispatchWindows& windows) {
    const StringId name = builder_.track(track).name;
    add_busy(core.busy[pipe], track, name, windows);
    OwnerSearch search(windows);
    for (const perfmon::Mark& mark : core.marks[pipe])
      add_mark(mark, track, name, windows.task_or_none(search.at(mark.time)));
  }

  void add_busy(const BusyList& list, TrackId track, StringId name, const DispatchWindows& windows) {
    SliceBatch batch(builder_, track, name, busy_);
    OwnerSearch search(windows);
    std::uint32_t position = windows.count();
    Window owner;
    list.for_each([&](const BusyTime& busy) {
      if (const std::uint32_t its = search.owner_of(busy.begin, busy.end); its != position) {
        position = its;
        owner = windows.window(its);
      }
      outside_ += position == windows.count() ? 1U : 0U;
      straddlers_ += busy.begin < owner.start || busy.end > owner.end ? 1U : 0U;
      batch.add(busy, owner);
    });
    batch.hand_over();
  }

  void add_mark(const perfmon::Mark& mark, TrackId track, StringId pipe, TaskId task) {
    const std::uint32_t instant = builder_.add_instant(
        {.track = track, .time = mark.time, .name = name_of_mark(mark.id), .category = mark_});
    builder_.add_instant_arg(instant, mark_id_, trace::Value::of_uint(mark.id));
    builder_.add_instant_arg(instant, mark_pipe_, trace::Value::of_string(pipe));
    if (task != TaskId::kNone)
      builder_.add_instant_arg(instant, mark_task_,
                               trace::Value::of_task(builder_.tasks().external_id[index(task)]));
  }

  // Programs have few marks, which they pass often.
  StringId name_of_mark(std::uint32_t id) {
    constexpr std::size_t kRemembered = std::size_t{1} << 16U;
    if (id >= kRemembered) return builder_.intern(fmt::format("mark {}", id));
    if (id >= mark_names_.size()) mark_names_.resize(id + 1, StringId::kEmpty);
    if (mark_names_[id] == StringId::kEmpty) mark_names_[id] = builder_.intern(fmt::format("mark {}", id));
    return mark_names_[id];
  }

  // Only as far as the core was recorded: nobody asks for what was outside.
  void add_gaps(const CorePipes& core, TrackId core_track, const DispatchWindows& windows) {
    const trace::Track parent = builder_.track(core_track);
    const TrackId track = builder_.add_track({.name = builder_.intern(trace::track_name::kPipeGaps),
                                              .parent = core_track,
                                              .level = trace::TrackLevel::kLane,
                                              .kind = trace::TrackKind::kStates,
                                              .clock = parent.clock,
                                              .order = static_cast<std::int32_t>(perfmon::kPipes)});
    const StringId state = builder_.intern(trace::state::kNotRecorded);
    std::vector<PipeGap> gaps;
    for (const RecordedGap& gap : core.gaps) {
      const Ticks from = std::max(gap.from, parent.covered_from);
      const Ticks to = std::min(gap.to, parent.covered_to);
      if (!parent.coverage_known || to <= from) continue;
      gaps.push_back({from, to, builder_.intern(cause_of(gap))});
      builder_.add_state(track, from, to - from, state, gaps.back().cause);
    }
    for (std::uint32_t i = 0; i < windows.count(); ++i) {
      const CoreData data = core_data_in(gaps, windows.start(i), windows.end(i));
      if (data.known == CoreData::Known::kSome) count(partial_, data.cause);
      if (data.known == CoreData::Known::kNothing) count(without_, data.cause);
    }
  }

  static std::string cause_of(const RecordedGap& gap) {
    return gap.cause == GapCause::kUnit
               ? fmt::format("{}: {}", text_of(gap.cause), unit_state_text(gap.unit_state))
               : std::string(text_of(gap.cause));
  }

  static void count(Causes& causes, StringId cause) {
    const auto found =
        std::find_if(causes.begin(), causes.end(), [&](const auto& known) { return known.first == cause; });
    if (found == causes.end())
      causes.emplace_back(cause, 1);
    else
      ++found->second;
  }

  trace::TraceBuilder& builder_;
  trace::CategoryId busy_;
  trace::CategoryId mark_;
  StringId mark_id_;
  StringId mark_pipe_;
  StringId mark_task_;
  std::vector<StringId> mark_names_;  // by id; empty where not asked for yet
  Causes partial_;
  Causes without_;
  std::uint64_t straddlers_ = 0;
  std::uint64_t outside_ = 0;
};

}  // namespace

std::vector<RowRange> rows_of_dispatches(const chip_swimlane::Capture& capture, std::uint32_t first_slice) {
  std::vector<RowRange> rows;
  rows.reserve(capture.cores.size());
  for (const chip_swimlane::CoreRows& core : capture.cores) {
    const auto count = static_cast<std::uint32_t>(core.exists ? core.start.size() : 0);
    rows.push_back({first_slice, count});
    first_slice += count;
  }
  return rows;
}

void add_pipe_lanes(const PipeRecording& pipes, const std::vector<TrackId>& cores,
                    const std::vector<RowRange>& dispatches, trace::TraceBuilder& builder) {
  const CorePipes undrained{.gaps = {{.cause = GapCause::kNeverDrained}}};
  PipeLaneWriter writer(builder);
  std::uint64_t silent = 0;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    if (cores[i] == TrackId::kNone) continue;
    const CorePipes& core = i < pipes.cores.size() ? pipes.cores[i] : undrained;
    // Of a core that ran nothing and wrote nothing there is nothing to say.
    if (!core.asked || (dispatches[i].count == 0 && core.written == 0)) continue;
    const bool wrote_nothing = !core.gaps.empty() && core.gaps.front().cause == GapCause::kNothingWritten;
    silent += dispatches[i].count > 0 && wrote_nothing ? 1U : 0U;
    writer.add_core(core, cores[i], dispatches[i]);
  }
  writer.finish(silent);
}

}  // namespace accelscope::formats::chip_run
