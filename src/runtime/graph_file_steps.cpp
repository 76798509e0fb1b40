#include <fmt/format.h>

#include <algorithm>

#include "base/closest_name.h"
#include "runtime/graph_reader.h"

namespace accelscope::runtime {
namespace {

using base::JsonKind;

constexpr std::string_view kStepKeys[] = {"scope",  "manual",         "steps",      "name",    "kind",
                                          "cube",   "vector",         "args",       "scalars", "after",
                                          "blocks", "early_dispatch", "sync_start", "when"};
enum StepKey : std::uint8_t {
  kScope,
  kManual,
  kSteps,
  kName,
  kKind,
  kCube,
  kVector,
  kArgs,
  kScalars,
  kAfter,
  kBlocks,
  kEarlyDispatch,
  kSyncStart,
  kWhen
};
constexpr std::string_view kArgumentKeys[] = {"in", "inout", "out", "make", "offset", "shape", "strides"};
constexpr Access kAccesses[] = {Access::kInput, Access::kInOut, Access::kOutput, Access::kCreatedOutput};
constexpr std::string_view kWhenKeys[] = {"not_zero", "zero", "offset"};
constexpr std::string_view kKinds[] = {"kernel", "dummy", "alloc"};

// One entry of a list of steps, as its fields come.
struct Entry {
  std::uint64_t at = 0;
  bool is_scope = false;
  bool is_task = false;
  // A scope.
  std::string site = {};
  bool manual = false;
  std::optional<std::size_t> begin = {};  // its step, once that is there
  // A task.
  Task task = {};
  std::string name = {};
  std::array<std::string, 3> kernels = {};
  std::vector<Argument> arguments = {};
  std::vector<double> scalars = {};
  struct After {
    std::uint64_t at;
    std::string name;
    std::uint64_t number;
  };
  std::vector<After> after = {};
  // Whether something is wrong that has been noted and would show again in a check of the whole graph, and
  // how many notes there are of things that would not.
  bool bad = false;
  std::uint64_t harmless = 0;
};

class StepReader {
 public:
  explicit StepReader(GraphReading& reading)
      : reading_(reading), json_(reading.json), graph_(reading.file.graph) {}

  void read() {
    read_list(0);
    for (const Waiting& waiting : waiting_) resolve(waiting);
  }

 private:
  // A dependency on a task that was not known yet.
  struct Waiting {
    std::uint32_t task;
    std::size_t place;  // in the pool
    Entry::After after;
  };

  void read_list(std::size_t depth) {
    json_.array([&](std::size_t) { read_entry(depth); });
  }

  void read_entry(std::size_t depth) {
    Entry entry;
    entry.at = json_.offset();
    const std::uint64_t before = json_.problems();
    json_.object(kStepKeys, [&](std::size_t key) {
      if (key <= kSteps)
        read_scope_field(entry, key, depth);
      else
        read_task_field(entry, key);
    });
    if (entry.is_scope && entry.is_task) {
      json_.complain(entry.at, "is a scope and a task: tasks of a scope stand in its `steps`");
      if (entry.begin) end_scope(entry);
    } else if (entry.is_scope) {
      end_scope(entry);
      return;
    }
    entry.bad = entry.bad || json_.problems() - before > entry.harmless;
    add_task(entry);
  }

  void read_scope_field(Entry& entry, std::size_t key, std::size_t depth) {
    entry.is_scope = true;
    if (key == kScope) {
      entry.site = json_.text().value_or("");
    } else if (key == kManual) {
      entry.manual = json_.truth().value_or(false);
    } else if (depth >= kMaxScopeDepth) {
      json_.complain(json_.offset(), fmt::format("scopes are nested {} deep at most", kMaxScopeDepth));
      json_.skip();
    } else {
      begin_scope(entry);
      read_list(depth + 1);
    }
  }

  std::uint32_t number_of_site(const std::string& site) {
    const auto [place, added] = sites_.try_emplace(site, static_cast<std::uint32_t>(graph_.sites.size()));
    if (added) graph_.sites.push_back(site);
    return place->second;
  }

  void begin_scope(Entry& entry) {
    entry.begin = graph_.steps.size();
    graph_.steps.push_back({.kind = StepKind::kBeginScope});
    if (!entry.site.empty()) graph_.steps.back().site = number_of_site(entry.site);
  }

