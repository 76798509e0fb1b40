#include "analysis/chip/invariants.h"

#include <fmt/core.h>

#include <algorithm>

#include "trace/vocabulary.h"

namespace accelscope::analysis::chip {
namespace {

using trace::CategoryId;
using trace::ChipCore;
using trace::ChipRun;
using trace::Dispatch;
using trace::is_known;
using trace::RowRange;
using trace::SliceId;
using trace::TaskId;
using trace::Trace;
using trace::TrackId;
using trace::Value;

class Checker {
 public:
  Checker(const Trace& trace, const ChipRun& chip, const TaskTimes& times)
      : trace_(trace),
        chip_(chip),
        times_(times),
        phase_(trace.find_category(trace::category::kSchedulerPhase)) {}

  std::vector<Invariant> check() && {
    Invariant records{.id = "records", .text = "every record that was made is here, once"};
    for (const trace::Accounting& row : trace_.accounting()) {
      records.checked += row.produced;
      if (row.collected != row.produced)
        violated(
            records, row.produced > row.collected ? row.produced - row.collected : 1,
            fmt::format("{}: {} of {} are here", trace_.text(row.producer), row.collected, row.produced));
    }
    add(std::move(records));
    check_dispatches();
    check_phases();
    check_control_order();
    check_submissions();
    check_dependencies();
    return std::move(found_);
  }

 private:
  static void violated(Invariant& invariant, std::uint64_t count, const std::string& what) {
    if (invariant.violations == 0) invariant.first_violation = what;
    invariant.violations += count;
  }

  void add(Invariant invariant) {
    invariant.state = invariant.violations > 0 ? InvariantState::kViolated
                      : invariant.checked > 0  ? InvariantState::kHolds
                                               : InvariantState::kNotRecorded;
    found_.push_back(std::move(invariant));
  }

  std::string label(const Dispatch& dispatch, const ChipCore& core) const {
    const std::string task = dispatch.task == TaskId::kNone
                                 ? std::string("a task")
                                 : trace::task_label(trace_.tasks().external_id[index(dispatch.task)]);
    return fmt::format("{} on core {}", task, core.number);
  }

  void check_dispatches() {
    Invariant sequence{.id = "sequence", .text = "dispatches of a core are numbered 1, 2, 3, ..."};
    Invariant join{.id = "join", .text = "core and scheduler both recorded every dispatch"};
    Invariant order{.id = "order", .text = "dispatch <= receive <= start <= end <= finish"};
    Invariant alone{.id = "one_at_a_time", .text = "a core carries out one dispatch at a time"};
    for (const ChipCore& core : chip_.cores) {
      Ticks last_end = Ticks::min();
      for (const Dispatch& dispatch : trace::DispatchWalk(trace_, core.track)) {
        ++dispatches_;
        ++sequence.checked;
        const Value number =
            trace_.find_arg(trace_.slices().first_arg[index(dispatch.slice)], trace::arg::kSequence);
        if (number.type != trace::ValueType::kNull)
          violated(sequence, 1, fmt::format("{} has number {}", label(dispatch, core), number.as_uint()));
        if (chip_.level >= 2) {
          ++join.checked;
          if (!is_known(dispatch.dispatch) && !is_known(dispatch.finish))
            violated(join, 1, fmt::format("{} has no record of its scheduler", label(dispatch, core)));
        }
        if (is_known(dispatch.finish)) ++finished_;
        check_order(dispatch, core, order);
        ++alone.checked;
        if (dispatch.start < last_end)
          violated(alone, 1,
                   fmt::format("{} starts before the one before it has ended", label(dispatch, core)));
        last_end = std::max(last_end, dispatch.end);
      }
    }
    add(std::move(sequence));
    add(std::move(join));
    add(std::move(order));
    add(std::move(alone));
  }

