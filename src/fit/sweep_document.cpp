#include <fmt/core.h>

#include "base/human.h"
#include "base/number_in.h"
#include "findings/columns.h"
#include "fit/document_parts.h"
#include "fit/sweep.h"

namespace accelscope::fit {
namespace {

using findings::Cell;
using findings::count_column;
using findings::number_column;
using findings::Section;
using findings::Table;
using findings::text_column;

std::vector<findings::Column> columns_of(const base::Sweep& sweep) {
  std::vector<findings::Column> columns;
  for (const base::SweepDimension& dimension : sweep.dimensions)
    columns.push_back(text_column(dimension.name, dimension.name));
  return columns;
}

std::vector<Cell> cells_of(const base::Sweep& sweep, std::uint64_t index) {
  std::vector<Cell> cells;
  const std::vector<std::size_t> places = sweep.point(index);
  for (std::size_t i = 0; i < places.size(); ++i) cells.emplace_back(sweep.dimensions[i].values[places[i]]);
  return cells;
}

Table results_table(std::string id, std::string title, const SweepPlan& plan) {
  Table table{
      .id = std::move(id), .title = std::move(title), .columns = columns_of(plan.sweep), .rows_shown = 40};
  for (findings::Column& column : std::vector<findings::Column>{
           number_column("tokens_per_second", "Tokens/s", "", 3),
           number_column("ttft", "First token", "ms", 2), text_column("regime", "Regime"),
           text_column("bound", "Bound by"), count_column("on_chip", "On chip", "bytes"),
           number_column("power", "Power", "W", 1), text_column("front", "Front")})
    table.columns.push_back(std::move(column));
  return table;
}

std::vector<Cell> row_of(const SweepPlan& plan, const SweepPoint& point) {
  std::vector<Cell> cells = cells_of(plan.sweep, point.index);
  const std::vector<Cell> results{point.tokens_per_second,
                                  in_ms(point.first_token),
                                  std::string(memory::name_of(point.regime)),
                                  std::string(name_of(point.bound)),
                                  point.on_chip.value,
                                  point.watts ? Cell(*point.watts) : Cell(),
                                  std::string(point.in_front ? "yes" : "")};
  cells.insert(cells.end(), results.begin(), results.end());
  return cells;
}

void add_verdict(findings::Findings& findings, const SweepPlan& plan, std::span<const SweepPoint> points) {
  Section& section = findings::add_section(findings, "verdict", "The fastest");
  const SweepPoint* best = nullptr;
  for (const SweepPoint& point : points)
    if (point.skipped.empty() && (best == nullptr || point.tokens_per_second > best->tokens_per_second))
      best = &point;
  if (best == nullptr) {
    section.statements.push_back(
        {.id = "fit.sweep_best",
         .kind = findings::StatementKind::kVerdict,
         .text = "No combination is possible; the table of those that were left out says why."});
    return;
  }
  std::string words;
  const std::vector<std::size_t> places = plan.sweep.point(best->index);
  for (std::size_t i = 0; i < places.size(); ++i)
    words += fmt::format("{}{} {}", i == 0 ? "" : ", ", plan.sweep.dimensions[i].name,
                         plan.sweep.dimensions[i].values[places[i]]);
  section.statements.push_back(
      {.id = "fit.sweep_best",
       .kind = findings::StatementKind::kVerdict,
       .text = fmt::format("{:.4g} tokens a second with {}; {}, bound by {}.", best->tokens_per_second, words,
                           memory::name_of(best->regime), name_of(best->bound))});
}

}  // namespace

findings::Findings sweep_document(const SweepPlan& plan, const base::Shard& shard,
                                  std::span<const SweepPoint> points) {
  findings::Findings findings{.kind = "fit sweep"};
  findings.title = fmt::format("Sweep of {} combinations", base::format_count(plan.sweep.points()));
  if (shard.count > 1) findings.title += fmt::format(", part {} of {}", shard.index + 1, shard.count);
  add_verdict(findings, plan, points);
  Table front = results_table("front", "", plan);
  Table all = results_table("points", "", plan);
  Table skipped{.id = "skipped", .columns = columns_of(plan.sweep), .rows_shown = 10};
  skipped.columns.push_back(text_column("reason", "Reason"));
  for (const SweepPoint& point : points) {
    if (!point.skipped.empty()) {
      skipped.rows.push_back(cells_of(plan.sweep, point.index));
      skipped.rows.back().push_back(point.skipped);
      continue;
    }
    all.rows.push_back(row_of(plan, point));
    if (point.in_front) front.rows.push_back(all.rows.back());
  }
  front.note =
      "No other combination with the same model, context and prompt is as fast, as small and as frugal, and "
      "better in one of them.";
  findings::add_section(findings, "front", "Pareto front of speed, on-chip memory and power")
      .tables.push_back(std::move(front));
  findings::add_section(findings, "points", "All combinations").tables.push_back(std::move(all));
  if (!skipped.rows.empty())
    findings::add_section(findings, "skipped", "Left out").tables.push_back(std::move(skipped));
  trace::QualityRow row;
  row.id = "fit.sweep";
  row.sentence =
      "On chip is the least that an accelerator needs (two tiles, one block of rows, its sums), power the "
      "board's thermal design power; what else a fit assumes is in docs/fit.md.";
  findings.quality.add(std::move(row));
  return findings;
}

}  // namespace accelscope::fit
