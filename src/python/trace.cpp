#include "python/trace.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "formats/etdump/time_unit.h"
#include "python/bindings.h"
#include "python/findings.h"
#include "python/tables.h"

namespace accelscope::python {
namespace {

using trace::Trace;

LoadedTrace load(const py::object& path, const py::object& time_unit, const py::object& etrecord, bool args,
                 bool siblings) {
  LoadedTrace loaded{.inputs = paths_from(path)};
  set_open_options(loaded.options, time_unit, etrecord);
  loaded.options.read.keep_args = args;
  loaded.options.find_siblings = siblings;
  loaded.trace = std::make_shared<const Trace>(
      value_or_raise(without_gil([&] { return formats::open::open_traces(loaded.inputs, loaded.options); })));
  return loaded;
}

// Made when it is asked for, and then kept.
template <class Make>
py::object kept(LoadedTrace& loaded, const std::string& name, Make&& make) {
  py::object& place = loaded.made[name];
  if (!place) place = make();
  return place;
}

py::object table_of(LoadedTrace& loaded, const TableMaker& maker) {
  return kept(loaded, std::string(maker.name), [&] { return py::cast(maker.make(loaded.trace)); });
}

py::dict tables_of(LoadedTrace& loaded) {
  py::dict tables;
  for (const TableMaker& maker : table_makers()) tables[text_for(maker.name)] = table_of(loaded, maker);
  return tables;
}

py::object names_of(LoadedTrace& loaded) {
  return kept(loaded, "names", [&] {
    py::list texts;
    const base::StringInterner& strings = loaded.trace->strings();
    for (std::size_t id = 0; id < strings.size(); ++id)
      texts.append(text_for(strings.text(static_cast<base::StringId>(id))));
    return array_of_objects(texts);
  });
}

py::object categories_of(LoadedTrace& loaded) {
  return kept(loaded, "categories", [&] {
    py::list texts;
    for (const base::StringId id : loaded.trace->categories()) texts.append(text_for(loaded.trace->text(id)));
    return array_of_objects(texts);
  });
}

py::object fact_of(const LoadedTrace& loaded, const std::string& key, const py::object& otherwise) {
  for (const trace::Fact& fact : loaded.trace->facts())
    if (loaded.trace->text(fact.key) == key) return object_of(*loaded.trace, fact.value);
  return otherwise;
}

py::dict arguments_of(const LoadedTrace& loaded, std::uint64_t slice) {
  const Trace& trace = *loaded.trace;
  if (slice >= trace.slices().size())
    throw py::index_error(
        fmt::format("there is no slice {}: the trace has {}", slice, trace.slices().size()));
  py::dict values;
  trace::ArgId arg = trace.slices().first_arg[static_cast<std::uint32_t>(slice)];
  for (; arg != trace::ArgId::kNone; arg = trace.args().next[index(arg)])
    values[text_for(trace.text(trace.args().name[index(arg)]))] = object_of(trace, trace.args().value(arg));
  return values;
}

using TickArray = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
using TrackArray = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;

py::object microseconds(const LoadedTrace& loaded, const TickArray& ticks, const TrackArray& tracks) {
  const Trace& trace = *loaded.trace;
  const auto convert = [&trace](std::int64_t time, std::uint32_t track) {
    if (track >= trace.tracks().size())
      throw py::index_error(
          fmt::format("there is no track {}: the trace has {}", track, trace.tracks().size()));
    const base::Frequency frequency = trace.clock_of(static_cast<trace::TrackId>(track)).frequency;
    if (!frequency.known()) return std::numeric_limits<double>::quiet_NaN();
    return frequency.to_seconds(base::Ticks{time}) * 1e6;
  };
  return py::vectorize(convert)(ticks, tracks);
}

py::str shown_trace(const LoadedTrace& loaded) {
  const Trace& trace = *loaded.trace;
  return text_for(fmt::format("<accelscope.Trace {}: {} slices on {} tracks, {} tasks, {} runs>",
                              fmt::join(loaded.inputs, ", "), trace.slices().size(), trace.tracks().size(),
                              trace.tasks().size(), trace.runs().size()));
}

constexpr const char* kLoadHelp =
    "Reads a trace: anything that `accelscope convert` reads, the folder of a run, or several files.\n\n"
    "`time_unit` and `etrecord` are as on the command line; `args=False` leaves out the arguments of Chrome\n"
    "JSON events; `siblings=False` leaves alone what lies beside a file.";

void bind_tables_of_trace(py::class_<LoadedTrace>& type) {
  for (const TableMaker& maker : table_makers()) {
    std::string meaning;
    for (const trace::TableSchema& table : trace::schema())
      if (table.name == maker.name) meaning = table.meaning;
    type.def_property_readonly(
        std::string(maker.name).c_str(), [&maker](LoadedTrace& loaded) { return table_of(loaded, maker); },
        meaning.c_str());
  }
  type.def_property_readonly("tables", &tables_of, "All tables by name.");
}

}  // namespace

void set_open_options(formats::open::OpenOptions& options, const py::object& time_unit,
                      const py::object& etrecord) {
  if (!time_unit.is_none())
    options.read.time_unit =
        value_or_raise(formats::etdump::parse_time_unit(py::cast<std::string>(time_unit)));
  if (!etrecord.is_none()) options.etrecord = path_from(etrecord);
}

void bind_trace(py::module_& module) {
  py::class_<LoadedTrace> type(module, "Trace",
                               "Everything that was recorded, as tables of NumPy arrays "
                               "(docs/trace-model.md). Cannot be changed.");
  bind_tables_of_trace(type);
  type.def_property_readonly(
          "names", &names_of,
          "Every text once: `trace.names[trace.slices[\"name\"]]` are the names of slices.")
      .def_property_readonly("categories", &categories_of, "The text of each category, by its number.")
      .def_property_readonly(
          "quality", [](const LoadedTrace& loaded) { return quality_list(loaded.trace->quality()); },
          "What is lost, odd or assumed, errors first.")
      .def_property_readonly(
          "inputs",
          [](const LoadedTrace& loaded) {
            py::list paths;
            for (const std::string& path : loaded.inputs) paths.append(path_for(path));
            return paths;
          },
          "The paths it was loaded from.")
      .def("fact", &fact_of, py::arg("key"), py::arg("default") = py::none(),
           "What is known under this name of the whole trace.")
      .def("arguments", &arguments_of, py::arg("slice"), "The arguments of a slice by name.")
      .def("microseconds", &microseconds, py::arg("ticks"), py::arg("track"),
           "Ticks of these tracks' clocks as microseconds; NaN where the clock's unit is unknown.")
      .def("__repr__", &shown_trace);
  module.def("load", &load, kLoadHelp, py::arg("path"), py::kw_only(), py::arg("time_unit") = py::none(),
             py::arg("etrecord") = py::none(), py::arg("args") = true, py::arg("siblings") = true);
}

}  // namespace accelscope::python