  void check_order(const Dispatch& dispatch, const ChipCore& core, Invariant& order) const {
    ++order.checked;
    if (end_is_unknown(index(dispatch.slice))) {
      violated(order, 1, fmt::format("{} ends before it starts", label(dispatch, core)));
      return;
    }
    Ticks last = Ticks::min();
    for (const Ticks time :
         {dispatch.dispatch, dispatch.receive, dispatch.start, dispatch.end, dispatch.finish}) {
      if (!is_known(time)) continue;
      if (time < last) {
        violated(order, 1, fmt::format("{}: its moments are not in order", label(dispatch, core)));
        return;
      }
      last = time;
    }
  }

  // Readers cannot keep an end that is before its start, but they mark the slice.
  bool end_is_unknown(std::uint32_t row) const {
    return has_flag(trace_.slices().flags[row], trace::SliceFlag::kEndUnknown);
  }

  bool is_phase(std::uint32_t row, std::string_view name) const {
    return trace_.slices().category[row] == phase_ && trace_.text(trace_.slices().name[row]) == name;
  }

  std::uint64_t tasks_processed(std::uint32_t row) const {
    return trace_.find_arg(trace_.slices().first_arg[row], trace::arg::kTasksProcessed).as_uint();
  }

  void check_phases() {
    Invariant dispatched{.id = "dispatched", .text = "dispatch phases handed out what cores ran"};
    Invariant completed{.id = "completed", .text = "complete phases saw every finish"};
    Invariant apart{.id = "phases_apart", .text = "outer phases of a thread do not overlap"};
    Invariant resolves{.id = "resolve_inside", .text = "every resolve is inside a complete or dummy"};
    std::uint64_t handed_out = 0;
    std::uint64_t seen = 0;
    for (const TrackId thread : chip_.schedulers) {
      const RowRange rows = trace_.slices_of(thread);
      Ticks last_end = Ticks::min();
      for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
        if (trace_.slices().category[row] != phase_) continue;
        const SliceId parent = trace_.slices().parent[row];
        if (is_phase(row, trace::phase::kDispatch) || is_phase(row, trace::phase::kEarlyDispatch))
          handed_out += tasks_processed(row);
        if (is_phase(row, trace::phase::kComplete)) seen += tasks_processed(row);
        if (is_phase(row, trace::phase::kResolve)) {
          ++resolves.checked;
          if (parent == SliceId::kNone || !(is_phase(index(parent), trace::phase::kComplete) ||
                                            is_phase(index(parent), trace::phase::kDummy)))
            violated(resolves, 1, fmt::format("a resolve of {}", trace_.text(trace_.track(thread).name)));
        } else if (parent == SliceId::kNone) {
          ++apart.checked;
          if (trace_.slices().start[row] < last_end)
            violated(apart, 1,
                     fmt::format("a {} of {}", trace_.text(trace_.slices().name[row]),
                                 trace_.text(trace_.track(thread).name)));
          last_end = std::max(last_end, trace_.end_of(SliceId{row}));
        }
      }
    }
    if (apart.checked > 0) compare_counts(dispatched, handed_out, dispatches_, "handed out", "dispatches");
    if (apart.checked > 0) compare_counts(completed, seen, finished_, "seen", "finished dispatches");
    add(std::move(dispatched));
    add(std::move(completed));
    add(std::move(apart));
    add(std::move(resolves));
  }

  void check_control_order() {
    Invariant order{.id = "control_order", .text = "no phase or submission ends before it starts"};
    for (const std::vector<TrackId>* tracks : {&chip_.schedulers, &chip_.orchestrators})
      for (const TrackId track : *tracks) {
        const RowRange rows = trace_.slices_of(track);
        order.checked += rows.count;
        for (std::uint32_t row = rows.first; row < rows.end(); ++row)
          if (end_is_unknown(row))
            violated(order, 1,
                     fmt::format("a {} of {}", trace_.text(trace_.slices().name[row]),
                                 trace_.text(trace_.track(track).name)));
      }
    add(std::move(order));
  }

