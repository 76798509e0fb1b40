#include "formats/chip_run/pipe_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "trace/core_pipes.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using perfmon::BusyInterval;
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

// The dispatches of one core, in order of their starts.
class Windows {
 public:
  Windows(const trace::SliceTable& slices, RowRange rows) : slices_(slices), rows_(rows) {}

  bool is_in_order() const { return rows_.end() <= slices_.size(); }
  std::uint32_t count() const { return rows_.count; }
  Ticks start(std::uint32_t i) const { return slices_.start[rows_.first + i]; }
  Ticks end(std::uint32_t i) const { return start(i) + slices_.duration[rows_.first + i]; }
  SliceId slice(std::uint32_t i) const { return SliceId{rows_.first + i}; }
  TaskId task(std::uint32_t i) const { return slices_.task[rows_.first + i]; }

  // How many begin at this time or before it.
  std::uint32_t begun_at(Ticks time) const {
    std::uint32_t from = 0;
    std::uint32_t to = count();
    while (from < to) {
      const std::uint32_t middle = from + (to - from) / 2;
      if (start(middle) <= time)
        from = middle + 1;
      else
        to = middle;
    }
    return from;
  }

  // Position of the dispatch that contains this moment; count() for none.
  std::uint32_t at(Ticks time) const {
    const std::uint32_t begun = begun_at(time);
    return begun > 0 && time < end(begun - 1) ? begun - 1 : count();
  }

  // Whose an interval is; count() for nobody's.
  std::uint32_t owner_of(const BusyInterval& interval) const {
    const std::uint32_t begun = begun_at(interval.begin);
    if (begun > 0 && interval.begin < end(begun - 1)) return begun - 1;
    // Those that begin inside of it. One that begins where it ends is not touched.
    const std::uint32_t begun_at_end =
        interval.end > interval.begin ? begun_at(Ticks{interval.end.value - 1}) : begun;
    if (begun_at_end == begun) return count();
    return interval.end <= end(begun_at_end - 1) ? begun_at_end - 1 : begun;
  }

 private:
  const trace::SliceTable& slices_;
  RowRange rows_;
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
    const Windows windows(builder_.slices(), dispatches);
    if (!windows.is_in_order()) return;  // too many rows, which finish() says
    std::array<std::vector<perfmon::Mark>, perfmon::kPipes> marks;
    for (const perfmon::Mark& mark : core.marks) marks[static_cast<std::size_t>(mark.pipe)].push_back(mark);
    for (std::size_t pipe = 0; pipe < perfmon::kPipes; ++pipe)
      if (!core.busy[pipe].empty() || !marks[pipe].empty())
        add_pipe(pipe, core.busy[pipe], marks[pipe], track, windows);
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

  void add_pipe(std::size_t pipe, const std::vector<BusyInterval>& busy,
                const std::vector<perfmon::Mark>& marks, TrackId core, const Windows& windows) {
    const TrackId track = add_track(pipe, core);
    const StringId name = builder_.track(track).name;
    for (const BusyInterval& interval : busy) {
      const std::uint32_t owner = windows.owner_of(interval);
      const bool owned = owner < windows.count();
      outside_ += owned ? 0U : 1U;
      straddlers_ += owned && (interval.begin < windows.start(owner) || interval.end > windows.end(owner));
      builder_.add_slice({.track = track,
                          .start = interval.begin,
                          .duration = interval.end - interval.begin,
                          .name = name,
                          .category = busy_,
                          .flags = (interval.begin_unknown ? SliceFlag::kBeginUnknown : SliceFlag::kNone) |
                                   (interval.end_unknown ? SliceFlag::kEndUnknown : SliceFlag::kNone),
                          .owner = owned ? windows.slice(owner) : SliceId::kNone,
                          .task = owned ? windows.task(owner) : TaskId::kNone});
    }
    for (const perfmon::Mark& mark : marks) add_mark(mark, track, name, windows);
  }

  void add_mark(const perfmon::Mark& mark, TrackId track, StringId pipe, const Windows& windows) {
    const std::uint32_t instant =
        builder_.add_instant({.track = track,
                              .time = mark.time,
                              .name = builder_.intern(fmt::format("mark {}", mark.id)),
                              .category = mark_});
    builder_.add_instant_arg(instant, mark_id_, trace::Value::of_uint(mark.id));
    builder_.add_instant_arg(instant, mark_pipe_, trace::Value::of_string(pipe));
    const std::uint32_t owner = windows.at(mark.time);
    if (owner < windows.count() && windows.task(owner) != TaskId::kNone)
      builder_.add_instant_arg(
          instant, mark_task_,
          trace::Value::of_task(builder_.tasks().external_id[index(windows.task(owner))]));
  }

  // Only as far as the core was recorded: nobody asks for what was outside.
  void add_gaps(const CorePipes& core, TrackId core_track, const Windows& windows) {
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
    silent += dispatches[i].count > 0 && core.drained && core.written == 0 ? 1U : 0U;
    writer.add_core(core, cores[i], dispatches[i]);
  }
  writer.finish(silent);
}

}  // namespace accelscope::formats::chip_run
