#include "compat/reference_run.h"

#include <algorithm>
#include <numeric>

#include "trace/function_numbers.h"
#include "trace/vocabulary.h"

namespace accelscope::compat {
namespace {

using base::Int128;
using trace::ChipRun;
using trace::TaskId;
using trace::Trace;
using trace::TrackId;

constexpr Int128 kNanosecondsPerSecond = 1'000'000'000;

Int128 difference(Ticks from, Ticks to) {
  return static_cast<Int128>(to.value) - from.value;
}

double elapsed_ticks(Ticks from, Ticks to) {
  return static_cast<double>(difference(from, to));
}

// So that no product exceeds 128 bits, however odd the input is.
std::int64_t within_64_bits(Int128 value) {
  return base::floor_divide(value, 1);
}

// The host's clock as the time axis: found where an orchestrator has a clock of its own.
std::optional<ReferenceClock::Alignment> alignment_of(const Trace& trace, const ChipRun& chip) {
  for (const TrackId orchestrator : chip.orchestrators) {
    const trace::ClockId host = trace.track(orchestrator).clock;
    if (host == chip.clock) continue;
    for (const trace::ClockRelation& relation : trace.clock_relations()) {
      if (relation.knots.size() < 2) continue;
      const trace::ClockKnot& first = relation.knots.front();
      const trace::ClockKnot& last = relation.knots.back();
      if (relation.from == host && relation.to == chip.clock && first.to < last.to)
        return ReferenceClock::Alignment{{first.to, first.from}, {last.to, last.from}};
      if (relation.from == chip.clock && relation.to == host && first.from < last.from)
        return ReferenceClock::Alignment{{first.from, first.to}, {last.from, last.to}};
    }
  }
  return std::nullopt;
}

void add_rows(const Trace& trace, const trace::FunctionNumbers& functions, ReferenceRun& run) {
  for (const trace::ChipCore& core : run.chip.cores) {
    const std::int32_t thread = core.scheduler == TrackId::kNone
                                    ? -1
                                    : static_cast<std::int32_t>(trace.track(core.scheduler).external_id);
    for (const trace::Dispatch& item : trace::DispatchWalk(trace, core.track)) {
      const std::uint32_t task = run.find_task(item.task);
      if (task == ReferenceRun::kNoTask) continue;
      run.rows.push_back({.task = task,
                          .function = functions.number(item.function),
                          .core = core.number,
                          .thread = thread,
                          .cube = core.engine == trace::engine::kCube,
                          .name = item.function,
                          .dispatch = item.dispatch,
                          .receive = trace::is_known(item.receive) ? item.receive : item.start,
                          .start = item.start,
                          .end = item.end,
                          .finish = item.finish});
    }
  }
  // A row that lacks what others have was not joined with the scheduler's; they leave it out.
  const auto joined = [](const ReferenceRow& row) {
    return trace::is_known(row.dispatch) && trace::is_known(row.finish);
  };
  run.has_dispatch_times = std::any_of(run.rows.begin(), run.rows.end(), joined);
  if (run.has_dispatch_times)
    run.rows.erase(std::stable_partition(run.rows.begin(), run.rows.end(), joined), run.rows.end());
  std::stable_sort(run.rows.begin(), run.rows.end(),
                   [](const ReferenceRow& a, const ReferenceRow& b) { return a.task < b.task; });
}

void add_tasks(const Trace& trace, ReferenceRun& run) {
  const trace::TaskTable& tasks = trace.tasks();
  std::vector<std::uint32_t> order(tasks.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return tasks.external_id[a] < tasks.external_id[b];
  });
  run.place_of_task.resize(tasks.size());
  for (const std::uint32_t task : order) {
    run.place_of_task[task] = static_cast<std::uint32_t>(run.tasks.size());
    run.tasks.push_back({.id = tasks.external_id[task], .task = TaskId{task}, .blocks = tasks.blocks[task]});
  }
}

// Without a description of the task, two rows on cores of one kind are taken for blocks.
bool looks_split(std::span<const ReferenceRow> rows) {
  const auto cubes =
      std::count_if(rows.begin(), rows.end(), [](const ReferenceRow& row) { return row.cube; });
  const bool described =
      std::any_of(rows.begin(), rows.end(), [](const ReferenceRow& row) { return row.function >= 0; });
  return !described && (cubes > 1 || static_cast<std::ptrdiff_t>(rows.size()) - cubes > 1);
}

void link_tasks_to_rows(ReferenceRun& run) {
  for (std::uint32_t row = 0; row < run.rows.size(); ++row) {
    ReferenceTask& task = run.tasks[run.rows[row].task];
    if (task.row_count == 0) task.first_row = row;
    ++task.row_count;
  }
  for (std::uint32_t task = 0; task < run.tasks.size(); ++task)
    run.tasks[task].spmd = run.tasks[task].blocks > 1 || looks_split(run.rows_of(task));
}

void add_edges(const Trace& trace, ReferenceRun& run) {
  struct Edge {
    std::uint32_t from;
    std::uint32_t to;
    auto operator<=>(const Edge&) const = default;
  };
  const trace::TaskEdgeTable& table = trace.task_edges();
  std::vector<Edge> edges;
  edges.reserve(table.size());
  for (std::uint32_t row = 0; row < table.size(); ++row)
    edges.push_back(
        {run.place_of_task[trace::index(table.from[row])], run.place_of_task[trace::index(table.to[row])]});
  std::sort(edges.begin(), edges.end());
  run.consumer_offsets.assign(run.tasks.size() + 1, 0);
  run.producer_offsets.assign(run.tasks.size() + 1, 0);
  for (const Edge& edge : edges) {
    ++run.consumer_offsets[edge.from + 1];
    ++run.producer_offsets[edge.to + 1];
  }
  std::partial_sum(run.consumer_offsets.begin(), run.consumer_offsets.end(), run.consumer_offsets.begin());
  std::partial_sum(run.producer_offsets.begin(), run.producer_offsets.end(), run.producer_offsets.begin());
  run.consumers.reserve(edges.size());
  run.producers.resize(edges.size());
  std::vector<std::uint32_t> next = run.producer_offsets;
  for (const Edge& edge : edges) {
    run.consumers.push_back(edge.to);
    run.producers[next[edge.to]++] = edge.from;
  }
}

std::uint64_t number_arg(const Trace& trace, std::uint32_t slice, std::string_view name) {
  return trace.find_arg(trace.slices().first_arg[slice], name).as_uint();
}

std::string_view text_arg(const Trace& trace, std::uint32_t slice, std::string_view name) {
  const trace::Value value = trace.find_arg(trace.slices().first_arg[slice], name);
  return value.holds_text() ? trace.text(value.as_text()) : std::string_view();
}

void add_phases(const Trace& trace, ReferenceRun& run) {
  const trace::CategoryId phase = trace.find_category(trace::category::kSchedulerPhase);
  const trace::CategoryId control = trace.find_category(trace::category::kControlTask);
  const trace::SliceTable& slices = trace.slices();
  for (const TrackId track : run.chip.schedulers) {
    ReferenceThread thread{.number = trace.track(track).external_id};
    const trace::RowRange rows = trace.slices_of(track);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      if (slices.category[row] == trace::CategoryId::kNone ||
          (slices.category[row] != phase && slices.category[row] != control))
        continue;
      thread.phases.push_back({.kind = trace.text(slices.name[row]),
                               .task = slices.task[row],
                               .start = slices.start[row],
                               .end = slices.start[row] + slices.duration[row],
                               .loop = number_arg(trace, row, trace::arg::kLoop),
                               .tasks_processed = number_arg(trace, row, trace::arg::kTasksProcessed),
                               .pop_hits = number_arg(trace, row, trace::arg::kPopHits),
                               .pop_misses = number_arg(trace, row, trace::arg::kPopMisses),
                               .queues_at_start = text_arg(trace, row, trace::arg::kQueuesAtStart),
                               .queues_at_end = text_arg(trace, row, trace::arg::kQueuesAtEnd),
                               .inner = slices.parent[row] != trace::SliceId::kNone});
    }
    std::stable_sort(thread.phases.begin(), thread.phases.end(),
                     [](const ReferencePhase& a, const ReferencePhase& b) {
                       if (a.end != b.end) return a.end < b.end;
                       return a.inner && !b.inner;
                     });
    run.threads.push_back(std::move(thread));
  }
}

