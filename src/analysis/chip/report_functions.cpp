#include <fmt/format.h>

#include "analysis/chip/explanation.h"
#include "analysis/report_work.h"

namespace accelscope::analysis::chip {
namespace {

using findings::Cell;
using findings::Column;
using findings::Findings;
using findings::Section;
using findings::Table;

// What was not recorded stays empty.
Cell mean_cell(const Explanation& run, const TickSum& sum) {
  Cell cell;
  if (sum.n > 0) cell = run.in_unit(sum.mean());
  return cell;
}

// Calls add(name, function) for every function, and at last for all together.
template <class Add>
void for_each_function(const Explanation& run, Add&& add) {
  for (const FunctionTime& function : run.functions.functions)
    add(std::string(run.text(function.function)), function);
  add(std::string("all"), run.functions.total);
}

Table exec_table(const Explanation& run) {
  const std::string unit(run.unit());
  Table table{
      .id = "functions",
      .columns = {text_column("function", "Function"), text_column("engines", "On"),
                  count_column("count", "Count"), percent_column("share", "Share"),
                  number_column("exec", "Exec", unit, 2), number_column("exec_p50", "p50", unit, 2),
                  number_column("exec_p90", "p90", unit, 2), number_column("exec_p99", "p99", unit, 2),
                  number_column("exec_max", "max", unit, 2)}};
  for_each_function(run, [&](std::string name, const FunctionTime& function) {
    std::vector<Cell> row(table.columns.size());
    row[0] = std::move(name);
    row[1] = fmt::format("{}", fmt::join(function.engines, "+"));
    row[2] = static_cast<std::int64_t>(function.count);
    row[3] = 100 * function.exec_share;
    row[4] = mean_cell(run, function.exec);
    if (function.exec.n > 0) {
      row[5] = run.in_unit(function.exec.p50);
      row[6] = run.in_unit(function.exec.p90);
      row[7] = run.in_unit(function.exec.p99);
      row[8] = run.in_unit(function.exec.max);
    }
    table.rows.push_back(std::move(row));
  });
  table.rows_shown = 25;
  table.note = "Exec is kernel time, start to end: its mean, percentiles and maximum, and its share of all.";
  return table;
}

Table overhead_table(const Explanation& run) {
  const std::string unit(run.unit());
  Table table{.id = "overheads",
              .title = "Around the kernels",
              .columns = {text_column("function", "Function"), number_column("latency", "Latency", unit, 2),
                          number_column("latency_p99", "p99", unit, 2),
                          number_column("head", "Head", unit, 2), number_column("head_p99", "p99", unit, 2),
                          number_column("tail", "Tail", unit, 2), number_column("tail_p99", "p99", unit, 2)}};
  for_each_function(run, [&](std::string name, const FunctionTime& function) {
    std::vector<Cell> row(table.columns.size());
    row[0] = std::move(name);
    row[1] = mean_cell(run, function.latency);
    if (function.latency.n > 0) row[2] = run.in_unit(function.latency.p99);
    row[3] = mean_cell(run, function.head);
    if (function.head.n > 0) row[4] = run.in_unit(function.head.p99);
    row[5] = mean_cell(run, function.tail);
    if (function.tail.n > 0) row[6] = run.in_unit(function.tail.p99);
    table.rows.push_back(std::move(row));
  });
  table.rows_shown = 25;
  table.note =
      "Means, and the 99th percentile behind each. Latency: dispatch to finish; head: dispatch to start; "
      "tail: "
      "end to finish. A task that is dispatched to a busy core waits in its head.";
  return table;
}

Table head_table(const Explanation& run) {
  const std::string unit(run.unit());
  Table table{
      .id = "heads",
      .title = "What the head is made of",
      .columns = {text_column("function", "Function"), number_column("propagation", "Propagation", unit, 2),
                  number_column("local_setup", "Local setup", unit, 2),
                  number_column("idle_head", "Core idle", unit, 2)}};
  for_each_function(run, [&](std::string name, const FunctionTime& function) {
    table.rows.push_back({std::move(name), mean_cell(run, function.propagation),
                          mean_cell(run, function.local_setup), mean_cell(run, function.idle_head)});
  });
  table.rows_shown = 25;
  table.note =
      "Means. Propagation: until the core sees the task; local setup: from there to its start; core idle: "
      "how "
      "much of the head the core had nothing else to do.";
  return table;
}

void add_wait_rows(Table& table, const Explanation& run, const std::string& name, const StageStats& waits) {
  for (std::size_t i = 0; i < kStages; ++i) {
    const TickStats& stage = waits.stages[i];
    if (stage.n == 0) continue;
    table.rows.push_back({name, std::string(to_string(static_cast<Stage>(i))),
                          static_cast<std::int64_t>(stage.n), run.in_unit(stage.mean()),
                          run.in_unit(stage.p50), run.in_unit(stage.p90), run.in_unit(stage.p99),
                          run.in_unit(stage.max)});
  }
}

Table wait_table(const Explanation& run, std::string id, std::string title) {
  const std::string unit(run.unit());
  return {.id = std::move(id),
          .title = std::move(title),
          .columns = {text_column("function", "Function"), text_column("stage", "Stage"),
                      count_column("n", "n"), number_column("mean", "Mean", unit, 2),
                      number_column("p50", "p50", unit, 2), number_column("p90", "p90", unit, 2),
                      number_column("p99", "p99", unit, 2), number_column("max", "Max", unit, 2)}};
}

}  // namespace

void add_functions(Findings& findings, const Explanation& run) {
  Section& section = findings::add_section(findings, "functions", "Functions");
  if (run.functions.functions.empty()) {
    section.empty_hint = "Nothing ran.";
    return;
  }
  section.tables.push_back(exec_table(run));
  if (run.chip.level < 2) return;
  section.tables.push_back(overhead_table(run));
  section.tables.push_back(head_table(run));
}

void add_waits(Findings& findings, const Explanation& run) {
  Section& section = findings::add_section(findings, "waits", "From submission to resolve");
  if (run.chip.level < 2) {
    section.empty_hint = "Record at level 2 or above to see what tasks wait for.";
    return;
  }
  Table overall = wait_table(run, "overall", "");
  add_wait_rows(overall, run, "all", run.waits.overall);
  std::uint64_t against_time = 0;
  for (const TickStats& stage : run.waits.overall.stages) against_time += stage.negative;
  if (against_time > 0)
    overall.note = fmt::format("{} intervals that run against time are left out.", against_time);
  section.tables.push_back(std::move(overall));
  Table functions = wait_table(run, "functions", "By function");
  for (const FunctionWaits& function : run.waits.functions)
    add_wait_rows(functions, run, std::string(run.text(function.function)), function.waits);
  functions.rows_shown = 14;
  section.tables.push_back(std::move(functions));
}

}  // namespace accelscope::analysis::chip
