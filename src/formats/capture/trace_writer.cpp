#include <algorithm>
#include <span>

#include "formats/capture/container_writer.h"
#include "formats/capture/quality_rows.h"
#include "formats/capture/rows_chunk.h"
#include "formats/capture/strings_chunk.h"
#include "formats/capture/trace_chunks.h"
#include "trace/trace_parts.h"

namespace accelscope::formats::capture {
namespace {

using trace::ColumnInfo;
using trace::Trace;

class TraceWriter {
 public:
  TraceWriter(const Trace& trace, base::Output& out) : trace_(trace), writer_(out) {
    writer_.set_totals(totals());
  }

  base::Status write() {
    for_each_strings_chunk(trace_.strings(), [&](std::uint64_t items, std::string_view payload) {
      writer_.add_chunk(ChunkKind::kStrings, items, payload);
    });
    write_categories();
    write_quality();
    write_clock_readings();
    trace::for_each_table([&](std::string_view name, auto rows_of_trace, auto) {
      write_table(name, (trace_.*rows_of_trace)());
    });
    return writer_.finish();
  }

 private:
  Totals totals() const {
    Totals totals;
    for (const trace::Accounting& row : trace_.accounting()) {
      totals.produced += row.produced;
      totals.collected += row.collected;
      totals.dropped += row.dropped;
    }
    return totals;
  }

  // Calls add(first row) for every chunk of a table, which puts the columns of its rows into the encoder.
  template <class Add>
  void write_rows(std::string_view name, std::size_t rows, Add&& add) {
    for (std::size_t first = 0; first < rows; first += kMaxRowsOfChunk) {
      const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(rows - first, kMaxRowsOfChunk));
      encoder_.begin(name, static_cast<std::uint32_t>(first), count);
      add(static_cast<std::uint32_t>(first));
      writer_.add_chunk(ChunkKind::kRows, count, encoder_.finish());
    }
  }

  template <class Table>
  void write_table(std::string_view name, const Table& table) {
    static_assert(trace::Column<std::uint8_t>::kChunkRows == kMaxRowsOfChunk);
    write_rows(name, table.size(), [&](std::uint32_t first) {
      trace::for_each_column(table, [&](const ColumnInfo& info, const auto& column) {
        using T = typename std::remove_cvref_t<decltype(column)>::Value;
        const std::span<const T> values = column.chunk_from(first);
        encoder_.add<T>(info.name, [&](std::uint32_t row) { return values[row]; });
      });
    });
  }

  template <class Row>
  void add_columns(std::span<const Row> rows) {
    std::apply(
        [&](const auto&... fields) {
          (encoder_.add<std::remove_cvref_t<decltype(rows.front().*(fields.member))>>(
               fields.info.name,
               [&](std::uint32_t row) -> const auto& { return rows[row].*(fields.member); }),
           ...);
        },
        Row::columns());
  }

  template <class Row>
  void write_table(std::string_view name, const std::span<const Row>& rows) {
    write_rows(name, rows.size(), [&](std::uint32_t first) {
      const std::span<const Row> shown = rows.subspan(first);
      add_columns(shown);
      if constexpr (std::is_same_v<Row, trace::ClockRelation>) {
        const auto count = [](const auto& readings) { return static_cast<std::uint32_t>(readings.size()); };
        encoder_.add<std::uint32_t>("samples", [&](std::uint32_t row) { return count(shown[row].samples); });
        encoder_.add<std::uint32_t>("knots", [&](std::uint32_t row) { return count(shown[row].knots); });
      }
    });
  }

  void write_categories() {
    const std::span<const trace::StringId> names = trace_.categories().subspan(1);
    write_rows("categories", names.size(), [&](std::uint32_t first) {
      encoder_.add<trace::StringId>("name", [&](std::uint32_t row) { return names[first + row]; });
    });
  }

  void write_quality() {
    const std::vector<trace::QualityRow>& rows = trace_.quality().rows();
    write_rows("quality", rows.size(), [&](std::uint32_t first) {
      for_each_quality_column([&](std::string_view name, auto get, auto) {
        encoder_.add<std::remove_cvref_t<decltype(get(rows.front()))>>(
            name, [&](std::uint32_t row) -> const auto& { return get(rows[first + row]); });
      });
    });
  }

  // Those of all relations, one after the other, before the relations: a relation that is there is whole.
  void write_clock_readings() {
    std::vector<trace::ClockSample> samples;
    std::vector<trace::ClockKnot> knots;
    for (const trace::ClockRelation& relation : trace_.clock_relations()) {
      samples.insert(samples.end(), relation.samples.begin(), relation.samples.end());
      knots.insert(knots.end(), relation.knots.begin(), relation.knots.end());
    }
    write_table("clock_samples", std::span<const trace::ClockSample>(samples));
    write_table("clock_knots", std::span<const trace::ClockKnot>(knots));
  }

  const Trace& trace_;
  ContainerWriter writer_;
  RowsEncoder encoder_;
};

}  // namespace

base::Status write(const Trace& trace, base::Output& out) {
  return TraceWriter(trace, out).write();
}

}  // namespace accelscope::formats::capture
