#include <array>
#include <charconv>
#include <cmath>

#include "base/json_writer.h"
#include "findings/findings_json.h"

namespace accelscope::findings {
namespace {

using base::JsonWriter;

// A double keeps its point, so that 3.0 does not come back as the integer 3, nor -0.0 as 0.
void number(JsonWriter& json, double value) {
  if (!std::isfinite(value)) {
    json.null();
    return;
  }
  std::array<char, 40> text{};
  char* end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  const std::string_view digits(text.data(), static_cast<std::size_t>(end - text.data()));
  if (digits.find_first_of(".e") == std::string_view::npos) {
    *end++ = '.';
    *end++ = '0';
  }
  json.raw({text.data(), static_cast<std::size_t>(end - text.data())});
}

// One value on one line: rows and runs of numbers would fill pages otherwise.
template <class Write>
void on_one_line(JsonWriter& json, const Write& write) {
  base::MemoryOutput line;
  JsonWriter compact(line);
  write(compact);
  json.raw(line.bytes());
}

template <class Item, class Write>
void array(JsonWriter& json, std::string_view name, const std::vector<Item>& items, const Write& write) {
  json.key(name).begin_array();
  for (const Item& item : items) write(json, item);
  json.end_array();
}

template <class Item, class Write>
void array_of_lines(JsonWriter& json, std::string_view name, const std::vector<Item>& items,
                    const Write& write) {
  array(json, name, items, [&](JsonWriter& outer, const Item& item) {
    on_one_line(outer, [&](JsonWriter& line) { write(line, item); });
  });
}

template <class Integer>
void integer_or_null(JsonWriter& json, std::string_view name, const std::optional<Integer>& value) {
  if (value)
    json.member(name, *value);
  else
    json.key(name).null();
}

void write_interval(JsonWriter& json, const Interval& interval) {
  json.begin_object();
  number(json.key("low"), interval.low);
  number(json.key("high"), interval.high);
  number(json.key("level"), interval.level);
  json.member("method", interval.method);
  json.end_object();
}

void write_metric(JsonWriter& json, const Metric& metric) {
  json.begin_object();
  json.member("id", metric.id).member("label", metric.label);
  if (metric.value)
    number(json.key("value"), *metric.value);
  else
    json.key("value").null();
  json.member("unit", metric.unit).key("interval");
  if (metric.interval)
    on_one_line(json, [&](JsonWriter& line) { write_interval(line, *metric.interval); });
  else
    json.null();
  json.member("n", metric.n).member("method", metric.method).member("note", metric.note);
  json.member("better", name_of(metric.better));
  json.end_object();
}

void write_cell(JsonWriter& json, const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell))
    json.value(*text);
  else if (const auto* integer = std::get_if<std::int64_t>(&cell))
    json.value(*integer);
  else if (const auto* real = std::get_if<double>(&cell))
    number(json, *real);
  else
    json.null();
}

void write_column(JsonWriter& json, const Column& column) {
  json.begin_object();
  json.member("id", column.id).member("title", column.title).member("kind", name_of(column.kind));
  json.member("unit", column.unit).member("decimals", column.decimals);
  json.end_object();
}

void write_row(JsonWriter& json, const std::vector<Cell>& row) {
  json.begin_array();
  for (const Cell& cell : row) write_cell(json, cell);
  json.end_array();
}

void write_table(JsonWriter& json, const Table& table) {
  json.begin_object();
  json.member("id", table.id).member("title", table.title);
  array_of_lines(json, "columns", table.columns, write_column);
  array_of_lines(json, "rows", table.rows, write_row);
  json.member("note", table.note).member("rows_shown", table.rows_shown);
  json.end_object();
}

void write_mark(JsonWriter& json, const Mark& mark) {
  json.begin_object();
  json.member("position", mark.position).member("label", mark.label);
  json.end_object();
}

