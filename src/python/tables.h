// The tables of a trace as Python mappings from the names of columns to arrays.
//
// A table makes an array when it is first asked for, and keeps it. Used with the GIL held.
//
//   for (const TableMaker& maker : table_makers()) module_property(maker.name, maker.make);
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "python/columns.h"

namespace accelscope::python {

using TracePointer = std::shared_ptr<const trace::Trace>;

struct TraceTable {
  std::string_view name;
  std::string_view meaning;
  std::size_t rows = 0;
  TracePointer trace = {};
  Owner owner = {};  // of the rows: the trace, but for rows that were put together
  std::vector<trace::ColumnInfo> columns = {};
  std::vector<ColumnSource> sources = {};  // as many
  std::vector<py::object> arrays = {};     // likewise; null until somebody asks for it

  py::object array(const std::string& column);
};

struct TableMaker {
  std::string_view name;
  TraceTable (*make)(const TracePointer& trace);
};
// All tables of the schema, in its order.
std::span<const TableMaker> table_makers();

}  // namespace accelscope::python
