#include "formats/timeline_csv/timeline_table.h"

#include <cmath>

#include "base/csv.h"
#include "formats/timeline_csv/cell_text.h"
#include "formats/timeline_csv/decimal_time.h"
#include "formats/timeline_csv/rows.h"

namespace accelscope::formats::timeline_csv {
namespace {

using base::ErrorCode;
using base::Location;
using trace::StringId;

// Beyond a hundred days, picoseconds do not fit 64 bits.
constexpr std::int64_t kMaxNanosecondsAsPicoseconds = std::int64_t{9'000'000'000'000'000};
constexpr std::int64_t kMaxNanoseconds = std::int64_t{4'600'000'000'000'000'000};

// Remembers the last text of a column: the rows of one event follow one another in the kit's files.
class InternedColumn {
 public:
  StringId intern(trace::TraceBuilder& builder, std::string_view text) {
    if (text == last_text_) return last_id_;
    last_id_ = intern_cell(builder, text);
    // Kept is what the builder stores: the cell may be gone with the next row. Repaired text is looked up
    // again.
    last_text_ = builder.text(last_id_);
    return last_id_;
  }

 private:
  std::string_view last_text_;
  StringId last_id_ = StringId::kEmpty;
};

struct Tally {
  std::uint64_t count = 0;
  std::uint64_t first_line = 0;

  void add(std::uint64_t line) {
    if (count++ == 0) first_line = line;
  }
};

class TimelineParser {
 public:
  TimelineParser(const base::MappedFile& file, trace::TraceBuilder& builder)
      : file_(file), builder_(builder), reader_(file.path(), file.text()) {}

  base::Result<TimelineTable> parse() && {
    if (!reader_.next()) {
      ACCELSCOPE_CHECK(reader_.status());
      return base::fail_at(Location::of_file(file_.path()), ErrorCode::kTruncated,
                           "the file is empty: a timeline CSV begins with a header line");
    }
    table_.header = read_header(reader_.cells(), kTimelineColumns);
    ACCELSCOPE_CHECK(check_timeline_header(table_.header, reader_.cells(), file_.path()));
    table_.starts_relative_to_run = !table_.header.has(Field::kStartUs);
    while (reader_.next()) ACCELSCOPE_CHECK(parse_row());
    ACCELSCOPE_CHECK(reader_.status());
    choose_resolution();
    report();
    return std::move(table_);
  }

 private:
  std::string_view cell(Field field) const { return table_.header.cell(reader_.cells(), field); }

  base::Status parse_row() {
    const std::size_t cells = reader_.cells().size();
    if (cells < table_.header.columns) {
      short_rows_.add(reader_.line());
      return {};
    }
    if (cells > table_.header.columns) long_rows_.add(reader_.line());
    TimelineRecord row;
    row.offset = reader_.offset();
    row.line = reader_.line();
    ACCELSCOPE_TRY(const bool has_start, parse_times(row));
    if (!has_start) {
      missing_starts_.add(row.line);
      return {};
    }
    ACCELSCOPE_CHECK(parse_numbers(row));
    intern_texts(row);
    table_.rows.push_back(row);
    return {};
  }

  // False when the row has no start.
  base::Result<bool> parse_times(TimelineRecord& row) {
    const bool relative = table_.starts_relative_to_run;
    const Field start_field = relative ? Field::kTimestampMs : Field::kStartUs;
    ACCELSCOPE_TRY(DecimalTime start,
                   time_in(start_field, relative ? DecimalUnit::kMillisecond : DecimalUnit::kMicrosecond));
    if (start.state == DecimalState::kMissing) return false;
    ACCELSCOPE_TRY(DecimalTime duration, time_in(Field::kDurationMs, DecimalUnit::kMillisecond));
    double noise = double_noise(start) + double_noise(duration);
    if (duration.state == DecimalState::kMissing && !relative) {
      ACCELSCOPE_TRY(const DecimalTime end, time_in(Field::kEndUs, DecimalUnit::kMicrosecond));
      noise += double_noise(end);
      if (end.state == DecimalState::kNumber) duration = difference(start, end);
      if (duration.state == DecimalState::kOutOfRange) return bad_cell(Field::kEndUs, duration.state);
    }
    row.duration_unknown = duration.state == DecimalState::kMissing;
    if (row.duration_unknown) missing_durations_.add(row.line);
    row.start = exact(start, noise);
    row.duration = exact(duration, noise);
    return true;
  }

  base::Status parse_numbers(TimelineRecord& row) {
    ACCELSCOPE_TRY(const Integer node, integer_in(Field::kNodeId));
    ACCELSCOPE_TRY(const Integer parent, integer_in(Field::kParentId));
    ACCELSCOPE_TRY(const Integer run, integer_in(Field::kRunIndex));
    if (node.state == DecimalState::kMissing && table_.header.has(Field::kNodeId))
      missing_nodes_.add(row.line);
    if (run.state == DecimalState::kMissing && table_.header.has(Field::kRunIndex))
      missing_runs_.add(row.line);
    row.node_id = node.value;
    if (parent.state == DecimalState::kNumber) row.parent_id = parent.value;
    row.run_index = run.value;
    return {};
  }

  void intern_texts(TimelineRecord& row) {
    const std::string_view name = cell(Field::kName);
    const std::string_view backend = cell(Field::kBackend);
    row.model = models_.intern(builder_, cell(Field::kModelId));
    row.name = names_.intern(builder_, name);
    row.block = blocks_.intern(builder_, cell(Field::kBlock));
    const bool delegated = names_a_backend(backend);
    if (delegated) row.backend = backends_.intern(builder_, backend);
    row.role = role_of_row(name, delegated);
    if (!table_.header.has(Field::kType)) return;
    const std::string_view type = cell(Field::kType);
    if (!type.empty() && type != type_of_name(name)) row.type = types_.intern(builder_, type);
  }

  base::Result<DecimalTime> time_in(Field field, DecimalUnit unit) {
    if (!table_.header.has(field)) return DecimalTime{};
    const DecimalTime time = parse_decimal_time(cell(field), unit);
    const bool usable = time.state == DecimalState::kNumber || time.state == DecimalState::kMissing;
    if (!usable) return bad_cell(field, time.state);
    if (time.nanoseconds > kMaxNanoseconds || time.nanoseconds < -kMaxNanoseconds)
      return bad_cell(field, DecimalState::kOutOfRange);
    return time;
  }

  base::Result<Integer> integer_in(Field field) {
    if (!table_.header.has(field)) return Integer{};
    const Integer number = parse_integer(cell(field));
    if (number.state == DecimalState::kBad || number.state == DecimalState::kOutOfRange)
      return bad_cell(field, number.state);
    return number;
  }

  tl::unexpected<base::Error> bad_cell(Field field, DecimalState state) {
    std::string_view column;
    for (const ColumnName& name : kTimelineColumns)
      if (name.field == field && column.empty()) column = name.text;
    const std::string_view trouble =
        state == DecimalState::kBad ? "is not the number it should be" : "is beyond what can be represented";
    return base::fail_at(Location::line(file_.path(), reader_.line()), ErrorCode::kMalformed,
                         "column {}: '{}' {}", column, cell(field).substr(0, 40), trouble);
  }

  ExactTime exact(DecimalTime time, double noise) {
    snap_to_nanosecond(time, noise);
    if (std::abs(time.nanoseconds) > largest_) largest_ = std::abs(time.nanoseconds);
    if (time.fraction == 0) return {time.nanoseconds, 0};
    has_fractions_ = true;
    const auto picoseconds = std::lround(time.fraction * 1000);
    if (picoseconds == 1000) return {time.nanoseconds + 1, 0};
    return {time.nanoseconds, static_cast<std::int16_t>(picoseconds)};
  }

  void choose_resolution() {
    if (!has_fractions_) return;
    // Twice the largest value is the largest end.
    if (largest_ < kMaxNanosecondsAsPicoseconds / 2) {
      table_.resolution = base::Frequency::hz(1'000'000'000'000);
      return;
    }
    builder_.quality().add({.id = "timeline_csv.rounded_times",
                            .severity = trace::Severity::kInfo,
                            .sentence = "Times have fractions of a nanosecond but are too large to keep "
                                        "picoseconds: they are rounded to nanoseconds.",
                            .first_place = Location::of_file(file_.path())});
  }

  void report(const Tally& tally, std::string_view id, trace::Severity severity, std::string_view sentence) {
    if (tally.count == 0) return;
    builder_.quality().add({.id = std::string(id),
                            .severity = severity,
                            .sentence = std::string(sentence),
                            .count = tally.count,
                            .first_place = Location::line(file_.path(), tally.first_line)});
  }

  void report() {
    using trace::Severity;
    report(short_rows_, "timeline_csv.short_row", Severity::kWarning,
           "Rows with fewer cells than the header has columns are left out; the file may be cut off.");
    report(long_rows_, "timeline_csv.long_row", Severity::kInfo,
           "Rows have more cells than the header has columns; the surplus is ignored.");
    report(missing_starts_, "timeline_csv.missing_start", Severity::kWarning,
           "Rows without a start time (blank or NaN) are left out.");
    report(missing_durations_, "timeline_csv.missing_duration", Severity::kWarning,
           "Rows without a duration (blank or NaN) are shown with a duration of zero.");
    report(missing_nodes_, "timeline_csv.missing_node_id", Severity::kInfo,
           "Rows without a node_id are taken as node 0.");
    report(missing_runs_, "timeline_csv.missing_run_index", Severity::kWarning,
           "Rows without a run_index are taken as part of run 0.");
    if (table_.rows.empty())
      builder_.quality().add({.id = "timeline_csv.no_rows",
                              .severity = Severity::kWarning,
                              .sentence = "The file has a header and no rows that can be shown.",
                              .first_place = Location::of_file(file_.path())});
  }

  const base::MappedFile& file_;
  trace::TraceBuilder& builder_;
  base::CsvReader reader_;
  TimelineTable table_;
  InternedColumn models_, names_, types_, backends_, blocks_;
  std::int64_t largest_ = 0;
  bool has_fractions_ = false;
  Tally short_rows_, long_rows_, missing_starts_, missing_durations_, missing_nodes_, missing_runs_;
};

}  // namespace

base::Result<TimelineTable> parse_timeline_table(const base::MappedFile& file, trace::TraceBuilder& builder) {
  return TimelineParser(file, builder).parse();
}

}  // namespace accelscope::formats::timeline_csv
