#include "formats/pmu_csv/pmu_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/csv.h"
#include "base/number_in.h"
#include "base/utf8.h"

namespace accelscope::formats::pmu_csv {
namespace {

using base::ErrorCode;
using base::Location;
using base::number_in;
using trace::Severity;

constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);
constexpr std::size_t kMaxHeaderBytes = std::size_t{64} << 10U;

enum Field : std::size_t { kThread, kCore, kTask, kFunction, kCoreType, kTotal, kEventType, kFieldCount };
constexpr std::array<std::string_view, kFieldCount> kColumns = {
    "thread_id", "core_id", "task_id", "func_id", "core_type", "pmu_total_cycles", "event_type"};

struct Header {
  std::array<std::size_t, kFieldCount> fields = {};
  std::vector<std::size_t> counters = {};  // positions of all other columns
  std::size_t columns = 0;

  bool has(Field field) const { return fields[field] != kAbsent; }
};

Header header_of(std::span<const std::string_view> cells) {
  Header header;
  header.fields.fill(kAbsent);
  header.columns = cells.size();
  for (std::size_t position = 0; position < cells.size(); ++position) {
    const auto known = std::find(kColumns.begin(), kColumns.end(), cells[position]);
    if (known == kColumns.end()) {
      header.counters.push_back(position);
    } else {
      header.fields[static_cast<std::size_t>(known - kColumns.begin())] = position;
    }
  }
  return header;
}

base::Status check_header(const Header& header, std::span<const std::string_view> cells,
                          const Location& where) {
  for (const Field field : {kCore, kTask, kTotal})
    if (!header.has(field))
      return base::fail_at(where, ErrorCode::kMalformed, "the header has no column '{}'; it has: {}",
                           kColumns[field],
                           base::replace_invalid_utf8(fmt::format("{}", fmt::join(cells, ", "))));
  for (std::size_t position = 0; position < cells.size(); ++position) {
    if (cells[position].empty())
      return base::fail_at(where, ErrorCode::kMalformed, "column {} of the header has no name", position + 1);
    if (std::find(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(position), cells[position]) !=
        cells.begin() + static_cast<std::ptrdiff_t>(position))
      return base::fail_at(where, ErrorCode::kMalformed, "the header has two columns '{}'",
                           base::replace_invalid_utf8(cells[position]));
  }
  return {};
}

std::optional<std::uint64_t> task_in(std::string_view cell) {
  if (cell.starts_with("0x") || cell.starts_with("0X")) return number_in<std::uint64_t>(cell.substr(2), 16);
  return number_in<std::uint64_t>(cell);
}

class Reader {
 public:
  explicit Reader(const base::MappedFile& file) : path_(file.path()), csv_(file.path(), file.text()) {}

  base::Result<PmuTable> read() && {
    if (!csv_.next()) {
      ACCELSCOPE_CHECK(csv_.status());
      return base::fail_at(Location::of_file(path_), ErrorCode::kTruncated,
                           "the file is empty: a table of counters begins with a header line");
    }
    header_ = header_of(csv_.cells());
    ACCELSCOPE_CHECK(check_header(header_, csv_.cells(), here()));
    for (const std::size_t position : header_.counters)
      result_.counters.push_back(base::replace_invalid_utf8(csv_.cells()[position]));
    while (csv_.next()) ACCELSCOPE_CHECK(read_row());
    ACCELSCOPE_CHECK(csv_.status());
    add_quality();
    return std::move(result_);
  }

 private:
  Location here() const { return Location::line(path_, csv_.line()); }

