// The extension behind the package `accelscope`. Everything public is named again in accelscope/__init__.py.
#include "python/bindings.h"

PYBIND11_MODULE(_accelscope, module) {
  using namespace accelscope::python;
  module.doc() = "The compiled part of accelscope.";
  module.attr("__version__") = ACCELSCOPE_VERSION;
  bind_call_config(module);
  bind_findings(module);
  bind_tables(module);
  bind_trace(module);
  bind_run(module);
  bind_report(module);
}
