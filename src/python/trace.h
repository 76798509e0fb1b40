// A trace in Python: its tables as NumPy arrays, made from the lists of columns (trace/schema.h).
//
// Arrays point into the trace where a column lies in one piece, and keep it alive; else they are copies, made
// once. None can be written. Used with the GIL held.
//
//   const LoadedTrace& loaded = py::cast<const LoadedTrace&>(argument);
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "formats/open/open.h"
#include "python/border.h"
#include "trace/trace.h"

namespace accelscope::python {

struct LoadedTrace {
  std::shared_ptr<const trace::Trace> trace = {};
  std::vector<std::string> inputs = {};     // as they were given
  formats::open::OpenOptions options = {};  // with which they were opened
  std::map<std::string, py::object> made =
      {};  // tables and lists of names, as soon as somebody asked for them
};

// What is None stays as it is.
void set_open_options(formats::open::OpenOptions& options, const py::object& time_unit,
                      const py::object& etrecord);

}  // namespace accelscope::python
