#include "trace/quality.h"

#include <algorithm>
#include <utility>

namespace accelscope::trace {

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "unknown";
}

QualityTable QualityTable::of_distinct(std::vector<QualityRow> rows) {
  QualityTable table;
  table.rows_ = std::move(rows);
  return table;
}

void QualityTable::add(QualityRow row) {
  const auto same = std::find_if(rows_.begin(), rows_.end(), [&](const QualityRow& known) {
    return known.id == row.id && known.sentence == row.sentence;
  });
  if (same == rows_.end())
    rows_.push_back(std::move(row));
  else
    same->count += row.count;
}

void QualityTable::append(const QualityTable& other) {
  for (const QualityRow& row : other.rows_) add(row);
}

std::vector<QualityRow> QualityTable::by_severity() const {
  std::vector<QualityRow> sorted = rows_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const QualityRow& a, const QualityRow& b) { return a.severity > b.severity; });
  return sorted;
}

std::uint64_t QualityTable::count(std::string_view id) const {
  std::uint64_t total = 0;
  for (const QualityRow& row : rows_)
    if (row.id == id) total += row.count;
  return total;
}

bool QualityTable::has_errors() const {
  return std::any_of(rows_.begin(), rows_.end(),
                     [](const QualityRow& row) { return row.severity == Severity::kError; });
}

}  // namespace accelscope::trace
