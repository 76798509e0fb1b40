#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "analysis/chip/explanation.h"
#include "analysis/report_work.h"

namespace accelscope::analysis::chip {
namespace {

using findings::Cell;
using findings::Findings;
using findings::Section;
using findings::Table;

Cell optional_cell(std::optional<double> value) {
  Cell cell;
  if (value) cell = *value;
  return cell;
}

std::string name_of(const Explanation& run, const ThreadBudget& thread) {
  return std::string(run.text(run.trace.track(thread.thread).name));
}

Table thread_table(const Explanation& run) {
  Table table{
      .id = "threads",
      .columns = {text_column("thread", "Thread"), count_column("loops", "Loops"),
                  count_column("tasks", "Tasks"), count_column("dispatched", "Dispatches"),
                  count_column("completed", "Completions"), percent_column("pop_hit_rate", "Pop hits")}};
  for (const ThreadBudget& thread : run.scheduler.threads) {
    std::optional<double> hit_rate = thread.pop_hit_rate();
    if (hit_rate) *hit_rate *= 100;
    table.rows.push_back({name_of(run, thread), static_cast<std::int64_t>(thread.loops),
                          static_cast<std::int64_t>(thread.tasks),
                          static_cast<std::int64_t>(thread.parts_dispatched),
                          static_cast<std::int64_t>(thread.parts_completed), optional_cell(hit_rate)});
  }
  return table;
}

Table thread_time_table(const Explanation& run) {
  Table table{.id = "thread_times",
              .title = "Their time",
              .columns = {text_column("thread", "Thread"),
                          number_column("window", "Window", std::string(run.unit()), 1),
                          number_column("work", "Work", std::string(run.unit()), 1),
                          percent_column("idle", "Idle"), number_column("ns_per_loop", "Per loop", "ns", 0),
                          number_column("ns_per_task", "Per task", "ns", 0)}};
  for (const ThreadBudget& thread : run.scheduler.threads)
    table.rows.push_back({name_of(run, thread), run.in_unit(thread.window.length()),
                          run.in_unit(thread.work()), 100 * thread.idle_share(),
                          optional_cell(thread.ns_per_loop()), optional_cell(thread.ns_per_task())});
  table.note =
      "Work is all that phases cover, idle only what no phase covers; both sum to the window exactly. Per "
      "loop: window by "
      "loops; per task: work by tasks.";
  return table;
}

Table phase_table(const Explanation& run) {
  std::map<std::string_view, PhaseTime> phases;
  Ticks window{};
  Ticks idle{};
  for (const ThreadBudget& thread : run.scheduler.threads) {
    window += thread.window.length();
    idle += thread.idle;
    for (const PhaseTime& phase : thread.phases) {
      PhaseTime& sum = phases[run.text(phase.phase)];
      sum.count += phase.count;
      sum.total += phase.total;
      sum.self += phase.self;
      sum.tasks_processed += phase.tasks_processed;
    }
  }
  Table table{
      .id = "phases",
      .title = "Phases of all threads",
      .columns = {text_column("phase", "Phase"), count_column("count", "Count"),
                  number_column("self", "Self", std::string(run.unit()), 1), percent_column("share", "Share"),
                  number_column("mean", "Mean", std::string(run.unit()), 3),
                  count_column("tasks", "Tasks processed")}};
  const auto share = [&](Ticks time) {
    return window.value > 0 ? 100 * static_cast<double>(time.value) / static_cast<double>(window.value) : 0.0;
  };
  std::vector<std::pair<std::string_view, PhaseTime>> ordered(phases.begin(), phases.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.second.self > b.second.self; });
  for (const auto& [name, phase] : ordered)
    table.rows.push_back(
        {std::string(name), static_cast<std::int64_t>(phase.count), run.in_unit(phase.self),
         share(phase.self),
         run.in_unit(static_cast<double>(phase.total.value) / static_cast<double>(phase.count)),
         static_cast<std::int64_t>(phase.tasks_processed)});
  table.rows.push_back({std::string("idle"), Cell(), run.in_unit(idle), share(idle), Cell(), Cell()});
  return table;
}

}  // namespace

void add_scheduler(Findings& findings, const Explanation& run) {
  Section& section = findings::add_section(findings, "scheduler", "Scheduler loop budget");
  if (!run.scheduler.recorded()) {
    section.empty_hint = "Record at level 3 or above to see what the scheduler threads did.";
    return;
  }
  section.tables.push_back(thread_table(run));
  section.tables.push_back(thread_time_table(run));
  section.tables.push_back(phase_table(run));
}

}  // namespace accelscope::analysis::chip