  base::Status read_row() {
    if (csv_.cells().size() != header_.columns)
      return base::fail_at(here(), ErrorCode::kMalformed, "the row has {} cells, the header {}",
                           csv_.cells().size(), header_.columns);
    PmuRow row;
    ACCELSCOPE_CHECK(read_field(kThread, row.thread));
    ACCELSCOPE_CHECK(read_field(kCore, row.core));
    ACCELSCOPE_CHECK(read_field(kFunction, row.function));
    ACCELSCOPE_CHECK(read_field(kCoreType, row.core_type));
    ACCELSCOPE_CHECK(read_field(kTotal, row.total_cycles));
    ACCELSCOPE_CHECK(read_field(kEventType, row.event_type));
    const auto task = task_in(csv_.cells()[header_.fields[kTask]]);
    if (!task) return bad_cell(header_.fields[kTask], kColumns[kTask]);
    row.task = *task;
    row.values.resize(header_.counters.size());
    for (std::size_t counter = 0; counter < header_.counters.size(); ++counter)
      ACCELSCOPE_CHECK(read_cell(header_.counters[counter], result_.counters[counter], row.values[counter]));
    result_.rows.push_back(std::move(row));
    return {};
  }

  template <class Number>
  base::Status read_field(Field field, Number& value) {
    if (!header_.has(field)) return {};
    return read_cell(header_.fields[field], kColumns[field], value);
  }

  template <class Number>
  base::Status read_cell(std::size_t position, std::string_view column, Number& value) {
    const auto number = number_in<Number>(csv_.cells()[position]);
    if (!number) return bad_cell(position, column);
    value = *number;
    return {};
  }

  base::Status bad_cell(std::size_t position, std::string_view column) const {
    constexpr std::size_t kShown = 40;
    return base::fail_at(here(), ErrorCode::kMalformed,
                         "'{}' in the column {} is no whole number that fits it",
                         base::replace_invalid_utf8(csv_.cells()[position].substr(0, kShown)), column);
  }

  void add_row(std::string id, Severity severity, std::string sentence, std::uint64_t count) {
    if (count == 0) return;
    result_.quality.add({.id = std::move(id),
                         .severity = severity,
                         .sentence = std::move(sentence),
                         .count = count,
                         .first_place = Location::of_file(path_)});
  }

  void add_quality() {
    const std::vector<PmuRow>& rows = result_.rows;
    const auto is_idle = [](const PmuRow& row) {
      return row.total_cycles == 0 &&
             std::all_of(row.values.begin(), row.values.end(), [](std::uint64_t v) { return v == 0; });
    };
    add_row("pmu_csv.no_rows", Severity::kWarning, "The table of counters has a header and no rows.",
            rows.empty() ? 1 : 0);
    if (!rows.empty() && std::all_of(rows.begin(), rows.end(), is_idle))
      add_row("pmu_csv.all_zero", Severity::kWarning,
              "All counters of the performance monitor are zero, as in a simulation: they say nothing.",
              rows.size());
    if (header_.has(kEventType))
      add_row("pmu_csv.unknown_event_group", Severity::kInfo,
              "Rows are of a group of counters that is not known.",
              static_cast<std::uint64_t>(std::count_if(rows.begin(), rows.end(), [](const PmuRow& row) {
                return event_group_name(row.event_type).empty();
              })));
  }

  std::string path_;
  base::CsvReader csv_;
  Header header_;
  PmuTable result_;
};

}  // namespace

std::string_view event_group_name(std::int32_t event_type) {
  switch (event_type) {
    case 1:
      return "ARITHMETIC";
    case 2:
      return "PIPE";
    case 4:
      return "MEMORY";
    case 5:
      return "MEMORY_L0";
    case 6:
      return "RESOURCE_CONFLICT";
    case 7:
      return "MEMORY_UB";
    case 8:
      return "L2_CACHE";
    default:
      return "";
  }
}

bool is_busy_counter(std::string_view counter) {
  return counter.find("busy") != std::string_view::npos;
}

bool looks_like_pmu_csv(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, kMaxHeaderBytes);
  base::CsvReader csv("", head.substr(0, head.find('\n')));
  if (!csv.next()) return false;
  const Header header = header_of(csv.cells());
  // Complete or not: what is missing is for the reader to say.
  return header.has(kTotal) && (header.has(kTask) || header.has(kCore));
}

base::Result<PmuTable> read_pmu(const base::MappedFile& file) {
  return Reader(file).read();
}

}  // namespace accelscope::formats::pmu_csv
