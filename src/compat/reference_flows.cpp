#include <algorithm>
#include <numeric>

#include "compat/reference_flows.h"

namespace accelscope::compat {
namespace {

// Arrows that leave a bar at its end start inside it.
constexpr double kJustBeforeEnd = 0.01;

struct Anchor {
  FlowEnd end = {};
  Ticks started = {};
  Ticks ended = {};
};

class FlowWriter {
 public:
  FlowWriter(const ReferencePicture& picture, ReferenceEvents& events)
      : picture_(picture), run_(picture.run), events_(events) {}

  void dependencies_in_worker_view() {
    for_each_edge([&](std::uint32_t from, std::uint32_t to) {
      draw_dependencies(worker_anchors(from), worker_anchors(to), from, to);
    });
  }
  void dependencies_in_scheduler_view() {
    for_each_edge([&](std::uint32_t from, std::uint32_t to) {
      draw_dependencies(scheduler_anchors(from), scheduler_anchors(to), from, to);
    });
  }
  void completions();
  void readiness();
  void dispatches();
  void submissions();

 private:
  template <class Use>
  void for_each_edge(Use&& use) const {
    for (std::uint32_t task = 0; task < run_.tasks.size(); ++task)
      for (const std::uint32_t consumer : run_.consumers_of(task)) use(task, consumer);
  }

  FlowEnd worker_bar(std::uint32_t row, double ts) const {
    return {kWorkerView, core_thread(run_.rows[row].core), ts, picture_.worker_bar(row)};
  }
  FlowEnd scheduler_view_bar(std::uint32_t row, double ts) const {
    return {kSchedulerView, core_thread(run_.rows[row].core, picture_.lanes[row]), ts,
            picture_.scheduler_bar(row)};
  }
  static FlowEnd scheduler_at(std::int64_t thread, double ts) {
    return {kSchedulerProcess, scheduler_thread(thread), ts};
  }

  // Where arrows of a task begin or end in the worker view: its rows, or the marker of a task without any.
  std::vector<Anchor> worker_anchors(std::uint32_t task) const {
    std::vector<Anchor> anchors;
    for (const std::uint32_t row : standing_rows(run_, task, &ReferenceRow::receive))
      anchors.push_back(
          {worker_bar(row, run_.clock.us(run_.rows[row].receive)), run_.rows[row].start, run_.rows[row].end});
    const std::uint32_t marker = picture_.control_bar_of_task[task];
    if (anchors.empty() && marker != ReferenceRun::kNoTask) {
      const ControlBar& bar = picture_.control_bars[marker];
      anchors.push_back({{kWorkerView, bar.thread, bar.start, bar.id}, bar.start_time, bar.end_time});
    }
    return anchors;
  }
  std::vector<Anchor> scheduler_anchors(std::uint32_t task) const {
    std::vector<Anchor> anchors;
    for (const std::uint32_t row : standing_rows(run_, task, &ReferenceRow::dispatch))
      anchors.push_back({scheduler_view_bar(row, run_.clock.us(run_.rows[row].dispatch)),
                         run_.rows[row].start, run_.rows[row].end});
    return anchors;
  }

  void draw_dependencies(const std::vector<Anchor>& from, const std::vector<Anchor>& to,
                         std::uint32_t producer, std::uint32_t consumer) {
    const BlockCounts blocks{run_.tasks[consumer].blocks, run_.tasks[producer].blocks};
    for (const Anchor& source : from)
      for (const Anchor& target : to)
        events_.flow(source.ended > target.started ? "hb_violation" : "dependency", source.end, target.end,
                     blocks);
  }

  std::uint32_t last_finished(std::uint32_t task) const {
    const std::span<const ReferenceRow> rows = run_.rows_of(task);
    const auto last = std::max_element(rows.begin(), rows.end(),
                                       [](const auto& a, const auto& b) { return a.finish < b.finish; });
    return run_.tasks[task].first_row + static_cast<std::uint32_t>(last - rows.begin());
  }
  // The phase that saw the whole task finish.
  std::uint32_t complete_of(std::uint32_t task) const {
    return run_.tasks[task].row_count == 0 ? ReferencePicture::kNoComplete
                                           : picture_.complete_of_row[last_finished(task)];
  }
  std::uint32_t first_dispatched(std::uint32_t task) const {
    const std::span<const ReferenceRow> rows = run_.rows_of(task);
    const auto first = std::min_element(rows.begin(), rows.end(),
                                        [](const auto& a, const auto& b) { return a.dispatch < b.dispatch; });
    return run_.tasks[task].first_row + static_cast<std::uint32_t>(first - rows.begin());
  }
  void draw_readiness(const CompleteBar& complete, std::uint32_t task);

