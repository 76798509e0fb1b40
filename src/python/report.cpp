#include <fmt/core.h>

#include <cmath>

#include "jobs/report.h"
#include "python/bindings.h"
#include "python/findings.h"
#include "python/trace.h"

namespace accelscope::python {
namespace {

std::string text_or_empty(const py::object& text) {
  return text.is_none() ? std::string() : py::cast<std::string>(text);
}

// What the command line calls a threshold: a number from zero up.
void take_threshold(const py::object& given, const char* name, double scale, double& value) {
  if (given.is_none()) return;
  const double number = py::cast<double>(given);
  if (!std::isfinite(number) || number < 0)
    raise_value_error(fmt::format("{} is a number from zero up, not {}", name, number));
  value = number * scale;
}

FoundThings report(const py::object& source, const py::object& out, const py::object& picture,
                   const py::object& overhead, const py::object& notes, const py::object& title,
                   const py::object& baseline, const py::object& candidate, bool allow_thread_mismatch,
                   const py::object& threshold, const py::object& operator_threshold,
                   const py::object& data_movement_threshold, const py::object& outside_threshold,
                   const py::object& low_speedup, const py::object& time_unit, const py::object& etrecord) {
  jobs::ReportOptions options{.out = path_or_empty(out),
                              .fill_directory = false,
                              .picture = path_or_empty(picture),
                              .overhead = path_or_empty(overhead),
                              .version = ACCELSCOPE_VERSION};
  jobs::ReportInputOptions& input = options.input;
  if (py::isinstance<LoadedTrace>(source)) {
    const auto& loaded = py::cast<const LoadedTrace&>(source);
    input.inputs = loaded.inputs;
    input.open = loaded.options;
  } else {
    input.inputs = paths_from(source);
  }
  set_open_options(input.open, time_unit, etrecord);
  input.notes = path_or_empty(notes);
  input.title = text_or_empty(title);
  input.roles = {.baseline = text_or_empty(baseline),
                 .candidate = text_or_empty(candidate),
                 .allow_thread_mismatch = allow_thread_mismatch};
  take_threshold(threshold, "threshold", 0.01, input.compare.statistics.threshold);
  take_threshold(operator_threshold, "operator_threshold", 1, input.thresholds.operator_percent);
  take_threshold(data_movement_threshold, "data_movement_threshold", 1,
                 input.thresholds.data_movement_percent);
  take_threshold(outside_threshold, "outside_threshold", 1, input.thresholds.outside_percent);
  take_threshold(low_speedup, "low_speedup", 1, input.thresholds.low_speedup);
  jobs::ReportOutcome outcome = value_or_raise(without_gil([&] { return jobs::report(options); }));
  return {std::move(outcome.findings), std::move(outcome.files)};
}

constexpr const char* kReportHelp =
    "Where the time went, what changed, whether it is real, what to do: `accelscope report`.\n\n"
    "Takes what the command takes, one path or several, or a Trace, whose files are then read again. Writes\n"
    "only what `out` and `picture` name. Thresholds are percentages, as on the command line.";

}  // namespace

void bind_report(py::module_& module) {
  const py::none none;
  module.def("report", &report, kReportHelp, py::arg("source"), py::kw_only(), py::arg("out") = none,
             py::arg("picture") = none, py::arg("overhead") = none, py::arg("notes") = none,
             py::arg("title") = none, py::arg("baseline") = none, py::arg("candidate") = none,
             py::arg("allow_thread_mismatch") = false, py::arg("threshold") = none,
             py::arg("operator_threshold") = none, py::arg("data_movement_threshold") = none,
             py::arg("outside_threshold") = none, py::arg("low_speedup") = none, py::arg("time_unit") = none,
             py::arg("etrecord") = none);
}

}  // namespace accelscope::python
