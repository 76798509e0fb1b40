#include <fmt/core.h>

#include "formats/capture/container_reader.h"
#include "formats/capture/ending_notes.h"
#include "formats/capture/quality_rows.h"
#include "formats/capture/rows_chunk.h"
#include "formats/capture/strings_chunk.h"
#include "formats/capture/trace_chunks.h"
#include "trace/trace_parts.h"

namespace accelscope::formats::capture {
namespace {

using base::ErrorCode;
using base::Location;
using base::MappedFile;
using base::Result;
using base::Status;
using trace::ColumnInfo;
using trace::QualityRow;
using trace::Severity;
using trace::Trace;

// As many as a Trace takes: no id collides with "none".
constexpr std::uint64_t kMaxRowsOfTable = 0xFFFF0000U;

// What a row gets in a column that the file does not have.
template <class T>
constexpr T missing_value() {
  if constexpr (requires { T::kNone; })
    return T::kNone;
  else
    return T{};
}

class TraceAssembler {
 public:
  explicit TraceAssembler(const std::string& path) : path_(path) {}

  Status take(const Chunk& chunk) {
    switch (chunk.header.kind) {
      case ChunkKind::kStrings:
        if (strings_.take(chunk.payload)) return {};
        return base::fail(ErrorCode::kMalformed, "the texts of this chunk do not follow those before");
      case ChunkKind::kRows:
        return take_rows(chunk);
      case ChunkKind::kIndex:
      case ChunkKind::kEnd:
      case ChunkKind::kRecordingRows:
      case ChunkKind::kRecords:
        break;
    }
    note_unknown_chunks(1, Location::byte(path_, chunk.offset), notes_);
    return {};
  }

  void note_ending(const ContainerReader& reader) {
    capture::note_ending(reader, path_, notes_);
    complete_ = reader.ending() == Ending::kComplete;
  }

  Result<Trace> finish() && {
    ACCELSCOPE_CHECK(join_clock_readings());
    parts_.strings = std::move(strings_).strings();
    if (!complete_) trace::forget_missing_rows(parts_);
    // Rows of the saved trace come first, as they were.
    parts_.quality = trace::QualityTable::of_distinct(std::move(quality_));
    parts_.quality.append(notes_);
    return trace::trace_from(std::move(parts_));
  }

 private:
  Status take_rows(const Chunk& chunk) {
    if (!decoder_.parse(chunk.payload))
      return base::fail(ErrorCode::kMalformed, "the rows of this chunk contradict their sizes");
    known_table_ = false;
    rows_before_ = 0;
    good_ = true;
    read_rows_of_known_table();
    if (!known_table_) {
      note_unknown_chunks(1, Location::byte(path_, chunk.offset), notes_);
      return {};
    }
    if (decoder_.first_row() != rows_before_ || rows_before_ + decoder_.rows() > kMaxRowsOfTable)
      return base::fail(ErrorCode::kMalformed, "rows of {} do not follow those before", decoder_.table());
    if (!good_) return base::fail(ErrorCode::kMalformed, "a column of {} is malformed", decoder_.table());
    if (const std::uint32_t unknown = decoder_.columns_left(); unknown > 0)
      notes_.add(
          {"astrace.unknown_column", Severity::kInfo,
           fmt::format("Columns of {} that this version does not know are left out.", decoder_.table()),
           unknown, Location::byte(path_, chunk.offset)});
    return {};
  }

  void read_rows_of_known_table() {
    trace::for_each_table([&](std::string_view name, auto, auto part) {
      if (begins(name, (parts_.*part).size())) read_table(parts_.*part);
    });
    if (begins("clock_samples", samples_.size())) read_table(samples_);
    if (begins("clock_knots", knots_.size())) read_table(knots_);
    if (begins("categories", parts_.categories.size() - 1))
      read<trace::StringId>("name", trace::StringId::kEmpty,
                            [&](std::uint32_t, trace::StringId name) { parts_.categories.push_back(name); });
    if (begins("quality", quality_.size())) read_quality();
  }

  // True when the rows at hand are of this table and follow those that it has already.
  bool begins(std::string_view table, std::uint64_t rows) {
    if (decoder_.table() != table) return false;
    known_table_ = true;
    rows_before_ = rows;
    return decoder_.first_row() == rows && rows + decoder_.rows() <= kMaxRowsOfTable;
  }

