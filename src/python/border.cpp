#include "python/border.h"

#include <fmt/core.h>

#include <optional>

namespace accelscope::python {
namespace {

std::string repr_of(py::handle value) {
  return py::cast<std::string>(py::repr(value));
}

// A file, and where in it; None where that is not known.
py::dict place_of(const base::Location& where) {
  using Kind = base::Location::Kind;
  py::dict place;
  place["location"] = text_for(where.to_string());
  place["path"] = where.file.empty() ? py::object(py::none()) : py::object(path_for(where.file));
  place["line"] = where.kind == Kind::kLine ? py::object(py::int_(where.position)) : py::none();
  place["byte"] = where.kind == Kind::kByte ? py::object(py::int_(where.position)) : py::none();
  return place;
}

const char* class_for(base::ErrorCode code) {
  switch (code) {
    case base::ErrorCode::kUsage:
      return "UsageError";
    case base::ErrorCode::kNotFound:
      return "NotFoundError";
    default:
      return "Error";
  }
}

}  // namespace

std::string path_from(py::handle path) {
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), static_cast<void*>(&bytes)) == 0) throw py::error_already_set();
  return py::reinterpret_steal<py::bytes>(bytes);
}

std::string path_or_empty(py::handle path) {
  return path.is_none() ? std::string() : path_from(path);
}

std::vector<std::string> paths_from(py::handle paths) {
  const bool is_one =
      py::isinstance<py::str>(paths) || py::isinstance<py::bytes>(paths) || py::hasattr(paths, "__fspath__");
  if (is_one || !py::isinstance<py::iterable>(paths)) return {path_from(paths)};
  std::vector<std::string> all;
  for (const py::handle path : paths) all.push_back(path_from(path));
  if (all.empty()) raise_value_error("there is no path in the list");
  return all;
}

py::str text_for(std::string_view text) {
  PyObject* decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

py::str path_for(const std::string& path) {
  PyObject* decoded = PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size()));
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

void raise_type_error(const std::string& text) {
  throw py::type_error(text);
}

void raise_value_error(const std::string& text) {
  throw py::value_error(text);
}

py::object whole_number(py::handle value) {
  // NumPy's own bool is none of Python's, and counts as 1 where an index is asked for.
  const std::string_view type = Py_TYPE(value.ptr())->tp_name;
  const bool is_truth = PyBool_Check(value.ptr()) != 0 ||
                        (type.starts_with("numpy") && type.find("bool") != std::string_view::npos);
  if (is_truth || PyIndex_Check(value.ptr()) == 0) return {};
  auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  PyErr_Clear();  // an array of several numbers
  return number;
}

std::uint64_t whole_number_from(py::handle value, const char* name, std::uint64_t least, std::uint64_t most) {
  const auto wrong = [&] {
    return fmt::format("{} is a whole number from {} to {}, not {}", name, least, most, repr_of(value));
  };
  const py::object number = whole_number(value);
  if (!number) raise_type_error(wrong());
  const std::uint64_t result = PyLong_AsUnsignedLongLong(number.ptr());
  const bool fits = PyErr_Occurred() == nullptr;
  PyErr_Clear();
  if (!fits || result < least || result > most) raise_value_error(wrong());
  return result;
}

bool truth_from(py::handle value, const char* name) {
  if (PyBool_Check(value.ptr()) == 0)
    raise_type_error(fmt::format("{} is True or False, not {}", name, repr_of(value)));
  return value.ptr() == Py_True;
}

void raise(const base::Error& error) {
  const py::object type = py::module_::import("accelscope._errors").attr(class_for(error.code));
  py::dict facts = place_of(error.where);
  facts["code"] = text_for(base::error_code_name(error.code));
  const py::object exception = type(text_for(error.message), **facts);
  PyErr_SetObject(type.ptr(), exception.ptr());
  throw py::error_already_set();
}

base::Error error_of_library(const char* what) {
  return {base::ErrorCode::kInternal, fmt::format("a library that is used here failed: {}", what), {}};
}

}  // namespace accelscope::python
