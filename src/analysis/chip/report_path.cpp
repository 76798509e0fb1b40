#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analysis/chip/explanation.h"
#include "analysis/report_work.h"

namespace accelscope::analysis::chip {
namespace {

using findings::Cell;
using findings::Findings;
using findings::Metric;
using findings::Section;
using findings::StatementKind;
using findings::Table;

std::string_view words_for(WaitKind wait) {
  switch (wait) {
    case WaitKind::kFrontGap:
      return "front gap";
    case WaitKind::kDataWait:
      return "data wait";
    case WaitKind::kCoreWait:
      break;
  }
  return "core wait";
}

void add_metric(Section& section, const Explanation& run, std::string id, std::string label, Ticks time) {
  section.metrics.push_back({.id = std::move(id),
                             .label = std::move(label),
                             .value = run.in_unit(time),
                             .unit = std::string(run.unit()),
                             .note = fmt::format("{:.1f} % of the window", run.share_of_window(time)),
                             .better = findings::Better::kLower});
}

// The static path has no stalls.
Table function_table(const Explanation& run, std::string id, std::string title,
                     const std::vector<FunctionOnPath>& functions, bool with_stalls) {
  Table table{.id = std::move(id),
              .title = std::move(title),
              .columns = {text_column("function", "Function"), count_column("steps", "Steps"),
                          number_column("compute", "Compute", std::string(run.unit()), 2),
                          percent_column("share", "Of window")}};
  if (with_stalls)
    table.columns.push_back(number_column("stall", "Stall before", std::string(run.unit()), 2));
  for (const FunctionOnPath& function : functions) {
    const std::string_view name = run.text(function.function);
    table.rows.push_back({std::string(name.empty() ? "control" : name),
                          static_cast<std::int64_t>(function.steps), run.in_unit(function.compute),
                          run.share_of_window(function.compute)});
    if (with_stalls) table.rows.back().emplace_back(run.in_unit(function.stall));
  }
  table.rows_shown = 12;
  return table;
}

struct StallColumn {
  std::string_view id;
  std::string_view title;
  Ticks Stall::*part;
};
constexpr StallColumn kStallColumns[] = {{"submission", "Submit", &Stall::submission},
                                         {"scheduling", "Sched.", &Stall::scheduling},
                                         {"core", "Core", &Stall::core},
                                         {"unknown", "Unknown", &Stall::unknown}};

// What no step stalled for needs no column.
std::vector<StallColumn> stalls_seen(const std::vector<PathStep>& steps) {
  std::vector<StallColumn> seen;
  for (const StallColumn& column : kStallColumns)
    if (std::any_of(steps.begin(), steps.end(),
                    [&](const PathStep& step) { return (step.stall.*column.part).value > 0; }))
      seen.push_back(column);
  return seen;
}

Table step_table(const Explanation& run) {
  const std::string unit(run.unit());
  Table table{.id = "steps",
              .title = "The observed path, step by step",
              .columns = {text_column("task", "Task"), text_column("name", "Name"),
                          number_column("start", "Start", unit, 2), number_column("compute", "Run", unit, 2),
                          text_column("wait", "Wait")}};
  const std::vector<StallColumn> stalls = stalls_seen(run.path.steps);
  for (const StallColumn& column : stalls)
    table.columns.push_back(number_column(std::string(column.id), std::string(column.title), unit, 2));
  for (const PathStep& step : run.path.steps) {
    table.rows.push_back({run.number_of_task(step.task), run.name_of_task(step.task),
                          run.in_unit(step.start - run.path.window.from), run.in_unit(step.compute()),
                          std::string(words_for(step.wait))});
    for (const StallColumn& column : stalls)
      table.rows.back().emplace_back(run.in_unit(step.stall.*column.part));
  }
  table.rows_shown = 15;
  table.note =
      "Behind the wait before a step stands what it was for, as far as there was any; it and the runs tile "
      "the window of the path exactly.";
  return table;
}

std::string question_text(const Explanation& run, const WhatIfAnswer& answer) {
  switch (answer.question) {
    case Question::kFasterFunction:
      return fmt::format("{} were {:g}x faster", run.text(answer.function), answer.speedup);
    case Question::kNoSchedulerCost:
      return "scheduling cost nothing";
    case Question::kNoSubmissionCost:
      return "submitting cost nothing";
    case Question::kOneMoreCore:
      break;
  }
  return fmt::format("there were one more {} core", answer.engine);
}

Cell against_error(const WhatIf& simulation, const WhatIfAnswer& answer) {
  if (answer.estimate == simulation.observed) return {};
  return std::string(simulation.is_beyond_error(answer) ? "beyond" : "within");
}

std::string calibration_text(const Explanation& run) {
  const WhatIf& simulation = run.what_if;
  const double error = 100 * simulation.calibration();
  const std::string off = std::abs(error) < 0.05 ? std::string("as long as it took")
                                                 : fmt::format("{:.1f} % {} than it took", std::abs(error),
                                                               error > 0 ? "longer" : "shorter");
  return fmt::format(
      "Estimates: the recorded tasks are scheduled again on the recorded graph. The simulation of the run as "
      "it was is {} ({:.1f} for {:.1f} {}); changes that are smaller than that error say nothing.",
      off, run.in_unit(simulation.simulated), run.in_unit(simulation.observed), run.unit());
}

}  // namespace

void add_critical_path(Findings& findings, const Explanation& run) {
  Section& section = findings::add_section(findings, "critical_path", "Critical path");
  if (run.path.steps.empty()) {
    section.empty_hint = "Nothing ran.";
    return;
  }
  if (run.static_path.has_dependencies)
    add_metric(section, run, "static", "static: what the dependencies force", run.static_path.length);
  add_metric(section, run, "observed", "observed path", run.path.window.length());
  add_metric(section, run, "compute", "of it compute", run.path.compute);
  add_metric(section, run, "front_gap", "front gap", run.path.front_gap);
  add_metric(section, run, "data_wait", "data wait", run.path.data_wait);
  add_metric(section, run, "core_wait", "core wait", run.path.core_wait);
  add_metric(section, run, "submission", "stall: not submitted yet", run.path.stall.submission);
  add_metric(section, run, "scheduling", "stall: scheduling", run.path.stall.scheduling);
  section.tables.push_back(
      function_table(run, "functions", "Observed path by function", run.path.functions, true));
  if (run.static_path.has_dependencies)
    section.tables.push_back(
        function_table(run, "static_functions", "Static path by function", run.static_path.functions, false));
  section.tables.push_back(step_table(run));
}

void add_what_if(Findings& findings, const Explanation& run) {
  Section& section = findings::add_section(findings, "what_if", "What if");
  if (run.what_if.state != WhatIfState::kAnswered) {
    section.empty_hint = run.what_if.state == WhatIfState::kTooManyTasks
                             ? "The run has too many tasks to be simulated again."
                             : "Nothing ran.";
    return;
  }
  Table table{
      .id = "answers",
      .columns = {text_column("question", "If"),
                  number_column("estimate", "Makespan, estimated", std::string(run.unit()), 1),
                  percent_column("change", "Change"), text_column("against_error", "Against the error")}};
  for (const WhatIfAnswer& answer : run.what_if.answers)
    table.rows.push_back({question_text(run, answer), run.in_unit(answer.estimate),
                          -100 * run.what_if.saving(answer), against_error(run.what_if, answer)});
  section.tables.push_back(std::move(table));
  section.statements.push_back({.id = "chip.what_if.calibration",
                                .kind = StatementKind::kFinding,
                                .subject = "simulation",
                                .text = calibration_text(run)});
  section.metrics.push_back({.id = "calibration",
                             .label = "error of the simulation, nothing changed",
                             .value = 100 * run.what_if.calibration(),
                             .unit = "%",
                             .note = "of what was observed"});
  const auto bound = [&](std::string id, std::string label, Ticks time) {
    if (time.value > 0) add_metric(section, run, std::move(id), std::move(label), time);
  };
  bound("dependency_bound", "never shorter than: the longest chain", run.what_if.dependency_bound);
  bound("cube_bound", "never shorter than: AIC work / AIC cores", run.what_if.cube_bound);
  bound("vector_bound", "never shorter than: AIV work / AIV cores", run.what_if.vector_bound);
}

}  // namespace accelscope::analysis::chip
