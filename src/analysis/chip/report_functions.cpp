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

class FunctionTable {
 public:
  explicit FunctionTable(const Explanation& run) : run_(run) {}

  Table table() const {
    const std::string unit(run_.unit());
    Table result{
        .id = "functions",
        .columns = {text_column("function", "Function"), text_column("engines", "On"),
                    count_column("count", "Count"), percent_column("share", "Exec share"),
                    number_column("exec", "Exec", unit, 2), number_column("exec_p50", "p50", unit, 2),
                    number_column("exec_p90", "p90", unit, 2), number_column("exec_p99", "p99", unit, 2),
                    number_column("exec_max", "max", unit, 2), number_column("latency", "Latency", unit, 2),
                    number_column("latency_p99", "Latency p99", unit, 2),
                    number_column("head", "Head", unit, 2), number_column("head_p99", "Head p99", unit, 2),
                    number_column("tail", "Tail", unit, 2), number_column("tail_p99", "Tail p99", unit, 2),
                    number_column("propagation", "Propagation", unit, 2),
                    number_column("local_setup", "Local setup", unit, 2)}};
    for (const FunctionTime& function : run_.functions.functions)
      result.rows.push_back(row(std::string(run_.text(function.function)), function));
    result.rows.push_back(row("all", run_.functions.total));
    result.rows_shown = 25;
    result.note =
        "Exec is kernel time; latency dispatch to finish; head dispatch to start, which is propagation and "
        "local setup; "
        "tail end to finish. Means where no percentile is named.";
    return result;
  }

 private:
  // What was not recorded stays empty.
  Cell mean(const TickSum& sum) const { return sum.n == 0 ? Cell() : number(sum.mean()); }
  Cell number(double ticks) const { return run_.in_unit(ticks); }

  std::vector<Cell> row(std::string name, const FunctionTime& function) const {
    std::vector<Cell> cells(17);
    cells[0] = std::move(name);
    cells[1] = fmt::format("{}", fmt::join(function.engines, "+"));
    cells[2] = static_cast<std::int64_t>(function.count);
    cells[3] = 100 * function.exec_share;
    cells[4] = mean(function.exec);
    if (function.exec.n > 0) {
      cells[5] = number(function.exec.p50);
      cells[6] = number(function.exec.p90);
      cells[7] = number(function.exec.p99);
      cells[8] = run_.in_unit(function.exec.max);
    }
    cells[9] = mean(function.latency);
    if (function.latency.n > 0) cells[10] = number(function.latency.p99);
    cells[11] = mean(function.head);
    if (function.head.n > 0) cells[12] = number(function.head.p99);
    cells[13] = mean(function.tail);
    if (function.tail.n > 0) cells[14] = number(function.tail.p99);
    cells[15] = mean(function.propagation);
    cells[16] = mean(function.local_setup);
    return cells;
  }

  const Explanation& run_;
};

void add_wait_rows(Table& table, const Explanation& run, const std::string& name, const StageStats& waits) {
  for (std::size_t i = 0; i < kStages; ++i) {
    const TickStats& stage = waits.stages[i];
    if (stage.n == 0 && stage.negative == 0) continue;
    table.rows.push_back(
        {name, std::string(to_string(static_cast<Stage>(i))), static_cast<std::int64_t>(stage.n),
         run.in_unit(stage.mean()), run.in_unit(stage.p50), run.in_unit(stage.p90), run.in_unit(stage.p99),
         run.in_unit(stage.max), run.in_unit(stage.total), static_cast<std::int64_t>(stage.negative)});
  }
}

Table wait_table(const Explanation& run, std::string id, std::string title) {
  const std::string unit(run.unit());
  return {.id = std::move(id),
          .title = std::move(title),
          .columns = {text_column("function", "Function"), text_column("stage", "Stage"),
                      count_column("n", "n"), number_column("mean", "Mean", unit, 2),
                      number_column("p50", "p50", unit, 2), number_column("p90", "p90", unit, 2),
                      number_column("p99", "p99", unit, 2), number_column("max", "Max", unit, 2),
                      number_column("total", "Total", unit, 1), count_column("negative", "Against time")}};
}

}  // namespace

void add_functions(Findings& findings, const Explanation& run) {
  Section& section = findings::add_section(findings, "functions", "Functions");
  if (run.functions.functions.empty()) {
    section.empty_hint = "Nothing ran.";
    return;
  }
  section.tables.push_back(FunctionTable(run).table());
}

void add_waits(Findings& findings, const Explanation& run) {
  Section& section = findings::add_section(findings, "waits", "From submission to resolve");
  if (run.chip.level < 2) {
    section.empty_hint = "Record at level 2 or above to see what tasks wait for.";
    return;
  }
  Table overall = wait_table(run, "overall", "");
  add_wait_rows(overall, run, "all", run.waits.overall);
  section.tables.push_back(std::move(overall));
  Table functions = wait_table(run, "functions", "By function");
  for (const FunctionWaits& function : run.waits.functions)
    add_wait_rows(functions, run, std::string(run.text(function.function)), function.waits);
  functions.rows_shown = 14;
  section.tables.push_back(std::move(functions));
}

}  // namespace accelscope::analysis::chip
