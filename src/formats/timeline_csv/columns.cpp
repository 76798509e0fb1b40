#include "formats/timeline_csv/columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/csv.h"
#include "formats/timeline_csv/sniff.h"

namespace accelscope::formats::timeline_csv {
namespace {

// A header of the kit has about a hundred bytes; a file without a line end in this many is something else.
constexpr std::size_t kMaxHeaderBytes = std::size_t{64} * 1024;

std::string normalised(std::string_view cell) {
  while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
  while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
  std::string name(cell);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return name;
}

base::Status missing(std::string_view wanted, std::span<const std::string_view> cells,
                     const std::string& file) {
  return base::fail_at(base::Location::line(file, 1), base::ErrorCode::kMalformed,
                       "the header has no column {}; it has: {}", wanted, fmt::join(cells, ", "));
}

Header header_of(std::string_view bytes, std::span<const ColumnName> names) {
  const std::string_view head = bytes.substr(0, kMaxHeaderBytes);
  const std::size_t line_end = head.find('\n');
  const bool whole = line_end != std::string_view::npos || head.size() == bytes.size();
  if (!whole || head.substr(0, line_end).find('\0') != std::string_view::npos) return read_header({}, names);
  base::CsvReader reader("", head.substr(0, line_end));
  return reader.next() ? read_header(reader.cells(), names) : read_header({}, names);
}

// A header that is meant to be of this kind, complete or not: what is missing is for the reader to say. It
// has a column that only this kind has, and two more that it should have.
bool is_meant_as(const Header& header, std::initializer_list<Field> distinctive) {
  const auto known = std::count_if(header.positions.begin(), header.positions.end(),
                                   [](std::size_t position) { return position != Header::kAbsent; });
  return known >= 3 &&
         std::any_of(distinctive.begin(), distinctive.end(), [&](Field field) { return header.has(field); });
}

// A time and a length, from whichever columns.
bool has_times(const Header& header) {
  return (header.has(Field::kStartUs) || header.has(Field::kTimestampMs)) &&
         (header.has(Field::kDurationMs) || (header.has(Field::kStartUs) && header.has(Field::kEndUs)));
}

}  // namespace

Header read_header(std::span<const std::string_view> cells, std::span<const ColumnName> names) {
  Header header;
  header.positions.fill(Header::kAbsent);
  header.columns = cells.size();
  for (std::size_t position = 0; position < cells.size(); ++position) {
    const std::string name = normalised(cells[position]);
    const auto known = std::find_if(names.begin(), names.end(),
                                    [&](const ColumnName& column) { return column.text == name; });
    if (known != names.end() && !header.has(known->field))
      header.positions[static_cast<std::size_t>(known->field)] = position;
    else if (!name.empty())
      header.extras.push_back({position, name});
  }
  return header;
}

base::Status check_timeline_header(const Header& header, std::span<const std::string_view> cells,
                                   const std::string& file) {
  if (!header.has(Field::kName)) return missing("'name'", cells, file);
  if (!header.has(Field::kStartUs) && !header.has(Field::kTimestampMs))
    return missing("'start_us' (nor its alias 'timestamp_ms')", cells, file);
  if (!has_times(header)) return missing("'duration_ms' (nor 'end_us')", cells, file);
  return {};
}

base::Status check_ops_stats_header(const Header& header, std::span<const std::string_view> cells,
                                    const std::string& file) {
  if (!header.has(Field::kName)) return missing("'name'", cells, file);
  if (!header.has(Field::kCount)) return missing("'count'", cells, file);
  if (!header.has(Field::kTotalMs)) return missing("'total_ms'", cells, file);
  return {};
}

bool looks_like_timeline_csv(std::string_view bytes) {
  return is_meant_as(header_of(bytes, kTimelineColumns), {Field::kStartUs, Field::kTimestampMs, Field::kEndUs,
                                                          Field::kDurationMs, Field::kRunIndex});
}

bool looks_like_ops_stats_csv(std::string_view bytes) {
  return is_meant_as(header_of(bytes, kOpsStatsColumns), {Field::kCount, Field::kTotalMs, Field::kAvgMs});
}

}  // namespace accelscope::formats::timeline_csv