  const ReferencePicture& picture_;
  const ReferenceRun& run_;
  ReferenceEvents& events_;
};

void FlowWriter::completions() {
  for (std::uint32_t task = 0; task < run_.tasks.size(); ++task) {
    const std::uint32_t complete = complete_of(task);
    if (complete == ReferencePicture::kNoComplete) continue;
    const CompleteBar& bar = picture_.completes[complete];
    const Ticks seen = std::max(run_.rows[last_finished(task)].finish, bar.start);
    const FlowEnd target = scheduler_at(bar.thread, run_.clock.us(seen));
    for (const std::uint32_t row : standing_rows(run_, task, &ReferenceRow::receive))
      events_.flow("complete", worker_bar(row, run_.clock.us(run_.rows[row].end) - kJustBeforeEnd), target);
    for (const std::uint32_t row : standing_rows(run_, task, &ReferenceRow::dispatch))
      events_.flow("complete", scheduler_view_bar(row, run_.clock.us(run_.rows[row].finish) - kJustBeforeEnd),
                   target);
  }
}

void FlowWriter::draw_readiness(const CompleteBar& complete, std::uint32_t task) {
  if (run_.tasks[task].row_count == 0) return;
  const ReferenceRow& first = run_.rows[first_dispatched(task)];
  if (first.dispatch < complete.end || first.thread < 0) return;
  events_.flow("complete\u2192ready",
               scheduler_at(complete.thread, run_.clock.us(complete.end) - kJustBeforeEnd),
               scheduler_at(first.thread, run_.clock.us(first.dispatch)));
}

// Completes in order of their ends; each takes the tasks it completed off the lists of those who wait for
// them, and the one that empties a list made its task ready.
void FlowWriter::readiness() {
  const std::size_t count = picture_.completes.size();
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return picture_.completes[a].end < picture_.completes[b].end;
  });
  std::vector<std::vector<std::uint32_t>> completed(count);
  std::vector<std::size_t> waits_for(run_.tasks.size());
  for (std::uint32_t task = 0; task < run_.tasks.size(); ++task) {
    waits_for[task] = run_.producers_of(task).size();
    const std::uint32_t complete = complete_of(task);
    if (complete != ReferencePicture::kNoComplete) completed[complete].push_back(task);
  }
  for (const std::uint32_t complete : order)
    for (const std::uint32_t task : completed[complete])
      for (const std::uint32_t consumer : run_.consumers_of(task))
        if (--waits_for[consumer] == 0) draw_readiness(picture_.completes[complete], consumer);
}

void FlowWriter::dispatches() {
  for (std::uint32_t index = 0; index < run_.rows.size(); ++index) {
    const ReferenceRow& row = run_.rows[index];
    if (row.thread < 0) continue;
    const FlowEnd source = scheduler_at(row.thread, run_.clock.us(row.dispatch));
    events_.flow("dispatch", source, {kWorkerView, core_thread(row.core), run_.clock.us(row.start)});
    events_.flow("dispatch", source, scheduler_view_bar(index, source.ts));
  }
}

void FlowWriter::submissions() {
  if (!run_.chip.clocks_compare) return;
  std::vector<std::optional<FlowEnd>> submitted(run_.tasks.size());
  for (std::size_t i = 0; i < run_.orchestrators.size(); ++i)
    for (const ReferenceSubmit& submit : run_.orchestrators[i]) {
      const std::uint32_t task = run_.find_task(submit.task);
      if (task == ReferenceRun::kNoTask) continue;
      const double end = run_.submit_us(submit.end);
      submitted[task] =
          FlowEnd{kOrchestratorProcess, kOrchestratorThread + static_cast<std::int64_t>(i), end};
    }
  for (const ReferenceRow& row : run_.rows)
    if (submitted[row.task] && row.thread >= 0)
      events_.flow("submit\u2192dispatch", *submitted[row.task],
                   scheduler_at(row.thread, run_.clock.us(row.dispatch)));
}

}  // namespace

void write_flows(const ReferencePicture& picture, ReferenceEvents& events) {
  FlowWriter flows(picture, events);
  flows.dependencies_in_worker_view();
  if (!picture.run.has_dispatch_times) return;
  flows.dependencies_in_scheduler_view();
  if (!picture.completes.empty()) {
    flows.completions();
    flows.readiness();
  }
  flows.dispatches();
  flows.submissions();
}

}  // namespace accelscope::compat
