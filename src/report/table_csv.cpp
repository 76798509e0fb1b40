#include "report/table_csv.h"

#include <fmt/core.h>

#include "base/csv.h"

namespace accelscope::report {
namespace {

// Numbers read back as they were; what is absent is an empty cell.
std::string csv_text(const findings::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *whole);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  return {};
}

}  // namespace

void write_csv(const findings::Table& table, base::Output& output) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) output.append(',');
    base::append_csv_cell(output, table.columns[i].id);
  }
  output.append('\n');
  for (const std::vector<findings::Cell>& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) output.append(',');
      base::append_csv_cell(output, csv_text(row[i]));
    }
    output.append('\n');
  }
}

}  // namespace accelscope::report