  template <class T, class Put>
  void read(std::string_view name, const T& missing, Put&& put) {
    good_ = good_ && decoder_.read<T>(name, missing, put);
  }

  template <class Table>
  void read_table(Table& table) {
    trace::for_each_column(table, [&](const ColumnInfo& info, auto& column) {
      using T = typename std::remove_cvref_t<decltype(column)>::Value;
      read<T>(info.name, missing_value<T>(), [&](std::uint32_t, T value) { column.push_back(value); });
    });
  }

  template <class Row>
  void read_table(std::vector<Row>& rows) {
    const std::size_t first = rows.size();
    rows.resize(first + decoder_.rows());
    std::apply(
        [&](const auto&... fields) {
          (read<std::remove_cvref_t<decltype(rows.front().*(fields.member))>>(
               fields.info.name, Row{}.*(fields.member),
               [&](std::uint32_t row, const auto& value) { rows[first + row].*(fields.member) = value; }),
           ...);
        },
        Row::columns());
    if constexpr (std::is_same_v<Row, trace::ClockRelation>) {
      reading_counts_.resize(rows.size());
      read<std::uint32_t>("samples", 0, [&](std::uint32_t row, std::uint32_t count) {
        reading_counts_[first + row].samples = count;
      });
      read<std::uint32_t>("knots", 0, [&](std::uint32_t row, std::uint32_t count) {
        reading_counts_[first + row].knots = count;
      });
    }
  }

  void read_quality() {
    const std::size_t first = quality_.size();
    quality_.resize(first + decoder_.rows());
    for_each_quality_column([&](std::string_view name, auto get, auto set) {
      using T = std::remove_cvref_t<decltype(get(quality_.front()))>;
      read<T>(name, T{}, [&](std::uint32_t row, const T& value) { set(quality_[first + row], value); });
    });
    for (std::size_t row = first; row < quality_.size(); ++row)
      good_ = good_ && quality_[row].severity <= Severity::kError &&
              quality_[row].first_place.kind <= Location::Kind::kLine;
  }

  // Gives every relation its own of the readings, which lie one after the other.
  Status join_clock_readings() {
    std::uint64_t next_sample = 0;
    std::uint64_t next_knot = 0;
    for (std::size_t i = 0; i < reading_counts_.size(); ++i) {
      const auto& [samples, knots] = reading_counts_[i];
      if (samples > samples_.size() - next_sample || knots > knots_.size() - next_knot)
        return base::fail(ErrorCode::kMalformed, "a clock relation has more readings than there are");
      const auto sample = samples_.begin() + static_cast<std::ptrdiff_t>(next_sample);
      const auto knot = knots_.begin() + static_cast<std::ptrdiff_t>(next_knot);
      parts_.clock_relations[i].samples.assign(sample, sample + samples);
      parts_.clock_relations[i].knots.assign(knot, knot + knots);
      next_sample += samples;
      next_knot += knots;
    }
    return {};
  }

  struct ReadingCounts {
    std::uint32_t samples = 0;
    std::uint32_t knots = 0;
  };

  const std::string& path_;
  trace::TraceParts parts_;
  StringsCollector strings_;
  std::vector<trace::ClockSample> samples_;
  std::vector<trace::ClockKnot> knots_;
  std::vector<ReadingCounts> reading_counts_;  // of the relations
  std::vector<QualityRow> quality_;            // of the saved trace
  trace::QualityTable notes_;                  // about the file
  bool complete_ = false;

  // Of the chunk at hand.
  RowsDecoder decoder_;
  bool known_table_ = false;
  std::uint64_t rows_before_ = 0;
  bool good_ = true;
};

}  // namespace

Result<Trace> read(const MappedFile& file, const Progress& progress) {
  ACCELSCOPE_TRY(ContainerReader reader, ContainerReader::open(file));
  TraceAssembler assembler(file.path());
  const auto take = [&](const Chunk& chunk) { return assembler.take(chunk); };
  ACCELSCOPE_CHECK(for_each_chunk(reader, file.path(), take, progress));
  assembler.note_ending(reader);
  Result<Trace> trace = std::move(assembler).finish();
  if (!trace) trace.error().where = Location::of_file(file.path());
  return trace;
}

}  // namespace accelscope::formats::capture