void write_series(JsonWriter& json, const Series& series) {
  json.begin_object();
  json.member("id", series.id).member("title", series.title).member("unit", series.unit);
  json.member("x_title", series.x_title).key("values");
  on_one_line(json, [&](JsonWriter& line) {
    line.begin_array();
    for (const double value : series.values) number(line, value);
    line.end_array();
  });
  array_of_lines(json, "marks", series.marks, write_mark);
  array(json, "labels", series.labels, [](JsonWriter& list, const std::string& label) { list.value(label); });
  json.end_object();
}

void write_evidence(JsonWriter& json, const Evidence& evidence) {
  json.begin_object();
  json.member("text", evidence.text).member("input", evidence.input);
  integer_or_null(json, "slice", evidence.slice);
  json.member("track", evidence.track);
  integer_or_null(json, "from", evidence.from);
  integer_or_null(json, "to", evidence.to);
  json.end_object();
}

void write_gain(JsonWriter& json, const Gain& gain) {
  json.begin_object();
  number(json.key("before"), gain.before);
  number(json.key("after"), gain.after);
  json.member("unit", gain.unit).member("basis", gain.basis);
  json.end_object();
}

void write_statement(JsonWriter& json, const Statement& statement) {
  json.begin_object();
  json.member("id", statement.id).member("kind", name_of(statement.kind));
  json.member("priority", name_of(statement.priority)).member("subject", statement.subject);
  json.member("text", statement.text).member("group", statement.group).key("gain");
  if (statement.gain)
    on_one_line(json, [&](JsonWriter& line) { write_gain(line, *statement.gain); });
  else
    json.null();
  array_of_lines(json, "evidence", statement.evidence, write_evidence);
  json.end_object();
}

void write_section(JsonWriter& json, const Section& section) {
  json.begin_object();
  json.member("id", section.id).member("title", section.title).member("depth", section.depth);
  json.member("data_only", section.data_only).member("notes", section.notes);
  json.member("empty_hint", section.empty_hint);
  array(json, "statements", section.statements, write_statement);
  array(json, "metrics", section.metrics, write_metric);
  array(json, "tables", section.tables, write_table);
  array(json, "series", section.series, write_series);
  json.end_object();
}

void write_place(JsonWriter& json, const base::Location& place) {
  using Kind = base::Location::Kind;
  if (place == base::Location{}) {
    json.null();
    return;
  }
  json.begin_object();
  json.member("file", place.file);
  if (place.kind == Kind::kByte) json.member("byte", place.position);
  if (place.kind == Kind::kLine) json.member("line", place.position);
  json.end_object();
}

void write_quality_row(JsonWriter& json, const trace::QualityRow& row) {
  json.begin_object();
  json.member("id", row.id).member("severity", trace::severity_name(row.severity));
  json.member("sentence", row.sentence).member("count", row.count).key("first_place");
  write_place(json, row.first_place);
  json.end_object();
}

void write_input(JsonWriter& json, const Input& input) {
  json.begin_object();
  json.member("path", input.path).member("format", input.format).member("bytes", input.bytes);
  json.member("hash", input.hash).member("role", input.role);
  json.end_object();
}

void write_key_value(JsonWriter& json, const KeyValue& pair) {
  json.begin_object().member("key", pair.key).member("value", pair.value).end_object();
}

void write_provenance(JsonWriter& json, const Provenance& provenance) {
  json.begin_object();
  json.member("version", provenance.version).member("generated_at", provenance.generated_at);
  array_of_lines(json, "inputs", provenance.inputs, write_input);
  array_of_lines(json, "options", provenance.options, write_key_value);
  array_of_lines(json, "device", provenance.device, write_key_value);
  json.member("seed", provenance.seed);
  json.end_object();
}

}  // namespace

void write_json(const Findings& findings, base::Output& output) {
  JsonWriter json(output, JsonWriter::Style::kIndented);
  json.begin_object();
  // First, so that the beginning of a file tells what it is.
  json.member("accelscope_findings", kSchemaVersion);
  json.member("kind", findings.kind).member("title", findings.title);
  array_of_lines(json, "quality", findings.quality.rows(), write_quality_row);
  array(json, "sections", findings.sections, write_section);
  write_provenance(json.key("provenance"), findings.provenance);
  json.end_object();
  output.append('\n');
}

}  // namespace accelscope::findings
