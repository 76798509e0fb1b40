#include "python/call_config.h"

#include <fmt/core.h>

#include <limits>

#include "python/bindings.h"

namespace accelscope::python {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
using RingValues = std::uint64_t[kCallConfigRings];

// The rules are those of the struct. That there is a place for what is recorded is looked at when it runs:
// there it may be given as well.
void check(const CallSettings& settings) {
  CallConfig config = settings.config;
  if (config.output_prefix[0] == '\0') set_output_prefix(config, ".");
  if (const CallConfigError error = validate(config); error != CallConfigError::kNone)
    raise_value_error(text_of(error));
}

void set_flag(CallSettings& settings, std::uint64_t bits, std::uint64_t value) {
  settings.config.dfx_flags = (settings.config.dfx_flags & ~bits) | value;
  settings.said |= bits;
}

// A bool is asked for first: to Python it is an int, 0 or 1.
int level_from(py::handle value) {
  if (PyBool_Check(value.ptr()) != 0) return value.ptr() == Py_True ? kMaxChipSwimlaneLevel : 0;
  const auto wrong = [&] {
    return fmt::format(
        "chip_swimlane_level is a whole number from 0 to {}, or True for {} or False for 0; not {}",
        kMaxChipSwimlaneLevel, kMaxChipSwimlaneLevel, py::cast<std::string>(py::repr(value)));
  };
  const py::object number = whole_number(value);
  if (!number) raise_type_error(wrong());
  int overflow = 0;
  const long level = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
  const bool is_int = overflow == 0 && level >= 0 && level <= std::numeric_limits<int>::max();
  if (!is_int || !is_chip_swimlane_level(static_cast<int>(level))) raise_value_error(wrong());
  return static_cast<int>(level);
}

void set_level(CallSettings& settings, py::handle value) {
  set_flag(settings, kLevelBits, dfx_flags_of_level(level_from(value)));
}

void set_pmu(CallSettings& settings, py::handle value) {
  const bool is_truth = PyBool_Check(value.ptr()) != 0;
  const bool is_on = !value.is_none() && value.ptr() != Py_False;
  if (is_on)
    settings.pmu_group = is_truth ? device::kDefaultPmuGroup
                                  : static_cast<std::uint32_t>(whole_number_from(value, "pmu", 1, 255));
  set_flag(settings, kDfxPmu, is_on ? kDfxPmu : 0);
}

py::object pmu_of(const CallSettings& settings) {
  const bool is_on = (settings.config.dfx_flags & kDfxPmu) != 0;
  return is_on ? py::object(py::int_(settings.pmu_group)) : py::object(py::none());
}

// One value for all rings, or one for each.
void read_rings(py::handle value, const char* name, RingValues& sizes) {
  if (!py::isinstance<py::sequence>(value)) {
    const std::uint64_t size = whole_number_from(value, name, 0, kMost);
    for (std::uint64_t& ring : sizes) ring = size;
    return;
  }
  const auto list = py::reinterpret_borrow<py::sequence>(value);
  if (list.size() != kCallConfigRings)
    raise_value_error(fmt::format("{} is one number, or one for each of the {} rings; not {} of them", name,
                                  kCallConfigRings, list.size()));
  for (unsigned ring = 0; ring < kCallConfigRings; ++ring)
    sizes[ring] = whole_number_from(list[ring], name, 0, kMost);
}

// The members of a packed struct have no references: they are copied in and out.
struct RingMember {
  const char* name;
  std::uint64_t (*get)(const CallConfig&, unsigned ring);
  void (*set)(CallConfig&, unsigned ring, std::uint64_t size);
};
constexpr RingMember kRingMembers[] = {
    {"ring_task_window",
     [](const CallConfig& config, unsigned ring) { return config.ring_task_window[ring]; },
     [](CallConfig& config, unsigned ring, std::uint64_t size) { config.ring_task_window[ring] = size; }},
    {"ring_heap", [](const CallConfig& config, unsigned ring) { return config.ring_heap[ring]; },
     [](CallConfig& config, unsigned ring, std::uint64_t size) { config.ring_heap[ring] = size; }},
    {"ring_dep_pool", [](const CallConfig& config, unsigned ring) { return config.ring_dep_pool[ring]; },
     [](CallConfig& config, unsigned ring, std::uint64_t size) { config.ring_dep_pool[ring] = size; }},
};

void set_rings(CallSettings& settings, const RingMember& member, py::handle value) {
  RingValues sizes = {};
  read_rings(value, member.name, sizes);
  CallSettings changed = settings;
  for (unsigned ring = 0; ring < kCallConfigRings; ++ring) member.set(changed.config, ring, sizes[ring]);
  check(changed);
  settings = changed;
}

py::tuple rings_of(const CallSettings& settings, const RingMember& member) {
  py::tuple sizes(kCallConfigRings);
  for (unsigned ring = 0; ring < kCallConfigRings; ++ring) sizes[ring] = member.get(settings.config, ring);
  return sizes;
}

void set_prefix(CallSettings& settings, py::handle value) {
  if (!set_output_prefix(settings.config, path_from(value).c_str()))
    raise_value_error(fmt::format("output_prefix is longer than {} bytes", kCallConfigPrefixBytes - 1));
}

struct FlagMember {
  const char* name;
  std::uint64_t bit;
  const char* help;
};
constexpr FlagMember kFlagMembers[] = {
    {"dump_tensor", kDfxDumpTensor, "Record what tasks read, before they run, and what they write, after."},
    {"deps", kDfxDependencyCapture, "Record who waits for whom, and why."},
    {"scope_stats", kDfxScopeStats, "Record how full the rings are where scopes begin and end."},
    {"core_swimlane", kDfxCoreSwimlane,
     "Record which pipes of all cores are busy, and the marks of kernels."},
};

// What was said, under the names of the constructor's arguments: how a configuration is shown, compared and
// made again.
py::dict said_in(const CallSettings& settings) {
  py::dict said;
  if ((settings.said & kLevelBits) != 0) said["chip_swimlane_level"] = level_of(settings);
  for (const FlagMember& member : kFlagMembers)
    if ((settings.said & member.bit) != 0) said[member.name] = (settings.config.dfx_flags & member.bit) != 0;
  if ((settings.said & kDfxPmu) != 0) said["pmu"] = pmu_of(settings);
  for (const RingMember& member : kRingMembers) {
    const py::tuple sizes = rings_of(settings, member);
    if (!sizes.equal(rings_of({}, member))) said[member.name] = sizes;
  }
  if (settings.config.output_prefix[0] != '\0')
    said["output_prefix"] = path_for(settings.config.output_prefix);
  return said;
}

void set_member(CallSettings& settings, const std::string& name, py::handle value) {
  if (name == "chip_swimlane_level") return set_level(settings, value);
  if (name == "pmu") return set_pmu(settings, value);
  if (name == "output_prefix") return set_prefix(settings, value);
  for (const FlagMember& member : kFlagMembers)
    if (name == member.name)
      return set_flag(settings, member.bit, truth_from(value, member.name) ? member.bit : 0);
  for (const RingMember& member : kRingMembers)
    if (name == member.name) return set_rings(settings, member, value);
}

CallSettings made_from(const py::dict& said) {
  CallSettings settings;
  for (const auto& [name, value] : said)
    if (!value.is(py::ellipsis())) set_member(settings, py::cast<std::string>(name), value);
  return settings;
}

CallSettings make(const py::object& level, const py::object& dump_tensor, const py::object& deps,
                  const py::object& scope_stats, const py::object& pmu, const py::object& core_swimlane,
                  const py::object& task_window, const py::object& heap, const py::object& dep_pool,
                  const py::object& prefix) {
  py::dict said;
  said["chip_swimlane_level"] = level;
  said["dump_tensor"] = dump_tensor;
  said["deps"] = deps;
  said["scope_stats"] = scope_stats;
  said["pmu"] = pmu;
  said["core_swimlane"] = core_swimlane;
  said["ring_task_window"] = task_window;
  said["ring_heap"] = heap;
  said["ring_dep_pool"] = dep_pool;
  said["output_prefix"] = prefix;
  return made_from(said);
}

py::str shown(const CallSettings& settings) {
  std::string text;
  for (const auto& [name, value] : said_in(settings))
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", py::cast<std::string>(name),
                        py::cast<std::string>(py::repr(value)));
  return text_for(fmt::format("CallConfig({})", text));
}

