// What every part of the module needs where Python and C++ meet: paths, texts, whole numbers, and errors that
// become exceptions.
//
// All of it is called with the GIL held, but for what without_gil() runs. The functions raise by throwing
// what pybind11 turns into the Python exception; nothing else leaves the module.
//
//   const std::string path = path_from(argument);
//   Trace trace = value_or_raise(without_gil([&] { return formats::open::open_trace(path, {}); }));
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace accelscope::python {

namespace py = pybind11;

// From str, bytes or os.PathLike, as open() takes them.
std::string path_from(py::handle path);
// "" for None.
std::string path_or_empty(py::handle path);
// One such, or a sequence of them.
std::vector<std::string> paths_from(py::handle paths);

// Names come from files and may hold anything: what is not UTF-8 becomes U+FFFD.
py::str text_for(std::string_view text);
py::str path_for(const std::string& path);

// The int that a whole number is, also one of NumPy; null for anything else, truth values included: to Python
// they are numbers, and a level that became one on its way would be 1.
py::object whole_number(py::handle value);
// A number from `least` to `most`; int, or anything else that counts as a whole number, but no bool. `name`
// is for the exception.
std::uint64_t whole_number_from(py::handle value, const char* name, std::uint64_t least, std::uint64_t most);
// True or False, nothing that only behaves like one.
bool truth_from(py::handle value, const char* name);
[[noreturn]] void raise_type_error(const std::string& text);
[[noreturn]] void raise_value_error(const std::string& text);

// accelscope.Error, or the one of its kinds that says more (accelscope/_errors.py).
[[noreturn]] void raise(const base::Error& error);

template <class T>
T value_or_raise(base::Result<T> result) {
  if (!result) raise(result.error());
  return *std::move(result);
}

base::Error error_of_library(const char* what);

// Runs a job while other Python threads run, too. The job must not touch Python.
template <class Job>
auto without_gil(Job&& job) -> decltype(job()) {
  const py::gil_scoped_release released;
  try {
    return job();
  } catch (const std::bad_alloc&) {
    throw;  // MemoryError
  } catch (const std::exception& problem) {
    return tl::unexpected(error_of_library(problem.what()));
  }
}

}  // namespace accelscope::python
