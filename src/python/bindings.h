// The parts of the module, each of which puts its names into it. Called once, when the module is imported.
#pragma once

#include <pybind11/pybind11.h>

namespace accelscope::python {

void bind_call_config(pybind11::module_& module);
void bind_findings(pybind11::module_& module);
void bind_tables(pybind11::module_& module);
void bind_trace(pybind11::module_& module);
void bind_run(pybind11::module_& module);
void bind_report(pybind11::module_& module);

}  // namespace accelscope::python
