// Columns of a trace as NumPy arrays that cannot be written.
//
// What lies in one piece, or at equal distances, is not copied: the array points there and keeps its owner.
// Whole numbers, ids and bits keep their width; a frequency is a pair of ticks and seconds; texts and values
// are Python objects. Used with the GIL held.
//
//   const ColumnSource source = source_of(trace->slices().start);
//   const py::array starts = source.make(source, trace->slices().size(), *trace, trace);
#pragma once

#include <pybind11/numpy.h>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "python/border.h"
#include "trace/schema.h"
#include "trace/trace.h"

namespace accelscope::python {

using Owner = std::shared_ptr<const void>;

// Where the values of a column are. The functions are one for each type and not for each column: there are
// many columns, and compiling takes long.
struct ColumnSource {
  const void* place = nullptr;  // a trace::Column, or the member in the first row of a small table
  std::size_t stride = 0;       // from row to row of a small table
  py::array (*make)(const ColumnSource& source, std::size_t rows, const trace::Trace& trace,
                    const Owner& owner) = nullptr;
};

py::array array_at(const py::dtype& type, std::size_t rows, std::size_t stride, const void* data,
                   const Owner& owner);
py::array array_of_objects(const py::list& objects);
// An int, float, bool, str, bytes or None.
py::object object_of(const trace::Trace& trace, trace::Value value);

template <class T>
py::dtype dtype_of() {
  if constexpr (std::is_same_v<T, base::Ticks>) {
    static_assert(sizeof(base::Ticks) == sizeof(std::int64_t));
    return py::dtype::of<std::int64_t>();
  } else if constexpr (std::is_enum_v<T>) {
    return py::dtype::of<std::underlying_type_t<T>>();
  } else {
    return py::dtype::of<T>();
  }
}

template <class T>
py::array array_of_chunks(const ColumnSource& source, std::size_t rows, const trace::Trace&,
                          const Owner& owner) {
  const auto& column = *static_cast<const trace::Column<T>*>(source.place);
  const auto count = static_cast<std::uint32_t>(rows);
  if (const T* data = column.contiguous(0, count))
    return array_at(dtype_of<T>(), rows, sizeof(T), data, owner);
  const std::shared_ptr<T[]> copy(new T[rows]);
  for (std::uint32_t row = 0; row < count;) {
    const std::span<const T> values = column.chunk_from(row);
    std::memcpy(copy.get() + row, values.data(), values.size_bytes());
    row += static_cast<std::uint32_t>(values.size());
  }
  return array_at(dtype_of<T>(), rows, sizeof(T), copy.get(), copy);
}

template <class T>
py::array array_of_members(const ColumnSource& source, std::size_t rows, const trace::Trace& trace,
                           const Owner& owner) {
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, trace::Value>) {
    py::list objects;
    for (std::size_t row = 0; row < rows; ++row) {
      const void* place = static_cast<const std::byte*>(source.place) + row * source.stride;
      const T& value = *static_cast<const T*>(place);
      if constexpr (std::is_same_v<T, trace::Value>)
        objects.append(object_of(trace, value));
      else
        objects.append(text_for(value));
    }
    return array_of_objects(objects);
  } else {
    return array_at(dtype_of<T>(), rows, source.stride, source.place, owner);
  }
}

template <class T>
ColumnSource source_of(const trace::Column<T>& column) {
  return {&column, 0, &array_of_chunks<T>};
}

template <class T>
ColumnSource source_of(const T* member_of_first, std::size_t stride) {
  return {member_of_first, stride, &array_of_members<T>};
}

}  // namespace accelscope::python
