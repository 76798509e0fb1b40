#include "report/shown_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/number_text.h"
#include "report/plain_text.h"

namespace accelscope::report {
namespace {

using findings::Metric;

std::string title_of(const findings::Column& column) {
  if (column.unit.empty()) return one_line(column.title);
  return one_line(fmt::format("{} ({})", column.title, column.unit));
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) {
    if (part.empty()) continue;
    if (!text.empty()) text += "; ";
    text += part;
  }
  return one_line(text);
}

// The level that all intervals have, for the title; "" when they differ.
std::string common_level(const std::vector<Metric>& metrics) {
  std::string common;
  for (const Metric& metric : metrics) {
    if (!metric.interval) continue;
    const std::string level = level_text(metric.interval->level);
    if (!common.empty() && common != level) return {};
    common = level;
  }
  return common;
}

std::string interval_cell(const Metric& metric, bool with_level) {
  if (!metric.interval) return std::string(kAbsent);
  const double size = metric.value.value_or(metric.interval->low);
  // Whole ticks may well have fractions at the ends of their interval.
  const int decimals =
      std::max(decimals_for(size, metric.unit), std::max(decimals_for(metric.interval->low, metric.unit),
                                                         decimals_for(metric.interval->high, metric.unit)));
  std::string text = interval_text(*metric.interval, decimals);
  if (with_level) text += fmt::format(" ({})", level_text(metric.interval->level));
  return text;
}

std::string how_cell(const Metric& metric) {
  // Many a metric is computed as its interval is.
  std::string_view of_interval = metric.interval ? std::string_view(metric.interval->method) : "";
  if (of_interval == metric.method) of_interval = {};
  return joined({metric.method, of_interval, metric.note});
}

}  // namespace

ShownTable shown_table(const findings::Table& table) {
  ShownTable shown;
  for (const findings::Column& column : table.columns)
    shown.columns.push_back({title_of(column), column.kind != findings::ColumnKind::kText});
  const std::size_t count =
      table.rows_shown == 0 ? table.rows.size() : std::min(table.rows_shown, table.rows.size());
  shown.rows_left_out = table.rows.size() - count;
  for (std::size_t row = 0; row < count; ++row) {
    std::vector<std::string>& cells = shown.rows.emplace_back();
    for (std::size_t column = 0; column < table.columns.size(); ++column)
      cells.push_back(column < table.rows[row].size()
                          ? cell_text(table.rows[row][column], table.columns[column])
                          : std::string(kAbsent));
  }
  return shown;
}

std::string left_out_text(const ShownTable& table) {
  if (table.rows_left_out == 0) return {};
  return fmt::format("… {} more row{} in the JSON form", table.rows_left_out,
                     table.rows_left_out == 1 ? "" : "s");
}

ShownTable shown_metrics(const std::vector<Metric>& metrics) {
  const auto any = [&](auto has) { return std::any_of(metrics.begin(), metrics.end(), has); };
  const bool with_intervals = any([](const Metric& metric) { return metric.interval.has_value(); });
  const bool with_counts = any([](const Metric& metric) { return metric.n > 0; });
  const bool with_how = any([](const Metric& metric) { return !how_cell(metric).empty(); });
  const std::string level = common_level(metrics);
  ShownTable shown{.columns = {{"Metric", false}, {"Value", true}}};
  if (with_intervals) shown.columns.push_back({level.empty() ? "Interval" : level + " interval", true});
  if (with_counts) shown.columns.push_back({"n", true});
  if (with_how) shown.columns.push_back({"How", false});
  for (const Metric& metric : metrics) {
    std::vector<std::string>& cells = shown.rows.emplace_back();
    cells.push_back(one_line(metric.label.empty() ? metric.id : metric.label));
    cells.push_back(value_text(metric));
    if (with_intervals) cells.push_back(interval_cell(metric, level.empty()));
    if (with_counts) cells.push_back(metric.n > 0 ? fmt::format("{}", metric.n) : std::string(kAbsent));
    if (with_how) cells.push_back(how_cell(metric));
  }
  return shown;
}

}  // namespace accelscope::report
