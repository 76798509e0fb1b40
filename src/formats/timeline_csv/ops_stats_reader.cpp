// Operator statistics have no time axis: every row becomes one synthetic slice, laid behind the one before.
#include <cmath>
#include <map>

#include "base/csv.h"
#include "formats/timeline_csv/cell_text.h"
#include "formats/timeline_csv/columns.h"
#include "formats/timeline_csv/decimal_time.h"
#include "formats/timeline_csv/event_names.h"
#include "formats/timeline_csv/timeline_reader.h"
#include "trace/trace_builder.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::timeline_csv {
namespace {

using base::ErrorCode;
using base::Location;
using trace::Ticks;
using trace::Value;

// Averages are fractions of a nanosecond; picoseconds keep them to far more digits than they are good for.
constexpr base::Frequency kPicoseconds = base::Frequency::hz(1'000'000'000'000);
constexpr std::int64_t kMaxTotalNanoseconds = std::int64_t{4'000'000'000'000'000};

class OpsStatsReader {
 public:
  explicit OpsStatsReader(const base::MappedFile& file) : file_(file), reader_(file.path(), file.text()) {}

  base::Result<trace::Trace> read() && {
    if (!reader_.next()) {
      ACCELSCOPE_CHECK(reader_.status());
      return base::fail_at(Location::of_file(file_.path()), ErrorCode::kTruncated,
                           "the file is empty: operator statistics begin with a header line");
    }
    header_ = read_header(reader_.cells(), kOpsStatsColumns);
    ACCELSCOPE_CHECK(check_ops_stats_header(header_, reader_.cells(), file_.path()));
    clock_ = builder_.add_clock({builder_.intern("aggregated"), kPicoseconds});
    while (reader_.next()) ACCELSCOPE_CHECK(read_row());
    ACCELSCOPE_CHECK(reader_.status());
    builder_.quality().add({.id = "timeline_csv.aggregated",
                            .severity = trace::Severity::kWarning,
                            .sentence =
                                "Aggregated: no timeline. Rows are averages over runs, laid end to end; a "
                                "call and what it called are both listed.",
                            .first_place = Location::of_file(file_.path())});
    builder_.add_source({.path = file_.path(), .format = "ops-csv", .detail = {}, .bytes = file_.size()});
    return std::move(builder_).finish();
  }

 private:
  struct Line {
    trace::TrackId track = trace::TrackId::kNone;
    Ticks end = {};
  };

  std::string_view cell(Field field) const { return header_.cell(reader_.cells(), field); }

  trace::StringId text(Field field) { return intern_cell(builder_, cell(field)); }

  base::Status read_row() {
    if (reader_.cells().size() < header_.columns) {
      skip("timeline_csv.short_row", "Rows with fewer cells than the header has columns are left out.");
      return {};
    }
    const DecimalTime total = parse_decimal_time(cell(Field::kTotalMs), DecimalUnit::kMillisecond);
    if (total.state == DecimalState::kMissing) {
      skip("timeline_csv.missing_duration", "Rows without a total (blank or NaN) are left out.");
      return {};
    }
    if (total.state != DecimalState::kNumber || total.nanoseconds > kMaxTotalNanoseconds ||
        total.nanoseconds < 0)
      return bad_cell("total_ms", Field::kTotalMs);
    const Ticks duration{total.nanoseconds * 1000 + std::lround(total.fraction * 1000)};
    return add_slice(duration);
  }

  base::Status add_slice(Ticks duration) {
    Line& line = line_of(text(Field::kModelId));
    const auto end = base::checked_add(line.end.value, duration.value);
    if (!end)
      return base::fail_at(Location::line(file_.path(), reader_.line()), ErrorCode::kTooLarge,
                           "the rows, laid end to end, are longer than 64 bits can count");
    const std::string_view backend = cell(Field::kBackend);
    const trace::EventRole role = role_of_row(cell(Field::kName), names_a_backend(backend));
    const trace::SliceId slice = builder_.add_slice({.track = line.track,
                                                     .start = line.end,
                                                     .duration = duration,
                                                     .name = text(Field::kName),
                                                     .category = builder_.category(trace::category_of(role)),
                                                     .flags = trace::SliceFlag::kSynthetic});
    line.end = Ticks{*end};
    ACCELSCOPE_CHECK(add_number(slice, Field::kCount, "count", arg::kCount));
    ACCELSCOPE_CHECK(add_number(slice, Field::kAvgMs, "avg_ms", arg::kAverageMs));
    ACCELSCOPE_CHECK(add_number(slice, Field::kPctTotal, "pct_total", arg::kPercent));
    if (names_a_backend(backend) && backend != "delegated") {
      builder_.add_slice_arg(slice, trace::arg::kBackend, Value::of_string(text(Field::kBackend)));
      builder_.add_slice_arg(slice, trace::arg::kBackendSource,
                             Value::of_string(builder_.intern(trace::backend_source::kEtRecord)));
    }
    return {};
  }

  base::Status add_number(trace::SliceId slice, Field field, std::string_view column, std::string_view name) {
    const std::string_view raw = cell(field);
    const DecimalTime number = parse_decimal_time(raw, DecimalUnit::kNanosecond);
    if (number.state == DecimalState::kMissing) return {};
    const std::optional<double> value = parse_number(raw);
    if (!value) return bad_cell(column, field);
    const bool whole = field == Field::kCount && number.fraction == 0;
    builder_.add_slice_arg(slice, name, whole ? Value::of_int(number.nanoseconds) : Value::of_double(*value));
    return {};
  }

  base::Status bad_cell(std::string_view column, Field field) const {
    return base::fail_at(Location::line(file_.path(), reader_.line()), ErrorCode::kMalformed,
                         "column {}: '{}' is not the number it should be", column, cell(field).substr(0, 40));
  }

  void skip(std::string_view id, std::string_view sentence) {
    builder_.quality().add({.id = std::string(id),
                            .severity = trace::Severity::kWarning,
                            .sentence = std::string(sentence),
                            .first_place = Location::line(file_.path(), reader_.line())});
  }

  Line& line_of(trace::StringId model) {
    const auto known = lines_.find(index(model));
    if (known != lines_.end()) return known->second;
    const trace::StringId name = model == trace::StringId::kEmpty ? builder_.intern("model") : model;
    if (lines_.empty()) builder_.add_fact(trace::fact::kModel, Value::of_string(name));
    const trace::TrackId process = builder_.add_track({.name = name,
                                                       .level = trace::TrackLevel::kProcess,
                                                       .kind = trace::TrackKind::kGroup,
                                                       .clock = clock_,
                                                       .order = static_cast<std::int32_t>(lines_.size())});
    const trace::TrackId track =
        builder_.add_track({.name = builder_.intern("aggregated"), .parent = process, .clock = clock_});
    return lines_.emplace(index(model), Line{track, {}}).first->second;
  }

  const base::MappedFile& file_;
  trace::TraceBuilder builder_;
  base::CsvReader reader_;
  Header header_;
  trace::ClockId clock_ = trace::ClockId::kNone;
  std::map<std::uint32_t, Line> lines_;
};

}  // namespace

base::Result<trace::Trace> read_ops_stats(const base::MappedFile& file) {
  return OpsStatsReader(file).read();
}

}  // namespace accelscope::formats::timeline_csv
