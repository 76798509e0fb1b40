// The one description of every column: name, type, unit and meaning.
//
// Each table lists its own columns once, beside their declaration (tables.h, entities.h); what needs to know
// them all - the documentation, the Python arrays, the native file, SQL - walks these lists and never repeats
// them. Compile-time constants.
//
//   for_each_column(table, [](const auto& info, auto& column) { use(info.name, column.size()); });
//   for (const TableSchema& table : schema()) ...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "base/units.h"
#include "trace/column.h"
#include "trace/ids.h"
#include "trace/value.h"

namespace accelscope::trace {

enum class ColumnType : std::uint8_t {
  kInt64,
  kUint64,
  kInt32,
  kUint32,
  kUint16,
  kUint8,
  kDouble,
  kBool,
  kString,  // 32-bit id of an interned string
  kSlice,   // 32-bit row of the table slices; likewise below
  kTrack,
  kClock,
  kTask,
  kRun,
  kArg,
  kResource,
  kCategory,   // 16-bit row of the table categories
  kValue,      // a type byte and eight bytes (value.h)
  kFrequency,  // ticks and seconds, two int64: their ratio
  kText,       // a text of the row's own, not interned
};

std::string_view column_type_name(ColumnType type);

template <class T>
constexpr ColumnType column_type_of() {
  if constexpr (std::is_same_v<T, base::Ticks> || std::is_same_v<T, std::int64_t>)
    return ColumnType::kInt64;
  else if constexpr (std::is_same_v<T, StringId>)
    return ColumnType::kString;
  else if constexpr (std::is_same_v<T, SliceId>)
    return ColumnType::kSlice;
  else if constexpr (std::is_same_v<T, TrackId>)
    return ColumnType::kTrack;
  else if constexpr (std::is_same_v<T, ClockId>)
    return ColumnType::kClock;
  else if constexpr (std::is_same_v<T, TaskId>)
    return ColumnType::kTask;
  else if constexpr (std::is_same_v<T, RunId>)
    return ColumnType::kRun;
  else if constexpr (std::is_same_v<T, ArgId>)
    return ColumnType::kArg;
  else if constexpr (std::is_same_v<T, ResourceId>)
    return ColumnType::kResource;
  else if constexpr (std::is_same_v<T, CategoryId>)
    return ColumnType::kCategory;
  else if constexpr (std::is_same_v<T, Value>)
    return ColumnType::kValue;
  else if constexpr (std::is_same_v<T, base::Frequency>)
    return ColumnType::kFrequency;
  else if constexpr (std::is_same_v<T, std::string>)
    return ColumnType::kText;
  else if constexpr (std::is_same_v<T, bool>)
    return ColumnType::kBool;
  else if constexpr (std::is_same_v<T, double>)
    return ColumnType::kDouble;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return ColumnType::kUint64;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return ColumnType::kInt32;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return ColumnType::kUint32;
  else if constexpr (sizeof(T) == 2)
    return ColumnType::kUint16;
  else {
    static_assert(sizeof(T) == 1, "a new kind of column needs a ColumnType");
    return ColumnType::kUint8;
  }
}

struct ColumnInfo {
  std::string_view name;
  ColumnType type;
  std::string_view unit;  // "ticks", "bytes", or "" where there is none
  std::string_view meaning;
};

// A column of a table in chunks (Member is Column<T> Table::*) or a member of a small table's row (T Row::*).
template <class Owner, class Member>
struct ColumnField {
  ColumnInfo info;
  Member Owner::*member;
};

template <class Owner, class T>
constexpr ColumnField<Owner, Column<T>> column(std::string_view name, Column<T> Owner::*member,
                                               std::string_view unit, std::string_view meaning) {
  return {ColumnInfo{name, column_type_of<T>(), unit, meaning}, member};
}

template <class Owner, class T>
constexpr ColumnField<Owner, T> field(std::string_view name, T Owner::*member, std::string_view unit,
                                      std::string_view meaning) {
  return {ColumnInfo{name, column_type_of<T>(), unit, meaning}, member};
}

// Calls visit(ColumnInfo, column) for every column of a table, in the order of the schema.
template <class Table, class Visit>
void for_each_column(Table& table, Visit&& visit) {
  std::apply([&](const auto&... fields) { (visit(fields.info, table.*(fields.member)), ...); },
             std::remove_const_t<Table>::columns());
}

struct TableSchema {
  std::string_view name;
  std::string_view meaning;
  std::vector<ColumnInfo> columns;
};

// Every table of a Trace, in the order of the documentation.
const std::vector<TableSchema>& schema();

// The schema as Markdown: the reference part of docs/trace-model.md, which a test compares with this.
std::string schema_markdown();

}  // namespace accelscope::trace
