#include "findings/findings.h"

#include <algorithm>
#include <utility>

namespace accelscope::findings {
namespace {

template <class Item>
const Item* with_id(const std::vector<Item>& items, std::string_view id) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.id == id; });
  return found == items.end() ? nullptr : &*found;
}

Section& add(Findings& findings, std::string id, std::string title, int depth) {
  return findings.sections.emplace_back(
      Section{.id = std::move(id), .title = std::move(title), .depth = depth});
}

}  // namespace

Section& add_section(Findings& findings, std::string id, std::string title) {
  return add(findings, std::move(id), std::move(title), 2);
}

Section& add_part(Findings& findings, std::string id, std::string title) {
  return add(findings, std::move(id), std::move(title), 3);
}

const Section* find_section(const Findings& findings, std::string_view id) {
  return with_id(findings.sections, id);
}

const Metric* find_metric(const Section& section, std::string_view id) {
  return with_id(section.metrics, id);
}

const Metric* find_metric(const Findings& findings, std::string_view id) {
  for (const Section& section : findings.sections)
    if (const Metric* metric = find_metric(section, id)) return metric;
  return nullptr;
}

const Table* find_table(const Section& section, std::string_view id) {
  return with_id(section.tables, id);
}

const Series* find_series(const Section& section, std::string_view id) {
  return with_id(section.series, id);
}

bool is_empty(const Section& section) {
  return section.statements.empty() && section.metrics.empty() && section.tables.empty() &&
         section.series.empty() && section.notes.empty();
}

std::string_view name_of(Better better) {
  switch (better) {
    case Better::kNeither:
      return "neither";
    case Better::kLower:
      return "lower";
    case Better::kHigher:
      return "higher";
  }
  return "unknown";
}

std::string_view name_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kText:
      return "text";
    case ColumnKind::kInteger:
      return "integer";
    case ColumnKind::kNumber:
      return "number";
    case ColumnKind::kPercent:
      return "percent";
    case ColumnKind::kRatio:
      return "ratio";
  }
  return "unknown";
}

std::string_view name_of(StatementKind kind) {
  switch (kind) {
    case StatementKind::kFinding:
      return "finding";
    case StatementKind::kVerdict:
      return "verdict";
    case StatementKind::kAdvice:
      return "advice";
  }
  return "unknown";
}

std::string_view name_of(Priority priority) {
  switch (priority) {
    case Priority::kHighest:
      return "highest";
    case Priority::kHigh:
      return "high";
    case Priority::kInvestigate:
      return "investigate";
    case Priority::kNote:
      return "note";
  }
  return "unknown";
}

}  // namespace accelscope::findings