  void end_scope(Entry& entry) {
    if (!entry.begin) begin_scope(entry);
    Step& begin = graph_.steps[*entry.begin];
    begin.manual = entry.manual;
    begin.site = number_of_site(entry.site);
    if (entry.site.empty() && !entry.is_task) json_.complain(entry.at, "a scope needs a name: `scope`");
    graph_.steps.push_back({.kind = StepKind::kEndScope});
  }

  void read_task_field(Entry& entry, std::size_t key) {
    entry.is_task = true;
    const std::uint64_t before = json_.problems();
    take_task_field(entry, key);
    if (key == kName || key == kBlocks || key == kEarlyDispatch || key == kSyncStart)
      entry.harmless += json_.problems() - before;
  }

  void take_task_field(Entry& entry, std::size_t key) {
    switch (key) {
      case kName:
        entry.name = json_.text().value_or("");
        break;
      case kKind:
        read_kind(entry);
        break;
      case kCube:
        entry.kernels[0] = json_.text().value_or("");
        break;
      case kVector:
        read_vector_kernels(entry);
        break;
      case kArgs:
        json_.array([&](std::size_t) { read_argument(entry); });
        break;
      case kScalars:
        json_.array([&](std::size_t) { entry.scalars.push_back(json_.number().value_or(0)); });
        break;
      case kAfter:
        json_.array([&](std::size_t) { read_after(entry); });
        break;
      case kBlocks:
        entry.task.blocks = static_cast<std::uint32_t>(json_.whole_number(1, 0xFFFFFFFF).value_or(1));
        break;
      case kEarlyDispatch:
        entry.task.early_dispatch = json_.truth().value_or(false);
        break;
      case kSyncStart:
        entry.task.sync_start = json_.truth().value_or(false);
        break;
      default:
        read_predicate(entry);
    }
  }

  void read_kind(Entry& entry) {
    const std::uint64_t at = json_.offset();
    const auto kind = json_.text();
    if (!kind) return;
    const auto found = std::ranges::find(kKinds, *kind);
    if (found == std::end(kKinds))
      json_.complain(at, fmt::format("`{}` is no kind of task{}; there are: {}", *kind,
                                     base::suggestion(*kind, kKinds), fmt::join(kKinds, ", ")));
    else
      entry.task.kind = static_cast<TaskKind>(found - std::begin(kKinds));
  }

  void read_vector_kernels(Entry& entry) {
    if (json_.kind() == JsonKind::kString) {
      entry.kernels[1] = json_.text().value_or("");
      return;
    }
    if (json_.kind() != JsonKind::kArray) return json_.wrong_kind("a text, or an array of two,");
    json_.array([&](std::size_t i) {
      if (i == 2) json_.complain(json_.offset(), "there are two vector cores");
      if (i >= 2)
        json_.skip();
      else if (!json_.null())
        entry.kernels[i + 1] = json_.text().value_or("");
    });
  }

  void read_argument(Entry& entry) {
    const std::uint64_t at = json_.offset();
    const std::uint64_t before = json_.problems();
    Argument argument;
    ViewFields view(reading_);
    int accesses = 0;
    if (json_.kind() == JsonKind::kString) {
      ++accesses;
      view.take_buffer();
    } else {
      json_.object(kArgumentKeys, [&](std::size_t key) {
        if (key < std::size(kAccesses)) {
          ++accesses;
          argument.access = kAccesses[key];
          view.take_buffer();
        } else if (key == 4) {
          view.take_offset();
        } else if (key == 5) {
          view.take_shape();
        } else {
          view.take_strides();
        }
      });
    }
    if (accesses != 1 && json_.problems() == before)
      json_.complain(at, "one of `in`, `inout`, `out` and `make` names the buffer");
    const auto resolved = view.resolve(false);
    if (!resolved) {
      entry.bad = true;
      return;
    }
    argument.view = *resolved;
    entry.arguments.push_back(argument);
  }

