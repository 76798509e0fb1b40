#include "compat/kit_csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/csv.h"
#include "base/utf8.h"
#include "compat/pandas_float.h"
#include "formats/timeline_csv/python_float.h"

namespace accelscope::compat {
namespace {

using base::CsvReader;
using base::ErrorCode;
using base::Location;
using base::Result;
using formats::timeline_csv::OpsStatsRow;
using formats::timeline_csv::TimelineRow;

constexpr std::array<std::string_view, 5> kOverhead = {kMethodExecute, "DELEGATE_CALL", "OPERATOR_CALL",
                                                       "Program::load_method", "Method::init"};

std::string valid_text(std::string_view text) {
  return base::is_valid_utf8(text) ? std::string(text) : base::replace_invalid_utf8(text);
}

// Numbers the names of a timeline as they come.
class NameList {
 public:
  explicit NameList(std::vector<std::string>& names) : names_(names) {}

  std::uint32_t number(std::string_view name) {
    const auto known = numbers_.find(std::string(name));
    if (known != numbers_.end()) return known->second;
    const auto added = static_cast<std::uint32_t>(names_.size());
    names_.push_back(valid_text(name));
    numbers_.emplace(name, added);
    return added;
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

// A CSV file whose first record names the columns.
class Table {
 public:
  explicit Table(const base::MappedFile& file) : path_(file.path()), reader_(file.path(), file.text()) {
    if (!reader_.next()) return;
    for (const std::string_view cell : reader_.cells()) columns_.emplace_back(cell);
  }

  base::Status require(std::string_view column) const {
    ACCELSCOPE_CHECK(reader_.status());
    if (has(column)) return {};
    return base::fail_at(Location::line(path_, 1), ErrorCode::kMalformed,
                         "the header has no column '{}', which the kit's CSV files have", column);
  }
  bool has(std::string_view column) const { return position(column) < columns_.size(); }
  std::size_t position(std::string_view column) const {
    return static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) - columns_.begin());
  }
  bool next() { return reader_.next(); }
  std::string_view cell(std::size_t position) const {
    return position < reader_.cells().size() ? reader_.cells()[position] : std::string_view{};
  }
  const base::Status& status() const { return reader_.status(); }
  auto not_a_number(std::string_view column, std::string_view text) const {
    return base::fail_at(Location::line(path_, reader_.line()), ErrorCode::kMalformed,
                         "'{}' in column '{}' is not a number", valid_text(text), column);
  }

 private:
  std::string path_;
  CsvReader reader_;
  std::vector<std::string> columns_;
};

// Python's float(text or 0).
std::optional<double> python_number(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return pandas_float(text);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

bool read_run_index(std::string_view text, KitEvent& event) {
  std::int64_t whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  event.run_is_integer = error == std::errc() && end == text.data() + text.size();
  if (event.run_is_integer) {
    constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53;
    event.run_index = static_cast<double>(whole);
    return whole >= -kExactInDouble && whole <= kExactInDouble;
  }
  const std::optional<double> number = pandas_float(text);
  event.run_index = number.value_or(0);
  return number.has_value();
}

}  // namespace

KitTimeline kit_timeline(std::span<const TimelineRow> rows) {
  KitTimeline timeline;
  if (!rows.empty()) timeline.model_id = valid_text(rows.front().model_id);
  NameList names(timeline.names);
  timeline.events.reserve(rows.size());
  for (const TimelineRow& row : rows) {
    const std::string text = formats::timeline_csv::python_float(row.duration_ms);
    timeline.events.push_back({.name = names.number(row.name),
                               .run_index = static_cast<double>(row.run_index),
                               .duration_ms = row.duration_ms,
                               .pandas_ms = pandas_float(text).value_or(row.duration_ms)});
  }
  return timeline;
}

std::vector<KitOperatorTotal> kit_operator_totals(std::span<const OpsStatsRow> rows) {
  std::vector<KitOperatorTotal> totals;
  for (const OpsStatsRow& row : rows)
    totals.push_back({valid_text(row.name), valid_text(row.type), row.total_ms});
  return totals;
}

Result<KitTimeline> read_kit_timeline(const base::MappedFile& file) {
  Table table(file);
  ACCELSCOPE_CHECK(table.require("name"));
  ACCELSCOPE_CHECK(table.require("duration_ms"));
  const std::size_t name = table.position("name");
  const std::size_t duration = table.position("duration_ms");
  const std::size_t run_index = table.position("run_index");
  const std::size_t model = table.position("model_id");
  KitTimeline timeline;
  timeline.has_run_index = table.has("run_index");
  NameList names(timeline.names);
  while (table.next()) {
    if (timeline.events.empty()) timeline.model_id = valid_text(table.cell(model));
    KitEvent event{.name = names.number(table.cell(name))};
    const std::optional<double> exact = python_number(table.cell(duration));
    const std::optional<double> rounded = pandas_float(table.cell(duration));
    if (!exact || !rounded) return table.not_a_number("duration_ms", table.cell(duration));
    event.duration_ms = *exact;
    event.pandas_ms = *rounded;
    if (timeline.has_run_index && !read_run_index(table.cell(run_index), event))
      return table.not_a_number("run_index", table.cell(run_index));
    timeline.events.push_back(event);
  }
  ACCELSCOPE_CHECK(table.status());
  return timeline;
}

Result<std::vector<KitOperatorTotal>> read_kit_operator_totals(const base::MappedFile& file) {
  Table table(file);
  ACCELSCOPE_CHECK(table.require("name"));
  ACCELSCOPE_CHECK(table.require("total_ms"));
  const std::size_t name = table.position("name");
  const std::size_t type = table.position("type");
  const std::size_t total = table.position("total_ms");
  std::vector<KitOperatorTotal> totals;
  while (table.next()) {
    const std::optional<double> number = python_number(table.cell(total));
    if (!number) return table.not_a_number("total_ms", table.cell(total));
    totals.push_back({valid_text(table.cell(name)), valid_text(table.cell(type)), *number});
  }
  ACCELSCOPE_CHECK(table.status());
  return totals;
}

std::size_t count_run_indices(const KitTimeline& timeline) {
  std::set<double> indices;
  for (const KitEvent& event : timeline.events)
    if (!std::isnan(event.run_index)) indices.insert(event.run_index);
  return indices.size();
}

bool is_kit_overhead(std::string_view name) {
  return std::find(kOverhead.begin(), kOverhead.end(), name) != kOverhead.end();
}

bool is_kit_overhead_in_reports(std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  const auto same = [&](char a, char b) { return lower(a) == lower(b); };
  return std::any_of(kOverhead.begin(), kOverhead.end(), [&](std::string_view overhead) {
    return std::equal(name.begin(), name.end(), overhead.begin(), overhead.end(), same);
  });
}

}  // namespace accelscope::compat
