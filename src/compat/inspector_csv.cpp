#include "compat/inspector_csv.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/file_names.h"
#include "compat/numpy_math.h"

namespace accelscope::compat {
namespace {

using formats::timeline_csv::OpsStatsRow;
using formats::timeline_csv::TimelineRow;

std::string_view backend_column(const InspectorEvent& event) {
  if (!event.delegated) return "portable";
  return event.backend.empty() ? "delegated" : event.backend;
}

// The sum of the durations of all rows with each run_index, added in the order of the rows.
std::vector<double> totals_by_run(const InspectorTable& table) {
  std::vector<double> totals;
  for (const InspectorEvent& event : table.events) {
    if (totals.size() < event.duration_ms.size()) totals.resize(event.duration_ms.size(), 0);
    for (std::size_t run = 0; run < event.duration_ms.size(); ++run) totals[run] += event.duration_ms[run];
  }
  return totals;
}

double percent(double part, double whole) {
  return whole > 0 ? part / whole * 100 : 0;
}

TimelineRow make_row(const InspectorEvent& event, std::string_view model_id, std::size_t run, double total,
                     std::size_t node_id) {
  const double start_us = event.start_ns[run] / 1000;
  return {.model_id = model_id,
          .name = event.name,
          .type = formats::timeline_csv::type_of_name(event.name),
          .delegate_backend = backend_column(event),
          .start_us = start_us,
          .end_us = start_us + event.duration_ms[run] * 1000,
          .duration_ms = event.duration_ms[run],
          .pct_total = percent(event.duration_ms[run], total),
          .node_id = static_cast<std::uint32_t>(node_id),
          .run_index = static_cast<std::uint32_t>(run),
          .block = event.block};
}

double average(std::span<const double> values) {
  return values.empty() ? 0 : numpy_mean(values);
}

}  // namespace

std::vector<TimelineRow> timeline_rows(const InspectorTable& table, std::string_view model_id) {
  const std::vector<double> totals = totals_by_run(table);
  std::vector<TimelineRow> rows;
  for (std::size_t node = 0; node < table.events.size(); ++node)
    for (std::size_t run = 0; run < table.events[node].duration_ms.size(); ++run)
      rows.push_back(make_row(table.events[node], model_id, run, totals[run], node));
  return rows;
}

std::vector<TimelineRow> timeline_rows_of_run(const InspectorTable& table, std::string_view model_id,
                                              std::uint32_t run_index) {
  const std::vector<double> totals = totals_by_run(table);
  std::vector<TimelineRow> rows;
  for (const InspectorEvent& event : table.events)
    if (run_index < event.duration_ms.size())
      rows.push_back(make_row(event, model_id, run_index, totals[run_index], rows.size()));
  return rows;
}

std::vector<OpsStatsRow> ops_stats_rows(const InspectorTable& table, std::string_view model_id) {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> known;
  std::vector<OpsStatsRow> rows;
  std::vector<CompensatedSum> totals;
  std::vector<double> averages;
  for (const InspectorEvent& event : table.events) {
    const std::string_view type = formats::timeline_csv::type_of_name(event.name);
    const std::string_view backend = backend_column(event);
    const auto added = known.emplace(std::pair(type, backend), rows.size());
    if (added.second) {
      rows.push_back({.model_id = model_id, .name = type, .type = type, .delegate_backend = backend});
      totals.emplace_back();
    }
    const std::size_t group = added.first->second;
    averages.push_back(average(event.duration_ms));
    totals[group].add(averages.back());
    ++rows[group].count;
  }
  const double total = numpy_sum(averages);
  for (std::size_t group = 0; group < rows.size(); ++group) {
    OpsStatsRow& row = rows[group];
    row.total_ms = totals[group].sum;
    row.avg_ms = row.total_ms / static_cast<double>(row.count);
    row.pct_total = percent(row.total_ms, total);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const OpsStatsRow& a, const OpsStatsRow& b) { return a.total_ms > b.total_ms; });
  return rows;
}

void write_timeline_csv(base::Output& out, std::span<const TimelineRow> rows) {
  formats::timeline_csv::write_timeline_header(out);
  for (const TimelineRow& row : rows) formats::timeline_csv::write_timeline_row(out, row);
}

void write_ops_stats_csv(base::Output& out, std::span<const OpsStatsRow> rows) {
  formats::timeline_csv::write_ops_stats_header(out);
  for (const OpsStatsRow& row : rows) formats::timeline_csv::write_ops_stats_row(out, row);
}

std::string kit_model_id(std::string_view etdump_path) {
  return std::string(base::file_stem(etdump_path));
}

std::string kit_csv_prefix(std::string_view etdump_path) {
  constexpr std::string_view kEnding = ".etdump";
  std::string_view name = base::file_name(etdump_path);
  if (name.ends_with(kEnding)) name.remove_suffix(kEnding.size());
  return name.ends_with("_xtrace") ? std::string(name) : std::string(name) + "_exec";
}

}  // namespace accelscope::compat
