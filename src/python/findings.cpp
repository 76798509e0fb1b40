#include "python/findings.h"

#include <fmt/core.h>

#include <utility>

#include "base/closest_name.h"
#include "base/output.h"
#include "findings/findings_json.h"
#include "python/bindings.h"
#include "report/markdown.h"
#include "report/text.h"

namespace accelscope::python {
namespace {

using findings::Metric;

template <class Write>
py::str written(Write&& write) {
  base::MemoryOutput output;
  {
    const py::gil_scoped_release released;
    write(output);
  }
  return text_for(output.bytes());
}

py::str text_of(const FoundThings& found, std::size_t width) {
  return written([&](base::Output& output) { report::write_text(found.document, {.width = width}, output); });
}

py::str markdown_of(const FoundThings& found) {
  return written([&](base::Output& output) { report::write_markdown(found.document, output); });
}

py::str json_of(const FoundThings& found) {
  return written([&](base::Output& output) { findings::write_json(found.document, output); });
}

py::object dict_of(const FoundThings& found) {
  return py::module_::import("json").attr("loads")(json_of(found));
}

Metric metric_of(const FoundThings& found, const std::string& id) {
  if (const Metric* metric = findings::find_metric(found.document, id)) return *metric;
  std::vector<std::string_view> known;
  for (const findings::Section& section : found.document.sections)
    for (const Metric& metric : section.metrics) known.emplace_back(metric.id);
  throw py::key_error(fmt::format("there is no metric '{}'{}", id, base::suggestion(id, known)));
}

py::list metrics_of(const FoundThings& found) {
  py::list all;
  for (const findings::Section& section : found.document.sections)
    for (const Metric& metric : section.metrics) all.append(py::cast(metric));
  return all;
}

py::object interval_of(const Metric& metric) {
  if (!metric.interval) return py::none();
  return py::make_tuple(metric.interval->low, metric.interval->high);
}

py::object value_of(const Metric& metric) {
  return metric.value ? py::object(py::float_(*metric.value)) : py::object(py::none());
}

void bind_metric(py::module_& module) {
  py::class_<Metric>(module, "Metric", "One number of the findings.")
      .def_property_readonly("id", [](const Metric& metric) { return text_for(metric.id); })
      .def_property_readonly("label", [](const Metric& metric) { return text_for(metric.label); })
      .def_property_readonly("value", &value_of, "None when it could not be had; `note` says why.")
      .def_property_readonly("unit", [](const Metric& metric) { return text_for(metric.unit); })
      .def_property_readonly("interval", &interval_of, "Low and high end, or None.")
      .def_property_readonly(
          "n", [](const Metric& metric) { return metric.n; },
          "How many measurements stand behind it; 0 when that means nothing.")
      .def_property_readonly("note", [](const Metric& metric) { return text_for(metric.note); })
      .def("__repr__", [](const Metric& metric) {
        const std::string value = metric.value ? fmt::format("{}", *metric.value) : "None";
        return text_for(fmt::format("<accelscope.Metric {}: {} {}>", metric.id, value, metric.unit));
      });
}

void bind_rows(py::module_& module) {
  using jobs::WrittenFile;
  using trace::QualityRow;
  py::class_<WrittenFile>(module, "WrittenFile", "A file that was written.")
      .def_property_readonly("path", [](const WrittenFile& file) { return path_for(file.path); })
      .def_property_readonly("what", [](const WrittenFile& file) { return text_for(file.what); })
      .def("__fspath__", [](const WrittenFile& file) { return path_for(file.path); })
      .def("__repr__", [](const WrittenFile& file) {
        return text_for(fmt::format("<accelscope.WrittenFile {}: {}>", file.path, file.what));
      });
  py::class_<QualityRow>(module, "Quality", "Something that is lost, odd or assumed (docs/quality.md).")
      .def_property_readonly("id", [](const QualityRow& row) { return text_for(row.id); })
      .def_property_readonly(
          "severity", [](const QualityRow& row) { return text_for(severity_name(row.severity)); },
          "\"error\", \"warning\" or \"info\".")
      .def_property_readonly("sentence", [](const QualityRow& row) { return text_for(row.sentence); })
      .def_property_readonly("count", [](const QualityRow& row) { return row.count; })
      .def_property_readonly("first_place",
                             [](const QualityRow& row) { return text_for(row.first_place.to_string()); })
      .def("__repr__", [](const QualityRow& row) {
        return text_for(fmt::format("<accelscope.Quality {}, {}: {}>", severity_name(row.severity), row.id,
                                    row.sentence));
      });
}

}  // namespace

py::list files_list(const std::vector<jobs::WrittenFile>& files) {
  py::list list;
  for (const jobs::WrittenFile& file : files) list.append(py::cast(file));
  return list;
}

py::list quality_list(const trace::QualityTable& quality) {
  py::list list;
  for (trace::QualityRow& row : quality.by_severity()) list.append(py::cast(std::move(row)));
  return list;
}

void bind_findings(py::module_& module) {
  bind_metric(module);
  bind_rows(module);
  py::class_<FoundThings>(module, "Findings", "What a report or a run has to say. `str()` is its text.")
      .def_property_readonly("kind", [](const FoundThings& found) { return text_for(found.document.kind); })
      .def_property_readonly("title", [](const FoundThings& found) { return text_for(found.document.title); })
      .def_property_readonly(
          "quality", [](const FoundThings& found) { return quality_list(found.document.quality); },
          "The trust box: what is lost, odd or assumed, errors first.")
      .def_property_readonly(
          "files", [](const FoundThings& found) { return files_list(found.files); },
          "The files that were written on the way.")
      .def_property_readonly("metrics", &metrics_of, "All of them, in the order of the sections.")
      .def("metric", &metric_of, py::arg("id"), "The first one of this id; KeyError when there is none.")
      .def("text", &text_of, py::arg("width") = 100, "As the program prints it, without colour.")
      .def("markdown", &markdown_of, "As `accelscope report --markdown` prints it.")
      .def("to_json", &json_of, "As `accelscope report --json` prints it (docs/findings.schema.json).")
      .def("to_dict", &dict_of, "The JSON form as dicts and lists.")
      .def("_repr_markdown_", &markdown_of, "For notebooks.")
      .def("__str__", [](const FoundThings& found) { return text_of(found, 100); })
      .def("__repr__", [](const FoundThings& found) {
        return text_for(
            fmt::format("<accelscope.Findings: {}, {}>", found.document.kind, found.document.title));
      });
}

}  // namespace accelscope::python