void add_submits(const Trace& trace, ReferenceRun& run) {
  const trace::CategoryId submit = trace.find_category(trace::category::kSubmit);
  const trace::SliceTable& slices = trace.slices();
  for (const TrackId track : run.chip.orchestrators) {
    std::vector<ReferenceSubmit> submits;
    const trace::RowRange rows = trace.slices_of(track);
    for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
      if (submit == trace::CategoryId::kNone || slices.category[row] != submit) continue;
      const TaskId task = slices.task[row];
      submits.push_back({.task_id = task == TaskId::kNone ? 0 : trace.tasks().external_id[trace::index(task)],
                         .task = task,
                         .index = number_arg(trace, row, trace::arg::kSubmitIndex),
                         .start = slices.start[row],
                         .end = slices.start[row] + slices.duration[row]});
    }
    run.orchestrators.push_back(std::move(submits));
  }
}

void add_uploads(const Trace& trace, ReferenceRun& run) {
  const trace::CategoryId upload = trace.find_category(trace::category::kUpload);
  if (upload == trace::CategoryId::kNone) return;
  const trace::SliceTable& slices = trace.slices();
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) {
    const trace::Track& track = trace.tracks()[id];
    if (track.resource == trace::ResourceId::kNone ||
        trace.text(trace.resources()[trace::index(track.resource)].engine) != trace::engine::kHost)
      continue;
    const trace::RowRange rows = trace.slices_of(TrackId{id});
    for (std::uint32_t row = rows.first; row < rows.end(); ++row)
      if (slices.category[row] == upload)
        run.uploads.push_back({.name = trace.text(slices.name[row]),
                               .bytes = number_arg(trace, row, trace::arg::kBytes),
                               .start = slices.start[row],
                               .end = slices.start[row] + slices.duration[row]});
  }
}

