#include <fmt/core.h>

#include <atomic>
#include <chrono>
#include <memory>

#include "jobs/run_graph.h"
#include "python/bindings.h"
#include "python/call_config.h"
#include "python/findings.h"
#include "python/interruptible.h"
#include "runtime/graph_run_words.h"

namespace accelscope::python {
namespace {

using jobs::CheckedOutput;
using jobs::RunGraphOptions;
using jobs::RunGraphOutcome;
using jobs::RunRound;
using runtime::RunFault;

const char* name_of(RunFault::Kind kind) {
  switch (kind) {
    case RunFault::Kind::kKernel:
      return "kernel";
    case RunFault::Kind::kDeadlock:
      return "deadlock";
    case RunFault::Kind::kInterrupted:
      return "interrupted";
    case RunFault::Kind::kNoProgress:
      return "no progress";
    case RunFault::Kind::kInternal:
      break;
  }
  return "internal";
}

void put_into(jobs::RunGraphOptions& options, const CallSettings& settings) {
  const auto said = [&](std::uint64_t bit) -> std::optional<bool> {
    if ((settings.said & bit) == 0) return std::nullopt;
    return (settings.config.dfx_flags & bit) != 0;
  };
  if ((settings.said & kLevelBits) != 0) options.chip_swimlane = level_of(settings);
  options.dump_tensor = said(kDfxDumpTensor);
  options.deps = said(kDfxDependencyCapture);
  options.scope_stats = said(kDfxScopeStats);
  if (said(kDfxPmu).value_or(false)) options.pmu = settings.pmu_group;
  if (said(kDfxCoreSwimlane).value_or(false)) options.core_swimlane.emplace();
  options.config = settings.config;
  options.folder = settings.config.output_prefix;
}

// A file, a generator with its parameters, or what the file would hold.
void take_graph(RunGraphOptions& options, const py::object& graph) {
  if (py::isinstance(graph, py::module_::import("typing").attr("Mapping"))) {
    options.graph = "the graph";
    options.graph_json = py::cast<std::string>(
        py::module_::import("json").attr("dumps")(py::dict(graph), py::arg("indent") = 1));
  } else {
    options.graph = path_from(graph);
  }
}

void take_platform(RunGraphOptions& options, const py::object& platform) {
  if (platform.is_none()) return;
  const auto name = py::cast<std::string>(platform);
  options.platform = runtime::platform_named(name);
  if (!options.platform) raise_value_error(fmt::format("platform is 'virtual' or 'threads', not '{}'", name));
}

void take_policy(RunGraphOptions& options, const py::object& policy) {
  if (policy.is_none()) return;
  const auto name = py::cast<std::string>(policy);
  options.policy = capture::run_policy(name);
  if (!options.policy)
    raise_value_error(fmt::format("policy is 'block', 'drop' or 'overwrite', not '{}'", name));
}

bool is_raw(const std::string& format) {
  if (format != "objects" && format != "raw")
    raise_value_error(fmt::format("format is 'objects' or 'raw', not '{}'", format));
  return format == "raw";
}

// What is wrong with a run that went through; "" when nothing is.
std::string complaint_about(const RunGraphOutcome& outcome) {
  if (outcome.fault) return outcome.fault->text;
  for (const CheckedOutput& output : outcome.outputs)
    if (output.differing > 0) return fmt::format("not as expected: {}", output.text);
  return {};
}

py::object checked(const py::object& result) {
  const std::string complaint = complaint_about(py::cast<const RunGraphOutcome&>(result));
  if (complaint.empty()) return result;
  const py::object type = py::module_::import("accelscope._errors").attr("RunError");
  const py::object error = type(text_for(complaint), py::arg("code") = "run");
  error.attr("result") = result;
  PyErr_SetObject(type.ptr(), error.ptr());
  throw py::error_already_set();
}

py::object run(const py::object& graph, const py::object& config, const py::object& chip,
               const py::object& platform, const py::object& rounds, const py::object& kernels,
               const py::object& costs, const py::object& policy, const std::string& format, bool compute,
               const py::object& output, bool replace, bool in_process, const py::object& give_up_after,
               bool check) {
  RunGraphOptions options{.version = ACCELSCOPE_VERSION};
  take_graph(options, graph);
  if (!config.is_none()) {
    if (!py::isinstance<CallSettings>(config)) raise_type_error("config is a CallConfig or None");
    put_into(options, py::cast<const CallSettings&>(config));
  }
  if (!chip.is_none()) options.chip = path_from(chip);
  take_platform(options, platform);
  if (!rounds.is_none())
    options.rounds = static_cast<std::uint32_t>(whole_number_from(rounds, "rounds", 1, runtime::kMaxRounds));
  if (!py::isinstance<py::tuple>(kernels) || py::len(kernels) > 0) options.kernels = paths_from(kernels);
  if (!costs.is_none()) options.costs = path_from(costs);
  take_policy(options, policy);
  options.raw = is_raw(format);
  options.compute = compute;
  options.replace = replace;
  options.in_process = in_process;
  if (!give_up_after.is_none())
    options.give_up_after =
        std::chrono::seconds(whole_number_from(give_up_after, "give_up_after", 0, jobs::kMostGiveUpSeconds));
  if (!output.is_none()) options.folder = path_from(output);
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  options.stop = stop.get();
  const py::object result = py::cast(value_or_raise(
      interruptible<RunGraphOutcome>(stop, [options, stop] { return jobs::run_graph(options); })));
  return check ? checked(result) : result;
}

void bind_parts(py::module_& module) {
  py::class_<RunRound>(module, "Round", "One time that the graph ran.")
      .def_property_readonly("makespan_us", [](const RunRound& round) { return round.makespan_us; })
      .def_property_readonly(
          "produced", [](const RunRound& round) { return round.produced; }, "Records that were made.")
      .def_property_readonly(
          "collected", [](const RunRound& round) { return round.collected; },
          "Records that are in the recording.")
      .def_property_readonly(
          "folder",
          [](const RunRound& round) {
            return round.folder.empty() ? py::object(py::none()) : py::object(path_for(round.folder));
          },
          "Where the files are, for load() and report(); None when nothing was recorded.")
      .def_property_readonly("files", [](const RunRound& round) { return files_list(round.files); })
      .def("__repr__", [](const RunRound& round) {
        return text_for(fmt::format("<accelscope.Round: {:.3f} us, {} records{}{}>", round.makespan_us,
                                    round.collected, round.folder.empty() ? "" : " in ", round.folder));
      });
  py::class_<RunFault>(module, "Fault", "What ended a run before its time.")
      .def_property_readonly(
          "kind", [](const RunFault& fault) { return name_of(fault.kind); },
          "\"kernel\", \"deadlock\", \"no progress\", \"interrupted\" or \"internal\".")
      .def_property_readonly("text", [](const RunFault& fault) { return text_for(fault.text); })
      .def_property_readonly(
          "tasks",
          [](const RunFault& fault) {
            py::list tasks;
            for (const std::uint32_t task : fault.tasks) tasks.append(task);
            return tasks;
          },
          "Their positions in the graph: the one that failed, or those that wait.")
      .def("__repr__", [](const RunFault& fault) {
        return text_for(fmt::format("<accelscope.Fault {}: {}>", name_of(fault.kind), fault.text));
      });
  py::class_<CheckedOutput>(module, "Output", "What came of an output that the graph expects.")
      .def_property_readonly("buffer", [](const CheckedOutput& output) { return text_for(output.buffer); })
      .def_property_readonly("compared", [](const CheckedOutput& output) { return output.compared; })
      .def_property_readonly("differing", [](const CheckedOutput& output) { return output.differing; })
      .def_property_readonly("text", [](const CheckedOutput& output) { return text_for(output.text); })
      .def("__repr__", [](const CheckedOutput& output) {
        return text_for(fmt::format("<accelscope.Output {}: {} of {} differ>", output.buffer,
                                    output.differing, output.compared));
      });
}

template <class T>
py::list list_of(const std::vector<T>& values) {
  py::list list;
  for (const T& value : values) list.append(py::cast(value));
  return list;
}

void bind_result(py::module_& module) {
  py::class_<RunGraphOutcome>(module, "RunResult", "What came of run().")
      .def_property_readonly("rounds", [](const RunGraphOutcome& outcome) { return list_of(outcome.rounds); })
      .def_property_readonly(
          "fault",
          [](const RunGraphOutcome& outcome) {
            return outcome.fault ? py::cast(*outcome.fault) : py::object(py::none());
          },
          "What ended the last round before its time; None when nothing did.")
      .def_property_readonly("outputs",
                             [](const RunGraphOutcome& outcome) { return list_of(outcome.outputs); })
      .def_property_readonly(
          "ok", [](const RunGraphOutcome& outcome) { return complaint_about(outcome).empty(); },
          "Whether it went through and the outputs are what the graph expects.")
      .def_property_readonly(
          "findings",
          [](const RunGraphOutcome& outcome) {
            return FoundThings{outcome.findings, {}};
          },
          "What `accelscope run` prints.")
      .def("check", &checked, "This result; raises RunError when it is not ok.")
      .def("__repr__", [](const RunGraphOutcome& outcome) {
        const std::string complaint = complaint_about(outcome);
        return text_for(fmt::format("<accelscope.RunResult: {} rounds, {}>", outcome.rounds.size(),
                                    complaint.empty() ? "ok" : complaint));
      });
}

constexpr const char* kRunHelp =
    "Runs a task graph on a simulated chip, recorded: `accelscope run` (docs/cli.md).\n\n"
    "`graph` is a file, a graph that can be made (\"bgemm:tile=64\"), or a dict as the file would say it. "
    "What\n"
    "is not given is as the graph's file says. A run that goes wrong keeps what was recorded until then, and "
    "is\n"
    "no exception but `fault` of the result, unless `check` is True. Ctrl-C ends the run, keeps what was\n"
    "recorded and raises KeyboardInterrupt.";

}  // namespace

void bind_run(py::module_& module) {
  bind_parts(module);
  bind_result(module);
  const py::none none;
  module.def("run", &run, kRunHelp, py::arg("graph"), py::kw_only(), py::arg("config") = none,
             py::arg("chip") = none, py::arg("platform") = none, py::arg("rounds") = none,
             py::arg("kernels") = py::tuple(), py::arg("costs") = none, py::arg("policy") = none,
             py::arg("format") = "objects", py::arg("compute") = true, py::arg("output") = none,
             py::arg("replace") = false, py::arg("in_process") = false, py::arg("give_up_after") = none,
             py::arg("check") = false);
}

}  // namespace accelscope::python