  void read_predicate(Entry& entry) {
    const std::uint64_t at = json_.offset();
    const std::uint64_t before = json_.problems();
    Predicate& predicate = entry.task.predicate;
    ViewFields view(reading_);
    int names = 0;
    if (json_.kind() == JsonKind::kString) {
      ++names;
      view.take_buffer();
    } else {
      json_.object(kWhenKeys, [&](std::size_t key) {
        if (key == 2) return view.take_offset();
        ++names;
        predicate.when_zero = key == 1;
        view.take_buffer();
      });
    }
    if (names != 1 && json_.problems() == before)
      json_.complain(at, "one of `not_zero` and `zero` names the buffer");
    const auto resolved = view.resolve(true);
    entry.bad = entry.bad || !resolved;
    predicate.present = resolved.has_value();
    predicate.view = resolved.value_or(TensorView{});
  }

  void read_after(Entry& entry) {
    const std::uint64_t at = json_.offset();
    if (json_.kind() == JsonKind::kString) {
      if (auto name = json_.text()) entry.after.push_back({at, std::move(*name), 0});
    } else if (json_.kind() == JsonKind::kNumber) {
      if (const auto number = json_.whole_number(0, kNoTask - 1)) entry.after.push_back({at, {}, *number});
    } else {
      json_.wrong_kind("a task's name or number");
    }
  }

  std::int32_t number_of_function(const std::string& name, std::uint64_t at) {
    if (name.empty()) return kNoKernel;
    const auto [place, added] =
        reading_.functions.try_emplace(name, static_cast<std::int32_t>(graph_.functions.size()));
    if (added) {
      graph_.functions.push_back({.name = name, .kernel = name});
      reading_.function_places.add(at, false);
    }
    return place->second;
  }

  template <class Value>
  static Range append(std::vector<Value>& pool, const std::vector<Value>& values) {
    const Range range = {static_cast<std::uint32_t>(pool.size()), static_cast<std::uint32_t>(values.size())};
    pool.insert(pool.end(), values.begin(), values.end());
    return range;
  }

  void add_task(Entry& entry) {
    const auto number = static_cast<std::uint32_t>(graph_.tasks.size());
    Task& task = entry.task;
    for (std::size_t i = 0; i < entry.kernels.size(); ++i)
      task.kernels[i] = number_of_function(entry.kernels[i], entry.at);
    for (const Argument& argument : entry.arguments) {
      // The first maker counts; the check names the second.
      std::uint32_t& made_by = graph_.buffers[argument.view.buffer].made_by;
      if (argument.access == Access::kCreatedOutput && made_by == kNoTask) made_by = number;
    }
    task.arguments = append(graph_.arguments, entry.arguments);
    task.scalars = append(graph_.scalars, entry.scalars);
    add_name(number, std::move(entry.name));
    task.dependencies = {static_cast<std::uint32_t>(graph_.dependencies.size()),
                         static_cast<std::uint32_t>(entry.after.size())};
    for (Entry::After& after : entry.after) {
      const auto known = names_.find(after.name);
      if (!after.name.empty() && known == names_.end())
        waiting_.push_back({number, graph_.dependencies.size(), after});
      graph_.dependencies.push_back(after.name.empty()      ? static_cast<std::uint32_t>(after.number)
                                    : known == names_.end() ? number
                                                            : known->second);
    }
    graph_.tasks.push_back(task);
    graph_.steps.push_back({.kind = StepKind::kSubmit, .task = number});
    reading_.task_places.add(entry.at, entry.bad);
  }

  void add_name(std::uint32_t number, std::string name) {
    if (!name.empty()) {
      names_.try_emplace(name, number);
      graph_.task_names.resize(number);
    }
    if (!name.empty() || !graph_.task_names.empty()) graph_.task_names.push_back(std::move(name));
  }

  void resolve(const Waiting& waiting) {
    const auto found = names_.find(waiting.after.name);
    if (found != names_.end()) {
      graph_.dependencies[waiting.place] = found->second;
      return;
    }
    json_.complain(waiting.after.at,
                   fmt::format("no task is called `{}`{}", waiting.after.name,
                               suggestion_from(waiting.after.name, names_, json_.problems())));
    // The task would seem to wait for itself.
    graph_.dependencies[waiting.place] = 0;
    reading_.task_places.bad[waiting.task] = true;
  }

  GraphReading& reading_;
  GraphJson& json_;
  Graph& graph_;
  tsl::robin_map<std::string, std::uint32_t> sites_;
  tsl::robin_map<std::string, std::uint32_t> names_;
  std::vector<Waiting> waiting_;
};

}  // namespace

void read_steps(GraphReading& reading) {
  StepReader(reading).read();
}

}  // namespace accelscope::runtime