constexpr const char* kCallConfigHelp =
    "How a graph is run: what is recorded, how large the rings are, and where output goes.\n\n"
    "What nobody sets is left to the graph's file, and is off where that says nothing, too.";
constexpr const char* kLevelHelp =
    "What is recorded of the chip: 0 nothing, 1 core timing, 2 and the life of tasks, 3 and phases.\n\n"
    "True means 3, False 0; anything else raises TypeError or ValueError.";

void bind_flags(py::class_<CallSettings>& type) {
  type.def_property(
      "chip_swimlane_level", &level_of,
      [](CallSettings& settings, const py::object& level) { set_level(settings, level); }, kLevelHelp);
  for (const FlagMember& member : kFlagMembers)
    type.def_property(
        member.name,
        [member](const CallSettings& settings) { return (settings.config.dfx_flags & member.bit) != 0; },
        [member](CallSettings& settings, const py::object& value) {
          set_flag(settings, member.bit, truth_from(value, member.name) ? member.bit : 0);
        },
        member.help);
  type.def_property(
      "pmu", &pmu_of, [](CallSettings& settings, const py::object& value) { set_pmu(settings, value); },
      "The group of counters that is recorded of each task, or None. True means group 2, False None.");
  type.def_property_readonly(
      "dfx_flags", [](const CallSettings& settings) { return settings.config.dfx_flags; },
      "The diagnostics as the runtime's word of flags (docs/recorder.md).");
}

