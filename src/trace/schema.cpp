#include "trace/schema.h"

#include <fmt/core.h>

#include "trace/clock.h"
#include "trace/entities.h"

namespace accelscope::trace {
namespace {

template <class Table>
TableSchema describe(std::string_view name, std::string_view meaning) {
  TableSchema table{name, meaning, {}};
  std::apply([&](const auto&... fields) { (table.columns.push_back(fields.info), ...); }, Table::columns());
  return table;
}

// A column that a table forgot to list would be missing everywhere; the row's width gives it away.
template <class Table>
constexpr std::size_t listed_row_bytes() {
  return std::apply(
      [](const auto&... fields) {
        return (
            sizeof(typename std::remove_cvref_t<decltype(std::declval<Table>().*(fields.member))>::Value) +
            ...);
      },
      Table::columns());
}
static_assert(listed_row_bytes<SliceTable>() == SliceTable::kRowBytes);

template <class Table>
constexpr bool lists_every_column() {
  // Every Column object has the same size, whatever it holds.
  return std::tuple_size_v<decltype(Table::columns())> == sizeof(Table) / sizeof(Column<std::uint8_t>);
}
static_assert(lists_every_column<SliceTable>() && lists_every_column<ArgTable>() &&
              lists_every_column<FlowTable>() && lists_every_column<FlowEndTable>() &&
              lists_every_column<CounterTable>() && lists_every_column<InstantTable>() &&
              lists_every_column<StateTable>() && lists_every_column<StageTable>() &&
              lists_every_column<TaskTable>() && lists_every_column<TaskEdgeTable>());

std::vector<TableSchema> describe_all() {
  return {
      describe<SliceTable>("slices", "What ran, where and when. Ordered by track, start, then as logged."),
      describe<ArgTable>("args", "Arguments of slices and instants, as linked lists."),
      describe<FlowTable>("flows", "Directed edges between slices."),
      describe<FlowEndTable>("flow_ends",
                             "Ends of arrows between two traces of one picture. Ordered by slice."),
      describe<CounterTable>("counters", "Samples of counter tracks. Ordered by track and time."),
      describe<InstantTable>("instants", "Moments. Ordered by track and time."),
      describe<StateTable>(
          "states",
          "Intervals that tile a resource's time, each with one cause. Ordered by track and start."),
      describe<StageTable>("stages", "Named moments of a slice. Ordered by slice."),
      describe<TaskTable>("tasks", "Work that was asked for; a task may have no slice."),
      describe<TaskEdgeTable>("task_edges", "Dependencies between tasks."),
      describe<Track>("tracks", "The lines of the picture, in a tree."),
      describe<Resource>("resources", "What a track is the timeline of."),
      describe<ClockDomain>("clocks", "What times are read from."),
      describe<ClockRelation>("clock_relations", "How two clocks run against each other."),
      describe<ClockSample>("clock_samples", "The raw readings behind a relation, listed with it."),
      describe<ClockKnot>("clock_knots", "The piecewise-linear fit of a relation, listed with it."),
      describe<Run>("runs", "Repeated executions of methods."),
      describe<Fact>("facts", "What is known about the whole trace."),
      describe<Accounting>("accounting", "Records made, collected and lost, per producer."),
      describe<SourceFile>("sources", "The files the trace was made from."),
  };
}

}  // namespace

std::string_view column_type_name(ColumnType type) {
  switch (type) {
    case ColumnType::kInt64:
      return "int64";
    case ColumnType::kUint64:
      return "uint64";
    case ColumnType::kInt32:
      return "int32";
    case ColumnType::kUint32:
      return "uint32";
    case ColumnType::kUint16:
      return "uint16";
    case ColumnType::kUint8:
      return "uint8";
    case ColumnType::kDouble:
      return "double";
    case ColumnType::kBool:
      return "bool";
    case ColumnType::kString:
      return "string";
    case ColumnType::kSlice:
      return "slice";
    case ColumnType::kTrack:
      return "track";
    case ColumnType::kClock:
      return "clock";
    case ColumnType::kTask:
      return "task";
    case ColumnType::kRun:
      return "run";
    case ColumnType::kArg:
      return "arg";
    case ColumnType::kResource:
      return "resource";
    case ColumnType::kCategory:
      return "category";
    case ColumnType::kValue:
      return "value";
    case ColumnType::kFrequency:
      return "frequency";
    case ColumnType::kText:
      return "text";
  }
  return "unknown";
}

const std::vector<TableSchema>& schema() {
  static const std::vector<TableSchema> kSchema = describe_all();
  return kSchema;
}

std::string schema_markdown() {
  std::string text;
  for (const TableSchema& table : schema()) {
    text += fmt::format("### {}\n\n{}\n\n| column | type | unit | meaning |\n|---|---|---|---|\n", table.name,
                        table.meaning);
    for (const ColumnInfo& info : table.columns)
      text += fmt::format("| `{}` | {} | {} | {} |\n", info.name, column_type_name(info.type), info.unit,
                          info.meaning);
    text += '\n';
  }
  return text;
}

}  // namespace accelscope::trace