// The smallest time of all, on the axis that is drawn.
Ticks first_moment(const ReferenceRun& run) {
  Ticks first = Ticks::max();
  const auto device = [&](Ticks time) {
    first = std::min(first, run.clock.host ? run.clock.host_time(time) : time);
  };
  for (const ReferenceRow& row : run.rows) {
    device(row.receive);
    if (run.has_dispatch_times) device(row.dispatch);
  }
  for (const ReferenceThread& thread : run.threads)
    for (const ReferencePhase& phase : thread.phases) device(phase.start);
  for (const std::vector<ReferenceSubmit>& submits : run.orchestrators)
    for (const ReferenceSubmit& submit : submits) first = std::min(first, submit.start);
  for (const ReferenceUpload& upload : run.uploads) first = std::min(first, upload.start);
  return first == Ticks::max() ? Ticks{0} : first;
}

}  // namespace

double ReferenceClock::us(Ticks device_time) const {
  if (host) return host_us(host_time(device_time));
  const double elapsed = elapsed_ticks(base, device_time);
  if (!frequency.known()) return elapsed / 1e3;
  const double microseconds_per_tick =
      1e6 / (static_cast<double>(frequency.ticks) / static_cast<double>(frequency.seconds));
  return elapsed * microseconds_per_tick;
}

double ReferenceClock::host_us(Ticks time) const {
  return elapsed_ticks(base, time) / 1e3;
}

// Nominal frequency from the first anchor, and the rest of the way to the last one in proportion; both parts
// rounded towards zero, as theirs.
Ticks ReferenceClock::host_time(Ticks device_time) const {
  const Int128 ticks_per_second = frequency.known()
                                      ? std::max<std::int64_t>(frequency.ticks / frequency.seconds, 1)
                                      : kNanosecondsPerSecond;
  const Int128 elapsed = difference(host->first.device, device_time);
  const Int128 span = difference(host->first.device, host->last.device);
  const Int128 correction = within_64_bits(difference(host->first.host, host->last.host) -
                                           span * kNanosecondsPerSecond / ticks_per_second);
  const Int128 time = host->first.host.value + elapsed * kNanosecondsPerSecond / ticks_per_second +
                      correction * within_64_bits(elapsed) / span;
  return {base::floor_divide(time, 1)};
}

ReferenceRun reference_run(const Trace& trace) {
  ReferenceRun run;
  run.trace = &trace;
  run.chip = trace::chip_run(trace);
  run.clock.frequency = trace.clock(run.chip.clock).frequency;
  run.clock.host = alignment_of(trace, run.chip);
  add_tasks(trace, run);
  add_rows(trace, trace::FunctionNumbers(trace), run);
  link_tasks_to_rows(run);
  add_edges(trace, run);
  add_phases(trace, run);
  add_submits(trace, run);
  add_uploads(trace, run);
  run.clock.base = first_moment(run);
  return run;
}

std::vector<std::uint32_t> standing_rows(const ReferenceRun& run, std::uint32_t task,
                                         Ticks ReferenceRow::*time) {
  const ReferenceTask& described = run.tasks[task];
  std::vector<std::uint32_t> rows;
  if (!described.spmd) {
    rows.resize(described.row_count);
    std::iota(rows.begin(), rows.end(), described.first_row);
    return rows;
  }
  for (std::uint32_t row = described.first_row; row < described.first_row + described.row_count; ++row) {
    const auto same_kind = std::find_if(rows.begin(), rows.end(), [&](std::uint32_t other) {
      return run.rows[other].cube == run.rows[row].cube;
    });
    if (same_kind == rows.end())
      rows.push_back(row);
    else if (run.rows[row].*time < run.rows[*same_kind].*time)
      *same_kind = row;
  }
  return rows;
}

}  // namespace accelscope::compat