void bind_places(py::class_<CallSettings>& type) {
  for (const RingMember& member : kRingMembers)
    type.def_property(
        member.name, [member](const CallSettings& settings) { return rings_of(settings, member); },
        [member](CallSettings& settings, const py::object& value) { set_rings(settings, member, value); },
        "Of each of the four rings; one number sets all of them. 0: the runtime's default.");
  type.def_property(
      "output_prefix", [](const CallSettings& settings) { return path_for(settings.config.output_prefix); },
      [](CallSettings& settings, const py::object& value) { set_prefix(settings, value); },
      "The folder for what is recorded, where run() is not given another one.");
}

}  // namespace

void bind_call_config(py::module_& module) {
  py::class_<CallSettings> type(module, "CallConfig", kCallConfigHelp);
  const py::ellipsis unsaid;
  type.def(py::init(&make), py::kw_only(), py::arg("chip_swimlane_level") = unsaid,
           py::arg("dump_tensor") = unsaid, py::arg("deps") = unsaid, py::arg("scope_stats") = unsaid,
           py::arg("pmu") = unsaid, py::arg("core_swimlane") = unsaid, py::arg("ring_task_window") = unsaid,
           py::arg("ring_heap") = unsaid, py::arg("ring_dep_pool") = unsaid,
           py::arg("output_prefix") = unsaid);
  bind_flags(type);
  bind_places(type);
  type.def("__repr__", &shown);
  type.def("__eq__", [](const CallSettings& settings, const py::object& other) -> py::object {
    if (!py::isinstance<CallSettings>(other))
      return py::reinterpret_borrow<py::object>(py::handle(Py_NotImplemented));
    return py::bool_(said_in(settings).equal(said_in(py::cast<const CallSettings&>(other))));
  });
  type.def(py::pickle(&said_in, &made_from));
}

}  // namespace accelscope::python
