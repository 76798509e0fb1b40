#include "formats/timeline_csv/rows.h"

#include <fmt/format.h>

#include "base/csv.h"
#include "formats/timeline_csv/python_float.h"

namespace accelscope::formats::timeline_csv {
namespace {

void append(base::Output& out, std::string_view text) {
  base::append_csv_cell(out, text);
}
void append(base::Output& out, double number) {
  out.append(python_float(number));
}
void append(base::Output& out, std::uint64_t number) {
  out.append(fmt::format_int(number).c_str());
}

template <class First, class... Rest>
void append_record(base::Output& out, const First& first, const Rest&... rest) {
  append(out, first);
  ((out.append(','), append(out, rest)), ...);
  out.append("\r\n");
}

}  // namespace

std::string_view type_of_name(std::string_view name) {
  const auto is_quote = [](char c) { return c == '"' || c == '\''; };
  while (!name.empty() && is_quote(name.front())) name.remove_prefix(1);
  while (!name.empty() && is_quote(name.back())) name.remove_suffix(1);
  const std::size_t number = name.rfind(" #");
  return number == std::string_view::npos ? name : name.substr(0, number);
}

void write_timeline_header(base::Output& out) {
  out.append(
      "model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,"
      "block\r\n");
}

void write_timeline_row(base::Output& out, const TimelineRow& row) {
  append_record(out, row.model_id, row.name, row.type, row.delegate_backend, row.start_us, row.end_us,
                row.duration_ms, row.pct_total, std::uint64_t{row.node_id}, std::uint64_t{row.run_index},
                row.block);
}

void write_ops_stats_header(base::Output& out) {
  out.append("model_id,name,type,delegate_backend,count,total_ms,avg_ms,pct_total\r\n");
}

void write_ops_stats_row(base::Output& out, const OpsStatsRow& row) {
  append_record(out, row.model_id, row.name, row.type, row.delegate_backend, row.count, row.total_ms,
                row.avg_ms, row.pct_total);
}

}  // namespace accelscope::formats::timeline_csv