  static void compare_counts(Invariant& invariant, std::uint64_t phases, std::uint64_t rows,
                             std::string_view verb, std::string_view what) {
    invariant.checked = rows;
    if (phases != rows)
      violated(invariant, phases > rows ? phases - rows : rows - phases,
               fmt::format("{} {}, {} {}", phases, verb, rows, what));
  }

  void check_submissions() {
    Invariant numbers{.id = "submit_index", .text = "submissions are numbered 0, 1, 2, ..."};
    Invariant before{.id = "submit_first", .text = "no task is dispatched before it is submitted"};
    const CategoryId submit = trace_.find_category(trace::category::kSubmit);
    for (const TrackId orchestrator : chip_.orchestrators) {
      const RowRange rows = trace_.slices_of(orchestrator);
      std::uint64_t expected = 0;
      for (std::uint32_t row = rows.first; row < rows.end() && submit != CategoryId::kNone; ++row) {
        if (trace_.slices().category[row] != submit) continue;
        const Value number = trace_.find_arg(trace_.slices().first_arg[row], trace::arg::kSubmitIndex);
        if (number.type == trace::ValueType::kNull) continue;
        ++numbers.checked;
        if (number.as_uint() != expected)
          violated(numbers, 1, fmt::format("number {} where {} is expected", number.as_uint(), expected));
        expected = number.as_uint() + 1;
        check_submitted_first(orchestrator, row, before);
      }
    }
    add(std::move(numbers));
    add(std::move(before));
  }

  void check_submitted_first(TrackId orchestrator, std::uint32_t row, Invariant& before) const {
    const TaskId task = trace_.slices().task[row];
    if (task == TaskId::kNone || trace_.track(orchestrator).clock != chip_.clock) return;
    if (!is_known(times_.first_dispatch[index(task)])) return;
    ++before.checked;
    if (times_.first_dispatch[index(task)] < trace_.slices().start[row])
      violated(before, 1, trace::task_label(trace_.tasks().external_id[index(task)]));
  }

  void check_dependencies() {
    Invariant edges{.id = "happens_before", .text = "no task starts before its producers have ended"};
    Invariant acyclic{.id = "acyclic", .text = "no task waits for itself"};
    const trace::TaskEdgeTable& table = trace_.task_edges();
    for (std::uint32_t edge = 0; edge < table.size(); ++edge) {
      const std::uint32_t from = index(table.from[edge]);
      const std::uint32_t to = index(table.to[edge]);
      if (!is_known(times_.last_end[from]) || !is_known(times_.first_start[to])) continue;
      ++edges.checked;
      if (times_.first_start[to] < times_.last_end[from])
        violated(
            edges, 1,
            fmt::format("{} starts before {} has ended", trace::task_label(trace_.tasks().external_id[to]),
                        trace::task_label(trace_.tasks().external_id[from])));
    }
    acyclic.checked = table.size();
    if (const std::uint64_t caught = tasks_on_cycles(); caught > 0)
      violated(acyclic, caught, fmt::format("{} tasks are on a cycle or behind one", caught));
    add(std::move(edges));
    add(std::move(acyclic));
  }

  std::uint64_t tasks_on_cycles() const {
    if (edges_lead_upwards(trace_)) return 0;
    return trace_.tasks().size() - producers_first(successors_of(trace_)).size();
  }

  const Trace& trace_;
  const ChipRun& chip_;
  const TaskTimes& times_;
  const CategoryId phase_;
  std::uint64_t dispatches_ = 0;
  std::uint64_t finished_ = 0;
  std::vector<Invariant> found_;
};

}  // namespace

std::string_view name_of(InvariantState state) {
  switch (state) {
    case InvariantState::kHolds:
      return "holds";
    case InvariantState::kViolated:
      return "violated";
    case InvariantState::kNotRecorded:
      return "not recorded";
  }
  return "";
}

std::vector<Invariant> check_invariants(const Trace& trace, const ChipRun& chip, const TaskTimes& times) {
  return Checker(trace, chip, times).check();
}

}  // namespace accelscope::analysis::chip
