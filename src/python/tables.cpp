#include "python/tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/closest_name.h"
#include "python/bindings.h"

namespace accelscope::python {
namespace {

using trace::ColumnInfo;
using trace::Trace;

const trace::TableSchema& schema_of(std::string_view name) {
  const std::vector<trace::TableSchema>& tables = trace::schema();
  return *std::ranges::find(tables, name, &trace::TableSchema::name);
}

TraceTable empty_table(std::string_view name, std::size_t rows, const TracePointer& trace) {
  const trace::TableSchema& schema = schema_of(name);
  return {.name = schema.name, .meaning = schema.meaning, .rows = rows, .trace = trace, .owner = trace};
}

void add_column(TraceTable& table, const ColumnInfo& info, const ColumnSource& source) {
  table.columns.push_back(info);
  table.sources.push_back(source);
  table.arrays.emplace_back();
}

// A table with many rows.
template <class Table>
TraceTable table_of_columns(std::string_view name, const Table& rows, const TracePointer& trace) {
  TraceTable table = empty_table(name, rows.size(), trace);
  trace::for_each_column(
      rows, [&](const ColumnInfo& info, const auto& column) { add_column(table, info, source_of(column)); });
  return table;
}

// The members of rows that stand `stride` bytes apart.
template <class Row>
void add_members(TraceTable& table, const Row& first, std::size_t stride) {
  trace::for_each_column(first, [&](const ColumnInfo& info, const auto& member) {
    add_column(table, info, source_of(&member, stride));
  });
}

// A small one.
template <class Row>
TraceTable table_of_rows(std::string_view name, std::span<const Row> rows, const TracePointer& trace) {
  static const Row kNoRow = {};
  TraceTable table = empty_table(name, rows.size(), trace);
  add_members(table, rows.empty() ? kNoRow : rows.front(), sizeof(Row));
  return table;
}

// Samples and knots lie in their relations: one table of all, with a column that says whose they are.
template <class Row>
TraceTable table_of_parts(std::string_view name, std::vector<Row> trace::ClockRelation::*part,
                          const TracePointer& trace) {
  struct Part {
    Row row = {};
    std::uint32_t relation = 0;
  };
  auto parts = std::make_shared<std::vector<Part>>();
  for (std::uint32_t i = 0; i < trace->clock_relations().size(); ++i)
    for (const Row& row : trace->clock_relations()[i].*part) parts->push_back({row, i});
  TraceTable table = empty_table(name, parts->size(), trace);
  if (parts->empty()) parts->emplace_back();  // whose address is taken
  add_members(table, parts->front().row, sizeof(Part));
  add_column(table, {"relation", trace::ColumnType::kUint32, "", "row of clock_relations that it belongs to"},
             source_of(&parts->front().relation, sizeof(Part)));
  table.owner = parts;
  return table;
}

constexpr TableMaker kMakers[] = {
    {"slices", [](const TracePointer& t) { return table_of_columns("slices", t->slices(), t); }},
    {"args", [](const TracePointer& t) { return table_of_columns("args", t->args(), t); }},
    {"flows", [](const TracePointer& t) { return table_of_columns("flows", t->flows(), t); }},
    {"flow_ends", [](const TracePointer& t) { return table_of_columns("flow_ends", t->flow_ends(), t); }},
    {"counters", [](const TracePointer& t) { return table_of_columns("counters", t->counters(), t); }},
    {"instants", [](const TracePointer& t) { return table_of_columns("instants", t->instants(), t); }},
    {"states", [](const TracePointer& t) { return table_of_columns("states", t->states(), t); }},
    {"stages", [](const TracePointer& t) { return table_of_columns("stages", t->stages(), t); }},
    {"tasks", [](const TracePointer& t) { return table_of_columns("tasks", t->tasks(), t); }},
    {"task_edges", [](const TracePointer& t) { return table_of_columns("task_edges", t->task_edges(), t); }},
    {"tracks", [](const TracePointer& t) { return table_of_rows("tracks", t->tracks(), t); }},
    {"resources", [](const TracePointer& t) { return table_of_rows("resources", t->resources(), t); }},
    {"clocks", [](const TracePointer& t) { return table_of_rows("clocks", t->clocks(), t); }},
    {"clock_relations",
     [](const TracePointer& t) { return table_of_rows("clock_relations", t->clock_relations(), t); }},
    {"clock_samples",
     [](const TracePointer& t) {
       return table_of_parts("clock_samples", &trace::ClockRelation::samples, t);
     }},
    {"clock_knots",
     [](const TracePointer& t) { return table_of_parts("clock_knots", &trace::ClockRelation::knots, t); }},
    {"runs", [](const TracePointer& t) { return table_of_rows("runs", t->runs(), t); }},
    {"facts", [](const TracePointer& t) { return table_of_rows("facts", t->facts(), t); }},
    {"accounting", [](const TracePointer& t) { return table_of_rows("accounting", t->accounting(), t); }},
    {"sources", [](const TracePointer& t) { return table_of_rows("sources", t->sources(), t); }},
};

py::tuple names_in(const TraceTable& table) {
  py::tuple names(table.columns.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) names[i] = text_for(table.columns[i].name);
  return names;
}

py::dict dict_of_table(TraceTable& table) {
  py::dict arrays;
  for (const ColumnInfo& info : table.columns)
    arrays[text_for(info.name)] = table.array(std::string(info.name));
  return arrays;
}

bool has_column(const TraceTable& table, const py::object& name) {
  if (!py::isinstance<py::str>(name)) return false;
  return std::ranges::find(table.columns, py::cast<std::string>(name), &ColumnInfo::name) !=
         table.columns.end();
}

void bind_column_info(py::module_& module) {
  py::class_<ColumnInfo>(module, "Column", "What a column of a table holds (docs/trace-model.md).")
      .def_property_readonly("name", [](const ColumnInfo& info) { return text_for(info.name); })
      .def_property_readonly("type",
                             [](const ColumnInfo& info) { return text_for(column_type_name(info.type)); })
      .def_property_readonly("unit", [](const ColumnInfo& info) { return text_for(info.unit); })
      .def_property_readonly("meaning", [](const ColumnInfo& info) { return text_for(info.meaning); })
      .def("__repr__", [](const ColumnInfo& info) {
        return text_for(fmt::format("<accelscope.Column {}: {}>", info.name, info.meaning));
      });
}

}  // namespace

py::object TraceTable::array(const std::string& column) {
  const auto found = std::ranges::find(columns, column, &ColumnInfo::name);
  if (found == columns.end()) {
    std::vector<std::string_view> known;
    for (const ColumnInfo& info : columns) known.push_back(info.name);
    throw py::key_error(fmt::format("the table {} has no column '{}'{}; it has {}", name, column,
                                    base::suggestion(column, known), fmt::join(known, ", ")));
  }
  const auto position = static_cast<std::size_t>(found - columns.begin());
  if (!arrays[position]) {
    const ColumnSource& source = sources[position];
    arrays[position] = source.make(source, rows, *trace, owner);
  }
  return arrays[position];
}

std::span<const TableMaker> table_makers() {
  return kMakers;
}

void bind_tables(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(base::Frequency, ticks, seconds);
  bind_column_info(module);
  py::class_<TraceTable> type(module, "Table",
                              "A table of a trace: a mapping from the names of its columns to NumPy arrays, "
                              "which cannot be written.");
  type.def_property_readonly("name", [](const TraceTable& table) { return text_for(table.name); })
      .def_property_readonly("meaning", [](const TraceTable& table) { return text_for(table.meaning); })
      .def_property_readonly("rows", [](const TraceTable& table) { return table.rows; })
      .def_property_readonly(
          "columns",
          [](const TraceTable& table) {
            py::list columns;
            for (const ColumnInfo& info : table.columns) columns.append(py::cast(info));
            return py::tuple(columns);
          },
          "Name, type, unit and meaning of each column.")
      .def("__getitem__", &TraceTable::array, py::arg("column"))
      .def("__len__", [](const TraceTable& table) { return table.columns.size(); })
      .def("__iter__", [](const TraceTable& table) { return py::iter(names_in(table)); })
      .def("__contains__", &has_column, py::arg("column"))
      .def("keys", [](TraceTable& table) { return dict_of_table(table).attr("keys")(); })
      .def("values", [](TraceTable& table) { return dict_of_table(table).attr("values")(); })
      .def("items", [](TraceTable& table) { return dict_of_table(table).attr("items")(); })
      .def("to_dict", &dict_of_table, "All columns; `pandas.DataFrame` takes it as it is.")
      .def("__repr__", [](const TraceTable& table) {
        return text_for(fmt::format("<accelscope.Table {}: {} rows of {} columns>", table.name, table.rows,
                                    table.columns.size()));
      });
}

}  // namespace accelscope::python
